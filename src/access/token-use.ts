/** When tokens were last used, to the minute: a write for every request would cost more than the request. */
import { bytesOfText, Lru } from '../lib/lru.ts';
import type { OrganizationRef } from '../model/definition.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';

export interface TokenUse {
  /** Notes that the token was used at `now` (milliseconds), unless it did so lately; rejects when the database refuses. */
  note(database: Database, organization: OrganizationRef, tokenId: string, now: number): Promise<unknown> | undefined;
}

const interval = 60_000;

/** One for a process: it notes each token at most once a minute. */
export function createTokenUse(): TokenUse {
  const noted = new Lru<string, number>({ name: 'token_uses', maxBytes: 2 * 1024 * 1024, bytesOf: bytesOfText });
  return {
    note(database, organization, tokenId, now) {
      const last = noted.get(tokenId);
      if (last !== undefined && now - last < interval) return undefined;
      noted.set(tokenId, now);
      const query = sql`update ${identifier(organization.schema, '_tokens')}
        set last_used_at = greatest(last_used_at, to_timestamp(${now}::double precision / 1000)) where id = ${tokenId}::uuid`;
      return database.run(organization.id, statement(query));
    },
  };
}
