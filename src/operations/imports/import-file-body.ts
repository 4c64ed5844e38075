/** Reads the file of a request: text, base64, bytes, or a list of records. */
import { errors } from '../../errors.ts';
import type { Json } from '../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { Format } from '../../records/import/reading/kind-of-file.ts';

export interface GivenFile {
  readonly data?: unknown;
  readonly format?: Format;
  readonly encoding?: 'text' | 'base64';
  readonly file_name?: string;
}

/** The most bytes of an imported file, since a job stores it in the organization's schema. */
const mostBytes = 50_000_000;

/** The bytes of the file in pieces, so that other requests are served in between. Throws MISSING_REQUIRED_FIELD, VALIDATION_ERROR. */
export function bytesOf({ data, encoding = 'text' }: GivenFile): AsyncIterable<Uint8Array> {
  if (data === undefined || data === null || data === '')
    throw errors.missingField('data', 'the text of a file, or a list of records');
  if (Array.isArray(data)) return inSlices(listPieces(data));
  if (data instanceof Uint8Array) return inSlices(bytesPieces(data));
  if (typeof data !== 'string') throw errors.validation('data must be the text of a file, or a list of records');
  const length = encoding === 'base64' ? Math.floor(data.length * 0.75) : Buffer.byteLength(data);
  if (length > mostBytes) throw errors.validation('A file of at most 50 MB can be imported: divide it');
  return inSlices(encoding === 'base64' ? base64Pieces(data) : textPieces(data));
}

/** The format, if the request determines it. */
export function formatOfBody({ data, format }: GivenFile): { readonly format?: Format } {
  return Array.isArray(data) ? { format: 'json' } : { ...(format && { format }) };
}

/** Characters or bytes per piece. */
const pieceLength = 262_144;

function* bytesPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

/** The list as JSON, in pieces. */
function* listPieces(list: readonly Json[]): Generator<string> {
  let piece = '[';
  for (const [at, item] of list.entries()) {
    piece += `${at === 0 ? '' : ','}${JSON.stringify(item)}`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}

function* textPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    // Surrogate pairs are not split.
    const cut = at + pieceLength;
    const end = /[\uD800-\uDBFF]/.test(text[cut - 1] ?? '') ? cut + 1 : cut;
    yield text.slice(at, end);
    at = end;
  }
}

/** Decodes base64 in pieces. Other characters, such as line ends, are skipped. */
function* base64Pieces(text: string): Generator<Buffer> {
  let rest = '';
  for (let at = 0; at < text.length; at += pieceLength) {
    const signs = rest + text.slice(at, at + pieceLength).replaceAll(/[^\w+/-]+/g, '');
    const whole = signs.length - (signs.length % 4);
    yield Buffer.from(signs.slice(0, whole), 'base64');
    rest = signs.slice(whole);
  }
  yield Buffer.from(rest, 'base64');
}

async function* inSlices(pieces: Iterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (sliceIsOver()) await nextSlice();
    yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  }
}
