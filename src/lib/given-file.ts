/**
 * Reads files named by an operator: plain files, and pipes such as bash's `<(…)`. Devices are refused, since one
 * might never end, and so might a pipe never begin.
 */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { errors, quoted } from '../errors.ts';
import { codeOf } from './thrown.ts';

export interface GivenFile {
  readonly bytes: Readable & { readonly bytesRead: number };
  readonly found: Stats;
}

export interface GivenLimits {
  readonly maxBytes: number;
  /** The error message for a longer file. */
  readonly tooLong: string;
  /** The longest that a pipe may take; defaults to a minute. */
  readonly waitMs?: number;
  /** Aborts the waiting. */
  readonly signal?: AbortSignal;
  /** Checks a plain file before it is read. */
  readonly check?: (found: Stats) => void;
}

/** Long enough to type a PIN into a password manager that writes the pipe. */
const defaultWaitMs = 60_000;
const pauseMs = 20;

/**
 * Opens `path` without blocking; reading a pipe fails once `signal` is aborted. Throws VALIDATION_ERROR for anything
 * but a plain file or a pipe, else the system's error.
 */
export function openGiven(path: string, signal?: AbortSignal): GivenFile {
  const { file, found } = openNow(path);
  // A pipe without a writer would block a thread of the file system pool.
  if (!found.isFIFO()) return { bytes: createReadStream(path, { fd: file, highWaterMark: 1024 * 1024 }), found };
  const bytes = new Socket({ fd: file, readable: true, writable: false });
  if (signal) addAbortSignal(signal, bytes);
  return { bytes, found };
}

/**
 * Reads all of `path`, where `-` is standard input. Throws VALIDATION_ERROR where it is too long or a pipe does not
 * end, else as `openGiven`.
 */
export async function readGiven(path: string, limits: GivenLimits): Promise<Buffer> {
  if (path === '-') return readWithin(process.stdin, limits);
  const { bytes, found } = openGiven(path, limits.signal);
  if (found.isFile()) limits.check?.(found);
  const waitMs = limits.waitMs ?? defaultWaitMs;
  const timer = setTimeout(() => bytes.destroy(unended(path, waitMs)), waitMs);
  try {
    return await readWithin(bytes, limits);
  } finally {
    clearTimeout(timer);
    bytes.destroy();
  }
}

async function readWithin(bytes: Readable, { maxBytes, tooLong }: GivenLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let held = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    held += chunk.length;
    if (held > maxBytes) throw errors.validation(tooLong);
  }
  return Buffer.concat(chunks);
}

/** As `readGiven`, synchronously, for what is needed before anything else. */
export function readGivenSync(path: string, { maxBytes, tooLong, waitMs = defaultWaitMs }: GivenLimits): Buffer {
  const { file, found } = openNow(path);
  const mayBegin = found.isFIFO() && isNamed(path);
  const deadline = performance.now() + waitMs;
  const buffer = Buffer.alloc(maxBytes + 1);
  try {
    for (let held = 0; ;) {
      const read = readReady(file, buffer, held);
      if (read === 0 && (held > 0 || !mayBegin)) return buffer.subarray(0, held);
      held += read ?? 0;
      if (held > maxBytes) throw errors.validation(tooLong);
      if (read) continue;
      if (performance.now() > deadline) throw unended(path, waitMs);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  } finally {
    closeSync(file);
  }
}

/** An unnamed pipe has its writer before anyone can read it. */
function isNamed(path: string): boolean {
  try {
    return realpathSync(path) !== '';
  } catch {
    return false;
  }
}

/** Undefined while a writer has written nothing; 0 also before there is a writer. */
function readReady(file: number, buffer: Buffer, at: number): number | undefined {
  try {
    return readSync(file, buffer, at, buffer.length - at, null);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

function openNow(path: string): { readonly file: number; readonly found: Stats } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = fstatSync(file);
  if (found.isFile() || found.isFIFO()) return { file, found };
  closeSync(file);
  if (found.isDirectory()) throw errors.validation(`${quoted(path)} is a directory`);
  throw errors.validation(`${quoted(path)} is neither a file nor a pipe: name one`);
}

function unended(path: string, waitMs: number): Error {
  return errors.validation(
    `${quoted(path)} was not at its end after ${waitMs / 1000} seconds: whatever writes to the pipe has to finish`,
  );
}
