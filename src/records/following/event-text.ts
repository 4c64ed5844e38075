/**
 * An event of the feed as JSON text, with author and time as far as the caller could read them in the record's
 * history.
 */
import type { Call } from '../../access/call.ts';
import { utc } from '../../fields/members.ts';
import { together, type LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import { showsCreationTime, showsActors } from '../past/past.ts';
import type { FeedEntry } from './entries.ts';
import type { RecordNow } from './records-now.ts';

/**
 * `record.removed`: it left the caller's view, or was purged. `reset`: the caller's copy of an object, or of all, may
 * be wrong.
 */
export const eventTypes = [
  'record.created',
  'record.updated',
  'record.deleted',
  'record.restored',
  'record.removed',
  'reset',
] as const;

export type EventType = (typeof eventTypes)[number];

interface EventParts {
  readonly id: string;
  readonly type: EventType;
  readonly entry: FeedEntry;
  /** The names of the changed fields that the caller sees. */
  readonly fields: readonly string[] | undefined;
  readonly now: RecordNow | undefined;
}

/** The event of a record. One that left the caller's view contains nothing else. */
export function eventText(call: Call, object: ObjectDef, { id, type, entry, fields, now }: EventParts): LongText {
  const head = { id, type, object_name: object.name, record_id: entry.recordId };
  if (type === 'record.removed') return JSON.stringify(head);
  const namesActors = showsActors(call, object);
  const isTimed = type !== 'record.created' || showsCreationTime(call, object);
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
