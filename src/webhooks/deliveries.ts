/**
 * Deliveries of webhooks and their outcomes. A delivery contains no values: its body is rendered when it is sent.
 * Deliveries of one record go in order; the first that is neither delivered nor given up is its head.
 */
import { dayMs } from '../lib/durations.ts';
import { newId } from '../lib/id.ts';
import type { Database, Queryable, Row } from '../postgres/database.ts';
import { identifier, instant, sql, statement, type Sql } from '../postgres/sql.ts';
import { pauseAfter } from './schedule.ts';
import type { CountedOutcome } from './send.ts';
import { type At } from './stored-webhooks.ts';

/** An event for a webhook. */
export interface PlannedEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string | null;
  readonly recordId: string | null;
  /** The position in history by which it is found again. */
  readonly entry: { readonly epoch: string; readonly tx: string; readonly id: string };
}

export interface Delivery extends PlannedEvent {
  readonly deliveryId: string;
  /** The number of attempts so far. */
  readonly attempts: number;
  /** In milliseconds. */
  readonly nextAttemptAt: number;
}

/** A finished attempt. */
export interface Attempted {
  readonly delivery: Delivery;
  readonly outcome: CountedOutcome;
}

/** The most pending deliveries of a webhook; further events stay in history. */
export const mostPending = 1_000;

/** Inserts deliveries after those planned before; `from` is the number of the first. */
export async function insertDeliveries(
  tx: Queryable,
  { schema, webhookId }: At,
  events: readonly PlannedEvent[],
  from: number,
  now: number,
): Promise<void> {
  const rows = events.map(({ id, type, objectId, recordId, entry }, index) => ({
    id: newId(now),
    seq: from + index,
    event_id: id,
    event_type: type,
    object_id: objectId,
    record_id: recordId,
    epoch: entry.epoch,
    tx: entry.tx,
    history_id: entry.id,
  }));
  await tx.run(
    statement(sql`insert into ${identifier(schema, '_webhook_deliveries')}
      (id, webhook_id, seq, event_id, event_type, object_id, record_id, epoch, tx, history_id, state, created_at,
        next_attempt_at)
      select e.id, ${webhookId}::uuid, e.seq, e.event_id, e.event_type, e.object_id, e.record_id, e.epoch,
        e.tx::xid8, e.history_id, 'pending', ${instant(now)}, ${instant(now)}
      from json_to_recordset(${JSON.stringify(rows)}::json) e (id uuid, seq bigint, event_id text, event_type text,
        object_id uuid, record_id uuid, epoch bigint, tx text, history_id bigint)
      on conflict (webhook_id, event_id) do nothing`),
  );
}

/** Selects up to `most` heads, earliest due first; `deliveryIn` reads each. */
export function selectHeads({ schema, webhookId }: At, most: number): Sql {
  const table = identifier(schema, '_webhook_deliveries');
  return sql`select d.id, d.event_id, d.event_type, d.object_id, d.record_id, d.epoch::text, d.tx::text,
      d.history_id::text, d.attempts, extract(epoch from d.next_attempt_at) * 1000
    from ${table} d where d.webhook_id = ${webhookId}::uuid and d.state = 'pending'
      and not exists (select from ${table} e where e.webhook_id = d.webhook_id and e.state = 'pending' and e.seq < d.seq
        and e.record_id = d.record_id)
    order by d.next_attempt_at, d.seq limit ${most}::integer`;
}

/** Counts the pending deliveries. */
export function selectPending({ schema, webhookId }: At): Sql {
  return sql`select count(*) from ${identifier(schema, '_webhook_deliveries')}
    where webhook_id = ${webhookId}::uuid and state = 'pending'`;
}

