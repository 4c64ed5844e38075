/** An event of the feed as JSON text, with as much of who and when as the caller would read in the record's history. */
import type { Call } from '../../access/call.ts';
import { utc } from '../../fields/members.ts';
import { together, type LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import { tellsWhenMade, tellsWho } from '../past/past.ts';
import type { FeedEntry } from './entries.ts';
import type { RecordNow } from './records-now.ts';

/** `record.removed`: it left the caller's view, or is gone for good. `reset`: what the caller has of an object, or of all, may be wrong. */
export const eventTypes = [
  'record.created',
  'record.updated',
  'record.deleted',
  'record.restored',
  'record.removed',
  'reset',
] as const;

export type EventType = (typeof eventTypes)[number];

interface Told {
  readonly id: string;
  readonly type: EventType;
  readonly entry: FeedEntry;
  /** The names of the changed fields that the caller sees. */
  readonly fields: readonly string[] | undefined;
  readonly now: RecordNow | undefined;
}

/** The event of a record. One that left the caller's view says nothing but that. */
export function eventText(call: Call, object: ObjectDef, { id, type, entry, fields, now }: Told): LongText {
  const head = { id, type, object_name: object.name, record_id: entry.recordId };
  if (type === 'record.removed') return JSON.stringify(head);
  const namesActors = tellsWho(call, object);
  const isTimed = type !== 'record.created' || tellsWhenMade(call, object);
  const { actor } = entry;
  const text = JSON.stringify({
    ...head,
    at: isTimed ? utc(entry.at) : null,
    actor: actor && namesActors ? { id: actor.id, display: actor.name } : null,
    means: entry.means,
    agent: namesActors ? entry.agent : null,
    change_set: isTimed && namesActors ? entry.changeSet : null,
    ...(fields && { fields }),
    ...(type === 'record.deleted' && now?.mergedInto && { merged_into: now.mergedInto }),
  });
  const { record } = now ?? {};
  return record ? together(`${text.slice(0, -1)},"record":`, record, '}') : text;
}
