/** Files that an operator names: plain ones, and pipes such as bash's `<(…)`. A device might never end, and a pipe never begin. */
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
  /** One sentence for what is longer. */
  readonly tooLong: string;
  /** The longest that a pipe may take to its end; a minute unless told. */
  readonly waitMs?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** Sees a plain file before it is read. */
  readonly check?: (found: Stats) => void;
}

/** Somebody may have to type a PIN before a password manager writes. */
const usualWaitMs = 60_000;
const pauseMs = 20;

/** Opens what `path` names, and waits for nobody; reading a pipe fails once `signal` is aborted. Throws VALIDATION_ERROR where that is neither a plain file nor a pipe, else as the system does. */
export function openGiven(path: string, signal?: AbortSignal): GivenFile {
  const { file, found } = openNow(path);
  // A pipe without a writer yet would keep a thread of those that read files.
  if (!found.isFIFO()) return { bytes: createReadStream(path, { fd: file, highWaterMark: 1024 * 1024 }), found };
  const bytes = new Socket({ fd: file, readable: true, writable: false });
  if (signal) addAbortSignal(signal, bytes);
  return { bytes, found };
}

/** All of what `path` names, where `-` is standard input. Throws VALIDATION_ERROR where it is too long or a pipe does not end, else as `openGiven`. */
export async function readGiven(path: string, limits: GivenLimits): Promise<Buffer> {
  if (path === '-') return readWithin(process.stdin, limits);
  const { bytes, found } = openGiven(path, limits.signal);
  if (found.isFile()) limits.check?.(found);
  const waitMs = limits.waitMs ?? usualWaitMs;
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

/** The same at one go, for what is needed before anything else can be done. */
export function readGivenSync(path: string, { maxBytes, tooLong, waitMs = usualWaitMs }: GivenLimits): Buffer {
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

/** A pipe without a name has had its writer before anybody could read it. */
function isNamed(path: string): boolean {
  try {
    return realpathSync(path) !== '';
  } catch {
    return false;
  }
}

/** Undefined where a writer has not written yet; 0 also where there is no writer yet. */
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
