/**
 * The file of a backup: a line that names its format and its keys, then pieces one after the other, compressed as a whole with
 * zstd, in frames that prove them. A piece is a letter, its length in four bytes and its body: `J` is a JSON document, `D` are
 * rows in COPY's text form.
 */
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Keyring } from '../auth/keys.ts';
import { errors, KithError, quoted } from '../errors.ts';
import { isObject, parseJson, type JsonObject } from '../lib/json.ts';
import { systemFailure } from '../lib/system-failure.ts';
import { codeOf } from '../lib/thrown.ts';
import { findBackupKeys, type BackupKeys, type KeyNote } from './backup-keys.ts';
import { framer, NotAuthentic, unframed } from './frames.ts';

/** Raised when an older program could not restore what a newer one wrote. */
const format = 2;
const beginning = 'kith-backup';
const mostHeading = 1_000;
const headBytes = 5;
/** Longer than any piece that is written. */
const maxPiece = 256 * 1024 * 1024;
/** What a zstd stream begins with: the first format was nothing but that. */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export interface ArchiveWriter {
  document(value: object): Promise<void>;
  rows(bytes: Buffer): Promise<void>;
}

export type Piece =
  | { readonly kind: 'document'; readonly value: JsonObject }
  | { readonly kind: 'rows'; readonly bytes: Buffer };

/** A backup whose keys are at hand. */
export interface Archive {
  readonly keys: BackupKeys;
  readonly bytes: number;
  /** From the beginning, as often as wanted. Throws VALIDATION_ERROR before it gives a piece that is not as it was written. */
  pieces(): AsyncGenerator<Piece, void, undefined>;
}

/** Writes what `work` writes. Throws INVALID_OPERATION when the disk is full. */
export async function writeArchive(
  path: string,
  file: FileHandle,
  keys: BackupKeys,
  work: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const heading = headingOf(keys.note);
  const input = new PassThrough();
  const written = pipeline(input, createZstdCompress(), framer(keys.proof, heading), async (frames) => {
    await file.writeFile(heading);
    for await (const frame of frames as AsyncIterable<Buffer>) await file.writeFile(frame);
  });
  const failed = written.then(
    () => undefined,
    (error: unknown) => error,
  );
  const write = async (letter: string, body: Buffer) => {
    if (!input.write(pieceOf(letter, body))) await Promise.race([once(input, 'drain'), written]);
  };
  try {
    await work({
      document: (value) => write('J', Buffer.from(JSON.stringify(value))),
      rows: (bytes) => write('D', bytes),
    });
    input.end();
    await written;
  } catch (error) {
    input.destroy();
    const cause = await failed;
    // A reader of the database that cannot hand on its rows tells less than the file does.
    throw asFileError(path, codeOf(cause) === 'ERR_STREAM_PREMATURE_CLOSE' ? error : cause);
  }
}

/** Works with a backup, of which no piece is given once `signal` is aborted. Throws NOT_FOUND where there is none, VALIDATION_ERROR where it is none, or its keys are not at hand. */
export async function withArchive<T>(
  path: string,
  root: Keyring,
  passphrase: string | undefined,
  work: (archive: Archive) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // A pipe would keep whoever opens it until somebody writes.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw asFileError(path, error);
  });
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw errors.notFound(`${quoted(path)} cannot be opened (EISDIR)`);
    if (!found.isFile()) throw errors.validation(`${quoted(path)} is no plain file: a backup is read more than once`);
    const heading = await readHeading(path, file);
    const keys = findBackupKeys(root, passphrase, noteOf(path, heading));
    return await work(archiveIn(path, file, keys, found.size, signal));
  } finally {
    await file.close();
  }
}

/** What was just written; `signal` as of `withArchive`. */
export async function writtenArchive(
  path: string,
  file: FileHandle,
  keys: BackupKeys,
  signal?: AbortSignal,
): Promise<Archive> {
  return archiveIn(path, file, keys, (await file.stat()).size, signal);
}

/** What a failure of the file is told as. */
export function asFileError(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof NotAuthentic) return damaged(path);
  if (error instanceof KithError || code === undefined) return error;
  if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(code)) {
    return errors.notFound(`${quoted(path)} cannot be opened (${code})`);
  }
  if (code === 'EEXIST') return errors.conflict(`${quoted(path)} is there already: name another file, or remove it`);
  const told = systemFailure(error, quoted(path));
  if (told !== undefined) return code === 'EACCES' ? errors.permissionDenied(told) : errors.invalidOperation(told);
  return code.startsWith('Z') || code === 'ERR_STREAM_PREMATURE_CLOSE' ? damaged(path) : error;
}

function archiveIn(
  path: string,
  file: FileHandle,
  keys: BackupKeys,
  bytes: number,
  signal: AbortSignal | undefined,
): Archive {
  return {
    keys,
    bytes,
    async *pieces() {
      try {
        for await (const { letter, body } of piecesOf(path, unframed(file, keys.proof, headingOf(keys.note)))) {
          signal?.throwIfAborted();
          if (letter === 'J') yield { kind: 'document', value: parsed(path, body) };
          else yield { kind: 'rows', bytes: body };
        }
      } catch (error) {
        throw asFileError(path, error);
      }
    },
  };
}

function headingOf({ salt, keyId, nonce }: KeyNote): Buffer {
  return Buffer.from(`${beginning} ${format} ${JSON.stringify({ salt, keyId, nonce })}\n`);
}

async function readHeading(path: string, file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(mostHeading), 0, mostHeading, 0)
    .catch((error: unknown) => {
      throw asFileError(path, error);
    });
  if (buffer.subarray(0, zstdMagic.length).equals(zstdMagic)) {
    throw errors.notSupported(
      `${quoted(path)} is a backup of a Kith from before 0.1.0, which nothing proves unchanged: make it anew with this one`,
    );
  }
  const text = buffer.toString('utf8', 0, bytesRead);
  const end = text.indexOf('\n');
  if (end < 0 || !text.startsWith(`${beginning} `)) throw damaged(path);
  return text.slice(0, end);
}

/** Written as it is made again: the frames go on from these very bytes. */
function noteOf(path: string, heading: string): KeyNote {
  const [, version = '', json = ''] = /^\S+ (\d+) (.*)$/.exec(heading) ?? [];
  if (Number(version) > format) throw errors.notSupported('The backup was made by a newer Kith: use that one');
  const { salt, keyId, nonce } = parsed(path, Buffer.from(json));
  if ((typeof salt === 'string' || salt === null) && typeof keyId === 'string' && typeof nonce === 'string') {
    const note = { salt: salt ?? null, keyId, nonce };
    if (headingOf(note).equals(Buffer.from(`${heading}\n`))) return note;
  }
  throw damaged(path);
}

interface RawPiece {
  readonly letter: string;
  readonly body: Buffer;
}

async function* piecesOf(path: string, packed: AsyncIterable<Buffer>): AsyncGenerator<RawPiece, void, undefined> {
  const plain = createZstdDecompress();
  const reading = pipeline(Readable.from(packed), plain);
  reading.catch(() => {});
  let chunks: Buffer[] = [];
  let held = 0;
  let needed = headBytes;
  try {
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
  } finally {
    plain.destroy(); // whoever has seen enough leaves the rest unread
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

function pieceOf(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write(letter, 'latin1');
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

function damaged(path: string): Error {
  return errors.validation(`${quoted(path)} is not a backup of Kith, or it was damaged or changed`);
}
