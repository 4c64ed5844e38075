/** Hashes long texts in slices; the platform's own function takes a text as a whole. */
import { createHash, hash } from 'node:crypto';
import { isLong, piecesOf, whole, type LongText } from './long-text.ts';
import { nextSlice, sliceIsOver } from './slices.ts';

/** The SHA-256 of the concatenated pieces, each of which must be short. */
export async function digestOf(pieces: Iterable<string | Buffer>): Promise<Buffer> {
  const digest = createHash('sha256');
  for (const piece of pieces) {
    if (sliceIsOver()) await nextSlice();
    digest.update(piece);
  }
  return digest.digest();
}

/** The SHA-256 of a text; a short text takes a single call. */
export function digestOfText(text: LongText, form: 'hex' | 'base64url'): string | Promise<string> {
  if (!isLong(text)) return hash('sha256', whole(text), form);
  return digestOf(piecesOf(text)).then((digest) => digest.toString(form));
}
