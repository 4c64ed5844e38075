/**
 * The chain of an organization's audit: each entry is signed together with the signature of the one before it, and the head with
 * the number of entries. The key comes from the organization's data key, which the root secret seals: whoever can write the
 * database alone cannot sign.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Key, Keyring } from '../auth/keys.ts';

/** An entry as it is signed; all as stored. */
export interface Entry {
  readonly seq: string;
  readonly id: string;
  /** UTC to the microsecond, `2026-01-31T09:30:00.000000Z`. */
  readonly at: string;
  readonly action: string;
  /** JSON text. */
  readonly subject: string;
  readonly actorId: string | null;
  readonly means: string;
  readonly agent: string | null;
  readonly tokenId: string | null;
  readonly request: string | null;
  readonly address: string | null;
  /** The hash of the entry before it; empty for the first. */
  readonly previous: string;
}

/** The end of a chain. */
export interface Head {
  /** How many entries there are. */
  readonly rows: string;
  /** Of the last of them; empty where there is none. */
  readonly hash: string;
}

/** A form of its own for what is signed, so that no entry is taken for a head, or for one of another form. */
const form = 'kith audit 1';

/** The key that signs entries from now on. */
export function signingKey(keyring: Keyring): Key {
  return keyring.current('audit');
}

/** The hash of an entry, under the key. */
export function hashOf(key: Key, entry: Entry): string {
  const { seq, id, at, action, subject, actorId, means, agent, tokenId, request, address, previous } = entry;
  return signed(key, [
    ...[form, 'entry', seq, id, at, action, subject, actorId, means],
    ...[agent, tokenId, request, address, previous],
  ]);
}

/** The signature of a head, under the key. */
export function signatureOf(key: Key, { rows, hash }: Head): string {
  return signed(key, [form, 'head', rows, hash]);
}

/** Whether two signatures are the same, in a time that does not tell where they differ. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function signed({ bytes }: Key, parts: readonly (string | null)[]): string {
  return createHmac('sha256', bytes).update(JSON.stringify(parts)).digest('base64url');
}
