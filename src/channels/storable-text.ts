/** Texts from outside, as they can be stored. */
import { createHash } from 'node:crypto';

/** No NUL, no halves of characters, and no longer than `most`. */
export function storable(text: string, most: number): string {
  return text.slice(0, most).replaceAll('\0', '').toWellFormed();
}

/** The same in one line. */
export function storableLine(text: string, most: number): string {
  return storable(text, most)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Bytes of what something is known by: an index holds no row of any size. */
const longestKey = 700;

/** An id from outside as it is stored: one that is too long is known by its digest. */
export function storableKey(id: string): string {
  const clean = id.replaceAll('\0', '').toWellFormed();
  return Buffer.byteLength(clean) <= longestKey ? clean : `sha256:${createHash('sha256').update(clean).digest('hex')}`;
}
