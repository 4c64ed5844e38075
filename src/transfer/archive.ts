/**
 * The file format of a backup: a line with the format and its keys, then a zstd-compressed sequence of pieces in
 * authenticated frames. A piece is a letter, its length in four bytes and its body: `J` is a JSON document, `D` are rows in
 * COPY's text format.
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

/** Increased when older programs could not restore the new format. */
const format = 2;
const beginning = 'kith-backup';
const mostHeading = 1_000;
const headBytes = 5;
/** Longer than any piece that is written. */
const maxPiece = 256 * 1024 * 1024;
/** The start of a zstd stream: the first format consisted of one. */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export interface ArchiveWriter {
  document(value: object): Promise<void>;
  rows(bytes: Buffer): Promise<void>;
}

export type Piece =
  | { readonly kind: 'document'; readonly value: JsonObject }
  | { readonly kind: 'rows'; readonly bytes: Buffer };

/** A backup whose keys are available. */
export interface Archive {
  readonly keys: BackupKeys;
  readonly bytes: number;
  /** Reads the pieces from the start; may be called repeatedly. Throws VALIDATION_ERROR before it yields a piece that was changed. */
  pieces(): AsyncGenerator<Piece, void, undefined>;
}

/** Writes the pieces of `work`. Throws INVALID_OPERATION if the disk is full. */
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
    // When a source ends early because its sink failed, the file's error tells more.
    throw asFileError(path, codeOf(cause) === 'ERR_STREAM_PREMATURE_CLOSE' ? error : cause);
  }
}

/**
 * Opens a backup for `work`; no piece is read once `signal` is aborted. Throws NOT_FOUND if the file does not exist, and
 * VALIDATION_ERROR if it is no backup or its keys are not available.
 */
export async function withArchive<T>(
  path: string,
  root: Keyring,
  passphrase: string | undefined,
  work: (archive: Archive) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // Opening a pipe would block until somebody writes.
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

/** The archive that was just written; `signal` as in `withArchive`. */
export async function writtenArchive(
  path: string,
  file: FileHandle,
  keys: BackupKeys,
  signal?: AbortSignal,
): Promise<Archive> {
  return archiveIn(path, file, keys, (await file.stat()).size, signal);
}

/** The error for a failure of the file. */
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

/** The note in the heading. It must serialize to the same bytes, since the frames authenticate them. */
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
    plain.destroy(); // the reader may stop early
  }
  await reading;
  if (held > 0) throw damaged(path);
}

function parsed(path: string, body: Buffer): JsonObject {
  try {
    const value = parseJson(body.toString());
    if (isObject(value)) return value;
  } catch {
    // Handled below.
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
