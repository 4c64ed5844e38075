/**
 * The chain of an organization's audit: each entry is signed with the previous signature, and the head with the number of
 * entries. The key is derived from the organization's data key, which the root secret encrypts: write access to the
 * database is not enough to sign.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Key, Keyring } from '../auth/keys.ts';

/** An entry as signed; all values as stored. */
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
  /** The hash of the previous entry; empty for the first. */
  readonly previous: string;
}

/** The end of a chain. */
export interface Head {
  /** The number of entries. */
  readonly rows: string;
  /** The hash of the last entry; empty if there is none. */
  readonly hash: string;
}

/** Separates signatures of this format from others, and those of entries from heads. */
const form = 'kith audit 1';

/** The key that signs new entries. */
export function signingKey(keyring: Keyring): Key {
  return keyring.current('audit');
}

/** The hash of an entry. */
export function hashOf(key: Key, entry: Entry): string {
  const { seq, id, at, action, subject, actorId, means, agent, tokenId, request, address, previous } = entry;
  return signed(key, [
    ...[form, 'entry', seq, id, at, action, subject, actorId, means],
    ...[agent, tokenId, request, address, previous],
  ]);
}

/** The signature of a head. */
export function signatureOf(key: Key, { rows, hash }: Head): string {
  return signed(key, [form, 'head', rows, hash]);
}

/** Compares two signatures in constant time. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function signed({ bytes }: Key, parts: readonly (string | null)[]): string {
  return createHmac('sha256', bytes).update(JSON.stringify(parts)).digest('base64url');
}
