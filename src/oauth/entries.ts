/**
 * The authorization server's storage in the control schema. An entry is found by a secret, of which only a hash is stored;
 * all processes share it.
 */
import { controlRows, textOf } from '../directory/control.ts';
import type { Clock } from '../lib/clock.ts';
import { isObject, parseJson, type JsonObject } from '../lib/json.ts';
import type { Database } from '../postgres/database.ts';
import { sql } from '../postgres/sql.ts';
import { time } from '../signin/links.ts';
import { hashOf } from '../signin/secret-text.ts';

/** `Grant` is a person's consent, found by the id of its token. */
export type EntryKind = 'Client' | 'Interaction' | 'AuthorizationCode' | 'RefreshToken' | 'Grant';

export interface Entry {
  readonly content: JsonObject;
  /** Whether it was used; then it stays for a day, so that a second use is detected. */
  readonly isConsumed: boolean;
}

export interface Entries {
  /** Stores the entry, replacing one with the same secret. */
  put(kind: EntryKind, secret: string, content: object, expiresAt: number, grantId?: string): Promise<void>;
  /** An entry that is valid, or was used within the last day. */
  find(kind: EntryKind, secret: string): Promise<Entry | undefined>;
  /** Marks the entry as used; of concurrent calls only one returns true. */
  consume(kind: EntryKind, secret: string): Promise<boolean>;
  remove(kind: EntryKind, secret: string): Promise<void>;
  /** Removes everything that belongs to a consent. */
  removeOf(grantId: string): Promise<void>;
  /** Keeps the entry at least until that time, in milliseconds. */
  keepUntil(kind: EntryKind, secret: string, at: number): Promise<void>;
  /** Removes expired entries. */
  forget(): Promise<void>;
}

const usedMs = 24 * 3_600_000;

/** Makes the entries in the control schema on `main`. */
export function createEntries(main: Database, clock: Clock): Entries {
  const now = () => time(clock.now());
  const own = (kind: EntryKind, secret: string) => sql`kind = ${kind} and hash = ${hashOf(secret)}`;
  return {
    async put(kind, secret, content, expiresAt, grantId) {
      await controlRows(
        main,
        sql`insert into kith.oauth_entries (kind, hash, grant_id, content, expires_at)
          values (${kind}, ${hashOf(secret)}, ${grantId ?? null}::uuid, ${JSON.stringify(content)}::jsonb, ${time(expiresAt)})
          on conflict (kind, hash) do update set content = excluded.content, expires_at = excluded.expires_at`,
      );
    },
    async find(kind, secret) {
      const query = sql`select content::text, consumed_at is not null from kith.oauth_entries where ${own(kind, secret)}
        and (expires_at > ${now()} or consumed_at > ${time(clock.now() - usedMs)})`;
      const [row] = await controlRows(main, query);
      const content = row && parseJson(textOf(row, 0));
      return isObject(content) ? { content, isConsumed: textOf(row, 1) === 't' } : undefined;
    },
    async consume(kind, secret) {
      const query = sql`update kith.oauth_entries set consumed_at = ${now()}
        where ${own(kind, secret)} and consumed_at is null and expires_at > ${now()} returning kind`;
      return (await controlRows(main, query)).length > 0;
    },
    async remove(kind, secret) {
      await controlRows(main, sql`delete from kith.oauth_entries where ${own(kind, secret)}`);
    },
    async removeOf(grantId) {
      await controlRows(main, sql`delete from kith.oauth_entries where grant_id = ${grantId}::uuid`);
    },
    async keepUntil(kind, secret, at) {
      const query = sql`update kith.oauth_entries set expires_at = greatest(expires_at, ${time(at)}) where ${own(kind, secret)}`;
      await controlRows(main, query);
    },
    async forget() {
      const query = sql`delete from kith.oauth_entries where expires_at < ${now()}
        and (consumed_at is null or consumed_at < ${time(clock.now() - usedMs)})`;
      await controlRows(main, query);
    },
  };
}
