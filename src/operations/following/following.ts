/** [issue: Following] The change feed in the order of commits: a page of it, and as an event stream. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { inHeader } from '../../describe/annotations.ts';
import { mayDo } from '../../describe/endpoint.ts';
import { errors } from '../../errors.ts';
import { joined, together, whole } from '../../lib/long-text.ts';
import { followedChanges, type Following } from '../../records/following/changes.ts';
import { eventTypes } from '../../records/following/event-text.ts';
import { readPosition, writePosition } from '../../records/following/position.ts';
import type { FollowedObject } from '../../records/following/records-now.ts';
import { oldestAtWork, untilIn } from '../../records/past/commit-order.ts';
import { objectNamed } from '../../records/reading/named.ts';
import { changeListening } from './change-listeners.ts';
import { EventStream, type StreamEvent } from '../door/event-stream.ts';
import { defineOperation, JsonText } from '../door/operation.ts';
import { namesIn, pageSize } from '../inputs.ts';
import { Id, Nullable, Time } from '../outputs.ts';
import { shownInLists } from '../records/shown-in-lists.ts';

const eventPage = pageSize(100, 1_000);

const Text = Type.Optional(Nullable(Type.String()));

const Event = Type.Object({
  id: { ...Id, description: 'The same for the same change, in every read and for everybody' },
  type: Type.String({ enum: [...eventTypes] }),
  object_name: Nullable(Type.String({ description: 'Null in a reset of all' })),
  record_id: Type.Optional(Id),
  at: Type.Optional(Nullable(Time)),
  actor: Type.Optional(Nullable(Type.Object({ id: Id, display: Nullable(Type.String()) }))),
  means: Type.Optional(Type.String({ description: 'api, import, cli, job, undo, …' })),
  agent: Text,
  change_set: Type.Optional(Nullable(Id)),
  fields: Type.Optional(
    Type.Array(Type.String(), { description: 'Of an update: the changed fields that the caller sees' }),
  ),
  merged_into: Type.Optional(Id),
  record: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'The record as it is now, in the form that lists have' }),
  ),
});

const After = Type.Optional(
  Type.String({ description: 'position of an earlier answer, or now; all from the oldest change on when absent' }),
);
const Objects = Type.Optional(
  Type.String({ description: 'Plural names of the only objects to follow, separated by commas' }),
);

export const followEvents = defineOperation({
  id: 'events.list',
  summary: 'The change feed, in the order of commits',
  input: Type.Object({ after: After, limit: eventPage.input, object: Objects }, { additionalProperties: false }),
  output: Type.Object({
    events: Type.Array(Event),
    position: Type.String({ description: 'From where to go on: the next `after`' }),
    has_more: Type.Boolean({ description: 'Whether there may be more already' }),
  }),
  effect: 'read',
  cost: 'global',
  async run(call, { after, limit, object }) {
    const following = { limit: eventPage.of(call, limit), objects: followedObjects(call, namesIn(object)) };
    const { events, position, hasMore } = await followedChanges(call, after, following);
    const rest = JSON.stringify({ position, has_more: hasMore });
    const list = joined(
      events.map(({ json }) => json),
      ',',
    );
    return new JsonText(together('{"events":[', list, `],${rest.slice(1)}`));
  },
});

export const streamEvents = defineOperation({
  id: 'events.stream',
  summary: 'The change feed as server-sent events',
  input: Type.Object(
    {
      after: Type.Optional(Type.String({ description: 'position of an earlier answer; now when absent' })),
      object: Objects,
      last_event_id: Type.Optional(
        Type.String({
          description: 'Id of the last event that was taken, in place of `after`: goes on behind it',
          ...inHeader('Last-Event-ID'),
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Event,
  downloads: ['text/event-stream'],
  effect: 'read',
  cost: 'global',
  async run(call, { after, object, last_event_id: last }) {
    const following = { limit: atOnce, objects: followedObjects(call, namesIn(object)) };
    // An empty `Last-Event-ID` means that there was no event yet.
    const begin = (last || undefined) ?? after ?? 'now';
    const from = begin === 'now' ? (await followedChanges(call, begin, following)).position : begin;
    // An invalid position is refused while the status can still be set.
    readPosition(call.signer, from, last ? 'Last-Event-ID' : 'after');
    return new EventStream((signal) => eventsOf(call, from, following, signal));
  },
});

/** Events that are read at a time for a listener. */
const atOnce = 50;

/** The first event is no change: its id lets a client resume that has received no other. */
async function* eventsOf(
  call: Call,
  begin: string,
  following: Following,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const [oldest] = await call.workspace.read(oldestAtWork(call.model.schema));
  const listener = changeListening.listen(call, { epoch: call.model.epoch, tx: untilIn(oldest), id: '0' });
  try {
    let after = begin;
    yield { id: after, event: 'ready', data: '{}' };
    for (;;) {
      const { events, position, hasMore } = await followedChanges(call, after, following);
      for (const { position: behind, type, json } of events)
        yield { id: writePosition(call.signer, behind), event: type, data: whole(json) };
      after = position;
      if (!hasMore) await listener.next(signal);
    }
  } finally {
    listener.leave();
  }
}

/**
 * The named objects, or all whose records the caller may see. Throws INVALID_OBJECT, and PERMISSION_DENIED if the caller
 * may see no record of a named one.
 */
export function followedObjects(call: Call, names: readonly string[] | undefined): readonly FollowedObject[] {
  const { model, visibility } = call;
  const maySee = (name: string) => mayDo(visibility, 'view', name);
  const named = names?.map((name) => objectNamed(model, visibility, name));
  const refused = named?.find(({ name }) => !maySee(name));
  if (refused) throw errors.permissionDenied(`Your role may not view ${refused.name}`);
  const all = named ?? [...model.objects.values()].filter(({ kind, name }) => kind !== 'internal' && maySee(name));
  return [...new Set(all)].map((object) => shownInLists(call, object));
}
