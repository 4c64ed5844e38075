/**
 * Decodes the bytes of a file: by its byte order mark, else as UTF-8, else as windows-1252, as in old exports.
 * Refuses a file that begins as UTF-8 and stops being valid.
 */
import { TextDecoder } from 'node:util';
import { errors } from '../../errors.ts';

/** Bytes examined before the encoding is chosen. */
const lookAhead = 1024 * 1024;

/**
 * The text of `bytes` in pieces, without a byte order mark. The first piece has at least 1 MB of the file, or all of
 * it.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const source = bytes[Symbol.asyncIterator]();
  try {
    const { head, ended } = await readHead(source);
    const encoding = encodingOf(head);
    const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
    yield decoder.decode(head, { stream: true });
    let offset = head.length;
    for (let next = ended ? undefined : await source.next(); next && !next.done; next = await source.next()) {
      yield decodePiece(decoder, next.value, offset);
      offset += next.value.length;
    }
    yield decodePiece(decoder, new Uint8Array(), offset);
  } finally {
    await source.return?.();
  }
}

async function readHead(source: AsyncIterator<Uint8Array>): Promise<{ head: Uint8Array; ended: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < lookAhead) {
    const next = await source.next();
    if (next.done) return { head: Buffer.concat(pieces), ended: true };
    pieces.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(pieces), ended: false };
}

function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  try {
    // `stream`: the head may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Decodes a piece, or flushes where `piece` is empty. */
function decodePiece(decoder: TextDecoder, piece: Uint8Array, offset: number): string {
  try {
    return decoder.decode(piece, { stream: piece.length > 0 });
  } catch {
    const validText = Buffer.from(piece).toString('utf8').split('\ufffd', 1).join();
    const place = offset + Buffer.byteLength(validText);
    throw errors.validation(`The file begins as UTF-8 but is not from about byte ${place} on: save it in one encoding`);
  }
}
