/** Makes texts from outside storable. */
import { createHash } from 'node:crypto';

/** The text without NUL and lone surrogates, cut to `most` characters. */
export function storable(text: string, most: number): string {
  return text.slice(0, most).replaceAll('\0', '').toWellFormed();
}

/** The text made `storable`, on a single line. */
export function storableLine(text: string, most: number): string {
  return storable(text, most)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Bytes of an external id; PostgreSQL limits the size of index rows. */
const longestKey = 700;

/** An external id as it is stored: replaced by its digest if it is too long. */
export function storableKey(id: string): string {
  const clean = id.replaceAll('\0', '').toWellFormed();
  return Buffer.byteLength(clean) <= longestKey ? clean : `sha256:${createHash('sha256').update(clean).digest('hex')}`;
}
