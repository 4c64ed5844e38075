/** Ids of messages in headers, by which conversations are put together. */
import { createHash } from 'node:crypto';

/** Of one message; who answers for years keeps the beginning and the latest. */
const mostIds = 100;
/** Bytes of what a message is known by. */
const longestId = 700;

/** The ids in a header, in their order: what stands in brackets. Other words, such as "Your message of Monday", are passed over. */
export function messageIdsIn(header: string | undefined): readonly string[] {
  const ids = [...(header ?? '').matchAll(/<[^<>\s]+>/g)].map(([id]) => keyOf(id));
  return ids.length <= mostIds ? ids : [...ids.slice(0, 10), ...ids.slice(10 - mostIds)];
}

function keyOf(id: string): string {
  const clean = id.replaceAll('\0', '').toWellFormed();
  return Buffer.byteLength(clean) <= longestId ? clean : `sha256:${createHash('sha256').update(clean).digest('hex')}`;
}
