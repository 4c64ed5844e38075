/** The answer to a change of one record. */
import { together } from '../../lib/long-text.ts';
import type { Written } from '../../records/reading/read-written.ts';
import { stateEtag } from '../../records/writing/etag.ts';
import type { ListAdditions } from '../../records/writing/list-entries.ts';
import { JsonText } from '../door/operation.ts';

/** The answer; a record that the caller can no longer see after the change is left out. */
export function changed(id: string, action: string, record: Written, lists: ListAdditions): JsonText {
  const shown = record === null ? [] : [',"record":', record.json];
  const extra = Object.entries(lists).map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return new JsonText(
    together(`{"id":"${id}","action":"${action}"`, ...shown, `${extra.join('')}}`),
    record ? stateEtag(record.tag) : undefined,
  );
}