/** Reads a row of `selectHeads`. */
export function deliveryIn(row: Row): Delivery {
  const [deliveryId, eventId, type, objectId, recordId, epoch, tx, id, attempts, next] = row;
  return {
    deliveryId: deliveryId ?? '',
    id: eventId ?? '',
    type: type ?? '',
    objectId: objectId ?? null,
    recordId: recordId ?? null,
    entry: { epoch: epoch ?? '', tx: tx ?? '', id: id ?? '' },
    attempts: Number(attempts),
    nextAttemptAt: Number(next),
  };
}

/** Stores the outcome of attempts. */
export async function noteAttempts(
  tx: Queryable,
  { schema }: At,
  attempted: readonly Attempted[],
  now: number,
): Promise<void> {
  const rows = attempted.map((one) => attemptRow(one, now));
  const column = (at: number) => rows.map((row) => row[at] ?? null);
  // Times are passed as numbers, since Citus cannot cast a column from text to a time.
  await tx.run(
    statement(sql`update ${identifier(schema, '_webhook_deliveries')} d set state = e.state, attempts = e.attempts,
        status = e.status, error = e.error, last_attempt_at = ${instant(now)}, next_attempt_at = to_timestamp(e.next),
        finished_at = to_timestamp(e.finished)
      from unnest(${column(0)}::uuid[], ${column(1)}::text[], ${column(2)}::integer[], ${column(3)}::integer[],
        ${column(4)}::text[], ${column(5)}::double precision[], ${column(6)}::double precision[])
        e (id, state, attempts, status, error, next, finished)
      where d.id = e.id and d.state = 'pending'`),
  );
}

function attemptRow({ delivery, outcome }: Attempted, now: number): readonly (string | null)[] {
  const attempts = delivery.attempts + 1;
  // If the receiver unsubscribed, its delivery stays due for when the webhook is enabled again.
  const pause = outcome.isOver ? 0 : pauseAfter(attempts, outcome.askedMs);
  const state = outcome.isTaken ? 'delivered' : pause === undefined ? 'failed' : 'pending';
  const seconds = (millis: number) => String(Math.round(millis) / 1_000);
  return [
    delivery.deliveryId,
    state,
    String(attempts),
    outcome.status === null ? null : String(outcome.status),
    outcome.error,
    seconds(now + (pause ?? 0)),
    state === 'pending' ? null : seconds(now),
  ];
}

/** Marks deliveries as withheld: their creator may no longer see the event. */
export async function withhold(
  tx: Queryable,
  { schema }: At,
  deliveries: readonly Delivery[],
  now: number,
): Promise<void> {
  const ids = deliveries.map(({ deliveryId }) => deliveryId);
  await tx.run(
    statement(sql`update ${identifier(schema, '_webhook_deliveries')} set state = 'withheld', error = null,
      finished_at = ${instant(now)} where id = any(${ids}::uuid[]) and state = 'pending'`),
  );
}

/** How long finished deliveries can be viewed and replayed. */
const keptDays = { delivered: 7, failed: 30 } as const;
/** Deliveries per deleting statement. */
const forgottenAtOnce = 1_000;

/** Deletes old finished deliveries and those of deleted webhooks; returns the number of the former. */
export async function forgetDeliveries(
  database: Database,
  { id, schema }: { readonly id: string; readonly schema: string },
  now: number,
): Promise<number> {
  const table = identifier(schema, '_webhook_deliveries');
  const webhooks = identifier(schema, '_webhooks');
  const orphans = sql`delete from ${table} d where not exists (select from ${webhooks} w where w.id = d.webhook_id)`;
  await database.run(id, statement(orphans));
  const old = sql`select id from ${table} where finished_at <= ${instant(now - keptDays.delivered * dayMs)}
    and (state = 'delivered' or finished_at <= ${instant(now - keptDays.failed * dayMs)}) limit ${forgottenAtOnce}::integer`;
  let removed = 0;
  for (let count = forgottenAtOnce; count === forgottenAtOnce; removed += count) {
    ({ count } = await database.run(id, statement(sql`delete from ${table} where id in (${old})`)));
  }
  return removed;
}
