/** The time of a token's last use, to the minute: a write per request would cost more than the request. */
import { bytesOfText, Lru } from '../lib/lru.ts';
import type { OrganizationRef } from '../model/definition.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';

export interface TokenUse {
  /** Records the token's use at `now` (milliseconds), unless recorded lately; rejects when the database fails. */
  note(database: Database, organization: OrganizationRef, tokenId: string, now: number): Promise<unknown> | undefined;
}

const interval = 60_000;

/** Creates the process's recorder, which writes each token at most once a minute. */
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
