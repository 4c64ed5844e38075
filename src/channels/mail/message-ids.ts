/** Parses Message-IDs in headers, by which mails are threaded. */
import { storableKey } from '../storable-text.ts';

/** Ids per header; of a longer list the first ten and the latest are used. */
const mostIds = 100;

/** The ids in a header, in order: all texts in angle brackets. Other words, such as "Your message of Monday", are ignored. */
export function messageIdsIn(header: string | undefined): readonly string[] {
  const ids = [...(header ?? '').matchAll(/<[^<>\s]+>/g)].map(([id]) => storableKey(id));
  return ids.length <= mostIds ? ids : [...ids.slice(0, 10), ...ids.slice(10 - mostIds)];
}
