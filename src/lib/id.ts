/**
 * Identifiers: UUIDs of version 7, so that new rows are adjacent in an index and ids break ties in order of creation.
 */
import { randomFillSync } from 'node:crypto';

let lastMillis = 0;
let sequence = 0;

const bytesOfTail = 8;
/** Random bytes are fetched and formatted for many ids at once: a call costs more than the bytes. */
const pool = Buffer.allocUnsafe(512 * bytesOfTail);
let tails = '';
let used = 0;
/** The prefix of ids for `lastMillis`. */
let beginning = '';

/** A new UUID, greater than every earlier one of this process. */
export function newId(now: number = Date.now()): string {
  // more than 4,096 in one millisecond borrow from the next
  if (now > lastMillis) begin(now);
  else if (++sequence > 0xfff) begin(lastMillis + 1);
  if (used === tails.length) refill();
  const start = used;
  used += 2 * bytesOfTail;
  // The version digit in front preserves the leading zeros of the sequence.
  const middle = (0x7000 + sequence).toString(16);
  return `${beginning}-${middle}-${tails.slice(start, start + 4)}-${tails.slice(start + 4, used)}`;
}

function begin(millis: number): void {
  lastMillis = millis;
  sequence = 0;
  const time = millis.toString(16).padStart(12, '0');
  beginning = `${time.slice(0, 8)}-${time.slice(8)}`;
}

function refill(): void {
  randomFillSync(pool);
  for (let at = 0; at < pool.length; at += bytesOfTail) pool[at] = (pool[at]! & 0x3f) | 0x80;
  tails = pool.toString('hex');
  used = 0;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether it is the text of a UUID of any version, in any case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value);
}
