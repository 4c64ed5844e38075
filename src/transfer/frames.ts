/**
 * Authenticated frames. A frame is a letter (`F`, or `L` for the last one), the length of its body in four bytes, the body,
 * and an HMAC-SHA256 over all that and the previous frame's code; the first continues the file's heading. So no byte can be
 * changed, dropped, added or moved without the key, and none is used before its check.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Transform } from 'node:stream';

const headBytes = 5;
const codeBytes = 32;
const defaultBytes = 64 * 1024;
const mostBytes = 1024 * 1024;
const last = 'L';

/** The bytes were not written with this key. */
export class NotAuthentic extends Error {}

/** Frames what is written to it. */
export function framer(key: Uint8Array, heading: Buffer): Transform {
  let code = codeOver(key, heading);
  let held: Buffer[] = [];
  let bytes = 0;
  const frame = (letter: string): Buffer => {
    const body = Buffer.concat(held);
    held = [];
    bytes = 0;
    const head = headOf(letter, body.length);
    code = codeOver(key, code, head, body);
    return Buffer.concat([head, body, code]);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += defaultBytes) {
        const part = chunk.subarray(at, at + defaultBytes);
        held.push(Buffer.from(part)); // the writer may reuse its buffer
        bytes += part.length;
        if (bytes >= defaultBytes) this.push(frame('F'));
      }
      done();
    },
    flush(done) {
      done(null, frame(last));
    },
  });
}

/** The bodies of the frames from `start` to the end of the file. Throws NotAuthentic before it yields changed bytes. */
export async function* unframed(
  file: FileHandle,
  key: Uint8Array,
  heading: Buffer,
): AsyncGenerator<Buffer, void, undefined> {
  let code = codeOver(key, heading);
  let at = heading.length;
  for (;;) {
    const head = await readAt(file, at, headBytes);
    const length = head.readUInt32BE(1);
    if (length > mostBytes) throw new NotAuthentic();
    const rest = await readAt(file, at + headBytes, length + codeBytes);
    const body = rest.subarray(0, length);
    code = codeOver(key, code, head, body);
    if (!timingSafeEqual(code, rest.subarray(length))) throw new NotAuthentic();
    at += headBytes + rest.length;
    const isLast = head.toString('latin1', 0, 1) === last;
    if (isLast && (await file.read(Buffer.alloc(1), 0, 1, at)).bytesRead > 0) throw new NotAuthentic();
    yield body;
    if (isLast) return;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  for (let read = 0; read < length;) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) throw new NotAuthentic();
    read += bytesRead;
  }
  return buffer;
}

function headOf(letter: string, length: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write(letter, 'latin1');
  head.writeUInt32BE(length, 1);
  return head;
}

function codeOver(key: Uint8Array, ...parts: readonly Buffer[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
