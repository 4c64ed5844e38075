/** Plans and prepares the events of a webhook, in its creator's name: they are what the change feed shows the creator. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { dayOf } from '../../fields/local-time.ts';
import { whole } from '../../lib/long-text.ts';
import { objectWithId } from '../../model/model.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { followedChanges, followedEvents, type FollowedEvent } from '../../records/following/changes.ts';
import { sightOf } from '../../records/following/deciding.ts';
import { eventId, readPosition, writePosition } from '../../records/following/position.ts';
import type { Delivery, PlannedEvent } from '../../webhooks/deliveries.ts';
import type { FeedPosition, StoredWebhook } from '../../webhooks/stored-webhooks.ts';
import { defineOperation } from '../door/operation.ts';
import { webhookObjects } from '../webhooks/webhook-scope.ts';
import { secretsIn, selectSecrets } from '../webhooks/webhook-secrets.ts';

export interface EventPlan {
  readonly events: readonly PlannedEvent[];
  /** The position after them; the webhook's own if nothing happened. */
  readonly place: FeedPosition;
  /** Whether there may be more events already. */
  readonly isFull: boolean;
  /** Whether events are hidden behind a longer transaction, or came meanwhile. */
  readonly hasHidden: boolean;
}

/** One schema for all, as each new one would be compiled. */
const nothing = Type.Object({});

/** The operation that reads at most `limit` further events from history. */
export function planning(webhook: StoredWebhook, limit: number) {
  return defineOperation({
    id: 'webhooks.plan',
    summary: 'Plan the events of a webhook',
    input: nothing,
    output: nothing,
    effect: 'read',
    cost: 'long',
    run: (call): Promise<EventPlan> => planOf(call, webhook, limit),
  });
}

async function planOf(call: Call, webhook: StoredWebhook, limit: number): Promise<EventPlan> {
  const { signer, model } = call;
  const objects = webhookObjects(call, webhook.objectIds);
  const sight = sightOf(
    call,
    objects.map(({ object }) => object),
  );
  const isAnew = sight !== webhook.place.sight;
  const { epoch, tx, id, day } = webhook.place;
  const isIdle = !isAnew && day === dayOf(call.now, model.timeZone) && !(await hasMore(call, webhook.place));
  if (isIdle) return { events: [], place: webhook.place, isFull: false, hasHidden: false };
  // A change of what the creator sees counts as well, but no event is skipped.
  const from = { place: { epoch, tx, id }, sight, day };
  const found = await followedChanges(call, writePosition(signer, from), { limit, objects });
  const next = readPosition(signer, found.position);
  const reset = {
    id: eventId(signer, from.place, sight),
    type: 'reset',
    objectId: null,
    recordId: null,
    entry: from.place,
  };
  const planned = found.events.map((event) => plannedOf(call, event));
  const wanted = [...(isAnew ? [reset] : []), ...planned].filter(({ type }) => isWanted(webhook, type));
  const place = { ...next.place, sight: next.sight, day: next.day };
  const hasHidden = !found.hasMore && (await hasMore(call, place));
  return { events: wanted, place, isFull: found.hasMore, hasHidden };
}

function isWanted({ eventTypes }: StoredWebhook, type: string): boolean {
  return eventTypes.length === 0 || eventTypes.includes(type);
}

function plannedOf({ model }: Call, { id, type, objectName, recordId, position }: FollowedEvent): PlannedEvent {
  const objectId = objectName === null ? null : (model.objects.get(objectName)?.id ?? null);
  return { id, type, objectId, recordId, entry: position.place };
}

/** Whether history has any entry after the position, readable or not. */
async function hasMore({ workspace, model }: Call, { epoch, tx, id }: FeedPosition): Promise<boolean> {
  const query = sql`select from ${workspace.table('_history')} h
    where (h.epoch, h.tx, h.id) > (${epoch}::bigint, ${tx}::xid8, ${id}::bigint) limit 1`;
  const [found] = await workspace.read(statement(query, model.version));
  return (found?.count ?? 0) > 0;
}

export interface Prepared {
  /** The bodies to send by delivery id; undefined if the creator may no longer see the event. Those that did not fit are missing. */
  readonly bodies: ReadonlyMap<string, string | undefined>;
  /** The signing secrets; empty if they can no longer be decrypted. */
  readonly secrets: readonly string[];
}

/** The operation that renders the bodies of deliveries, as of now. */
export function preparing(webhook: StoredWebhook, deliveries: readonly Delivery[]) {
  return defineOperation({
    id: 'webhooks.prepare',
    summary: "Render the bodies of a webhook's deliveries",
    input: nothing,
    output: nothing,
    effect: 'read',
    cost: 'long',
    async run(call): Promise<Prepared> {
      const bodies = await bodiesOf(call, webhook, deliveries);
      const [found] = await call.workspace.read(statement(selectSecrets(call, webhook.id), call.model.version));
      return { bodies, secrets: secretsIn(call, webhook.id, found?.rows[0]) };
    },
  });
}

async function bodiesOf(call: Call, webhook: StoredWebhook, deliveries: readonly Delivery[]) {
  const bodies = new Map<string, string | undefined>();
  const ofRecords = deliveries.filter(({ recordId }) => recordId !== null);
  const objects = ofRecords.length > 0 ? webhookObjects(call, webhook.objectIds) : [];
  const entries = ofRecords.map(({ entry }) => entry);
  const events = entries.length > 0 ? await followedEvents(call, entries, objects) : new Map<string, undefined>();
  for (const delivery of deliveries) {
    const { deliveryId, recordId, entry } = delivery;
    if (recordId === null) bodies.set(deliveryId, resetOf(call, delivery));
    else if (events.has(entry.id)) bodies.set(deliveryId, bodyOf(webhook, delivery, events.get(entry.id)));
  }
  return bodies;
}

function resetOf({ model }: Call, { id, type, objectId }: Delivery): string {
  const object = objectId === null ? undefined : objectWithId(model, objectId);
  return JSON.stringify({ id, type, object_name: object?.name ?? null });
}

function bodyOf(webhook: StoredWebhook, { id }: Delivery, event: FollowedEvent | undefined): string | undefined {
  if (!event || !isWanted(webhook, event.type)) return undefined;
  // Another root secret makes other event ids; the receiver knows the first.
  return whole(event.json).replace(event.id, id);
}
