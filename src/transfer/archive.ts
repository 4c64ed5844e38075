/**
 * The file of a backup: pieces one after the other, compressed as a whole with zstd. A piece is a letter, its length in four
 * bytes and its body: `J` is a JSON document, `D` are rows in COPY's text form. The last document holds the hash of all
 * before it, so that a file that is cut short or changed is not taken for one.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { once } from 'node:events';
import { errors, KithError, quoted } from '../errors.ts';
import { parseJson, type JsonObject, isObject } from '../lib/json.ts';
import { codeOf } from '../lib/thrown.ts';

const headBytes = 5;
/** Longer than any piece that is written. */
const maxPiece = 256 * 1024 * 1024;

export interface ArchiveWriter {
  document(value: object): Promise<void>;
  rows(bytes: Buffer): Promise<void>;
}

export type Piece =
  | { readonly kind: 'document'; readonly value: JsonObject }
  | { readonly kind: 'rows'; readonly bytes: Buffer };

/** Writes a file with what `work` writes; a file that fails is removed. Throws NOT_FOUND where it cannot be, INVALID_OPERATION when the disk is full. */
export async function writeArchive(path: string, work: (archive: ArchiveWriter) => Promise<void>): Promise<void> {
  const input = new PassThrough();
  const written = pipeline(input, createZstdCompress(), createWriteStream(path, { mode: 0o600, flush: true }));
  const failed = written.then(
    () => undefined,
    (error: unknown) => error,
  );
  const hash = createHash('sha256');
  const write = async (letter: string, body: Buffer) => {
    const piece = Buffer.concat([headOf(letter, body), body]);
    hash.update(piece);
    if (!input.write(piece)) await Promise.race([once(input, 'drain'), written]);
  };
  const document = (value: object) => write('J', Buffer.from(JSON.stringify(value)));
  try {
    await work({ document, rows: (bytes) => write('D', bytes) });
    await document({ sha256: hash.copy().digest('hex') });
    input.end();
    await written;
  } catch (error) {
    input.destroy();
    const cause = await failed;
    await rm(path, { force: true }).catch(() => {});
    // A reader of the database that cannot hand on its rows tells less than the file does.
    throw asFileError(path, codeOf(cause) === 'ERR_STREAM_PREMATURE_CLOSE' ? error : cause);
  }
}

/** The pieces of a file, without the hash at its end, which is checked. Throws VALIDATION_ERROR when it is no backup, or damaged. */
export async function* readArchive(path: string): AsyncGenerator<Piece, void, undefined> {
  const hash = createHash('sha256');
  let sealed: string | undefined;
  try {
    for await (const piece of piecesOf(path)) {
      if (sealed !== undefined) throw damaged(path);
      const document = piece.letter === 'J' ? parsed(path, piece.body) : undefined;
      if (typeof document?.['sha256'] === 'string' && Object.keys(document).length === 1) {
        sealed = document['sha256'];
        if (sealed !== hash.digest('hex')) throw damaged(path);
        continue;
      }
      hash.update(headOf(piece.letter, piece.body)).update(piece.body);
      yield document ? { kind: 'document', value: document } : { kind: 'rows', bytes: piece.body };
    }
  } catch (error) {
    throw asFileError(path, error);
  }
  if (sealed === undefined) throw damaged(path);
}

export async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

interface RawPiece {
  readonly letter: string;
  readonly body: Buffer;
}

async function* piecesOf(path: string): AsyncGenerator<RawPiece, void, undefined> {
  const file = createReadStream(path);
  const plain = createZstdDecompress();
  const reading = pipeline(file, plain);
  reading.catch(() => {});
  let chunks: Buffer[] = [];
  let held = 0;
  let needed = headBytes;
  for await (const chunk of plain as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    held += chunk.length;
    if (held < needed) continue;
    let rest = Buffer.concat(chunks);
    for (;;) {
      needed = rest.length < headBytes ? headBytes : headBytes + rest.readUInt32BE(1);
      if (needed > maxPiece) throw damaged(path);
      if (rest.length < needed || needed === headBytes) break;
      yield { letter: rest.toString('latin1', 0, 1), body: rest.subarray(headBytes, needed) };
      rest = rest.subarray(needed);
    }
    chunks = [rest];
    held = rest.length;
  }
  await reading;
  if (held > 0) throw damaged(path);
}

function parsed(path: string, body: Buffer): JsonObject {
  try {
    const value = parseJson(body.toString());
    if (isObject(value)) return value;
  } catch {
    // told below
  }
  throw damaged(path);
}

function headOf(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write(letter, 'latin1');
  head.writeUInt32BE(body.length, 1);
  return head;
}

function damaged(path: string): Error {
  return errors.validation(`${quoted(path)} is not a backup of Kith, or it is damaged`);
}

function asFileError(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof KithError || code === undefined) return error;
  if (['ENOENT', 'EACCES', 'EISDIR', 'EROFS'].includes(code)) {
    return errors.notFound(`${quoted(path)} cannot be opened (${code})`);
  }
  if (code === 'ENOSPC') return errors.invalidOperation(`There is no room for ${quoted(path)}: the disk is full`);
  return code.startsWith('Z') || code === 'ERR_STREAM_PREMATURE_CLOSE' ? damaged(path) : error;
}
