/** The file that a request brings: text, bytes as base64, or a list of records. */
import { errors } from '../errors.ts';
import type { Json } from '../lib/json.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { Format } from '../records/import/reading/kind-of-file.ts';

export interface GivenFile {
  readonly data?: unknown;
  readonly format?: Format;
  readonly encoding?: 'text' | 'base64';
  readonly file_name?: string;
}

/** The largest file of an import: what a job keeps of it, it keeps in the organization's own schema. */
const mostBytes = 50_000_000;

/** Its bytes. Throws MISSING_REQUIRED_FIELD, VALIDATION_ERROR. */
export function bytesOf({ data, encoding = 'text' }: GivenFile): AsyncIterable<Uint8Array> {
  const bytes = Array.isArray(data) ? Buffer.from(JSON.stringify(data as Json[])) : textBytes(data, encoding);
  if (bytes.length === 0) throw errors.missingField('data', 'the text of a file, or a list of records');
  if (bytes.length > mostBytes) throw errors.validation('A file of at most 50 MB can be imported: divide it');
  return inPieces(bytes);
}

/** The format that the file is read as, where it is told. */
export function formatOfBody({ data, format }: GivenFile): { readonly format?: Format } {
  return Array.isArray(data) ? { format: 'json' } : { ...(format && { format }) };
}

function textBytes(data: unknown, encoding: 'text' | 'base64'): Buffer {
  if (data === undefined || data === null)
    throw errors.missingField('data', 'the text of a file, or a list of records');
  if (typeof data !== 'string') throw errors.validation('data must be the text of a file, or a list of records');
  return Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8');
}

/** Others are served between the pieces. */
const pieceBytes = 262_144;

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (sliceIsOver()) await nextSlice();
    yield bytes.subarray(at, at + pieceBytes);
  }
}
