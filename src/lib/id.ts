/** Identifiers: UUID version 7, so that new rows land beside each other in an index and ids break ties in order of creation. */
import { randomFillSync } from 'node:crypto';

let lastMillis = 0;
let sequence = 0;

/** Random bytes are asked for many ids at once: the way to them costs more than they do. */
const pool = Buffer.allocUnsafe(4_096);
let used = pool.length;

/** A new UUID, greater than every earlier one of this process. */
export function newId(now: number = Date.now()): string {
  if (now > lastMillis) {
    lastMillis = now;
    sequence = 0;
  } else if (++sequence > 0xfff) {
    lastMillis++; // 4,096 in one millisecond: borrow from the next
    sequence = 0;
  }
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  pool[used] = (pool[used]! & 0x3f) | 0x80;
  const time = lastMillis.toString(16).padStart(12, '0');
  const tail = pool.toString('hex', used, (used += 8));
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether it is the text of a UUID, of any version and in any case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value);
}
