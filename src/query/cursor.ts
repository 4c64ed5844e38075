/**
 * A cursor: the position where a page ended, as signed text. It belongs to one organization, object, sort, filter and
 * search; it carries no page size, never expires, and contains nothing that the caller may not see.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { errors } from '../errors.ts';
import { isUuid } from '../lib/id.ts';
import type { Cell } from '../postgres/database.ts';

/** Signs cursors for one organization; those of another one do not verify. */
export interface CursorSigner {
  sign(bytes: Uint8Array): Uint8Array;
}

/** The last row of a page: its sort keys as PostgreSQL prints them, and its id. */
export interface Position {
  readonly keys: readonly Cell[];
  readonly id: string;
}

const version = 1;
const fingerprintLength = 16;
const macLength = 16;
const bodyStart = 1 + fingerprintLength + macLength;

/** The signers of organizations under an HMAC-SHA256 key. */
export function cursorSigners(key: Uint8Array): (organizationId: string) => CursorSigner {
  // HMAC as in RFC 2104: the platform's own key set-up per signature costs more than a page.
  const block = Buffer.alloc(64);
  block.set(key.length > block.length ? hash('sha256', key, 'buffer') : key);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = block.map((byte) => byte ^ 0x5c);
  return (organizationId) => ({
    sign(bytes) {
      // No id contains a NUL, so it separates the id from what follows.
      const digest = hash('sha256', Buffer.concat([inner, Buffer.from(`${organizationId}\0`), bytes]), 'buffer');
      return hash('sha256', Buffer.concat([outer, digest]), 'buffer').subarray(0, macLength);
    },
  });
}

/** 16 bytes that identify a query; cursors of another query do not match. */
export function fingerprint(query: unknown): Uint8Array {
  return hash('sha256', JSON.stringify(query), 'buffer').subarray(0, fingerprintLength);
}

const masking = Buffer.from('feed mask\0');

/** XORs `body` with a keystream derived from its `mac`, so that nobody else can read it; applying it twice restores `body`. */
export function masked(signer: CursorSigner, mac: Uint8Array, body: Uint8Array): Buffer {
  const out = Buffer.from(body);
  for (let at = 0; at < out.length; at += macLength) {
    const mask = signer.sign(Buffer.concat([masking, mac, Buffer.from(String(at))]));
    for (let index = 0; index < macLength && at + index < out.length; index++) out[at + index]! ^= mask[index]!;
  }
  return out;
}

/** Writes the cursor, as base64url, for the position in the query with that fingerprint: signed, and masked where `isSealed`. */
export function writeCursor(signer: CursorSigner, query: Uint8Array, position: Position, isSealed: boolean): string {
  const body = Buffer.from(JSON.stringify([position.id, ...position.keys]));
  const mac = signer.sign(Buffer.concat([Buffer.of(version), query, body]));
  const sent = isSealed ? masked(signer, mac, body) : body;
  return Buffer.concat([Buffer.of(version), query, mac, sent]).toString('base64url');
}

/**
 * Reads the position from a cursor of this query with `keyCount` sort keys; throws VALIDATION_ERROR for any other
 * text.
 */
export function readCursor(
  signer: CursorSigner,
  query: Uint8Array,
  keyCount: number,
  text: string,
  isSealed: boolean,
): Position {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text || bytes.length <= bodyStart || bytes[0] !== version) throw unreadable();
  const mac = bytes.subarray(1 + fingerprintLength, bodyStart);
  const sent = bytes.subarray(bodyStart);
  const body = isSealed ? masked(signer, mac, sent) : sent;
  const stated = bytes.subarray(1, 1 + fingerprintLength);
  const signed = signer.sign(Buffer.concat([Buffer.of(version), stated, body]));
  if (signed.length !== mac.length || !timingSafeEqual(signed, mac)) throw unreadable();
  if (!stated.equals(query)) {
    throw errors.validation('cursor belongs to another query: object, sort, filters and search must stay the same');
  }
  const [id, ...keys]: unknown[] = JSON.parse(body.toString());
  if (!isUuid(id) || keys.length !== keyCount || !keys.every(isCell)) throw unreadable();
  return { id, keys };
}

function isCell(value: unknown): value is Cell {
  return value === null || typeof value === 'string';
}

function unreadable() {
  return errors.validation('cursor is not one that this service has given: leave it out to start from the first page');
}
