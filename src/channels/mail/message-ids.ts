/** Ids of messages in headers, by which conversations are put together. */
import { storableKey } from '../storable-text.ts';

/** Of one message; who answers for years keeps the beginning and the latest. */
const mostIds = 100;

/** The ids in a header, in their order: what stands in brackets. Other words, such as "Your message of Monday", are passed over. */
export function messageIdsIn(header: string | undefined): readonly string[] {
  const ids = [...(header ?? '').matchAll(/<[^<>\s]+>/g)].map(([id]) => storableKey(id));
  return ids.length <= mostIds ? ids : [...ids.slice(0, 10), ...ids.slice(10 - mostIds)];
}
