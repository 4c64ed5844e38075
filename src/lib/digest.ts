/** A digest of what may be long, in slices: the platform's own takes a text as a whole. */
import { createHash } from 'node:crypto';
import { nextSlice, sliceIsOver } from './slices.ts';

/** The SHA-256 of all pieces together, each of which is short work. `piecesOf` makes them of a text. */
export async function digestOf(pieces: Iterable<string | Buffer>): Promise<Buffer> {
  const digest = createHash('sha256');
  for (const piece of pieces) {
    if (sliceIsOver()) await nextSlice();
    digest.update(piece);
  }
  return digest.digest();
}
