/** Stored webhooks as the sender uses them: their scope, their position, and the state of their receiver. */
import type { Queryable, Row } from '../postgres/database.ts';
import { identifier, instant, join, sql, statement, type Sql } from '../postgres/sql.ts';
import { patienceDays, patienceMs, restAfter } from './schedule.ts';
import type { CountedOutcome } from './send.ts';

/** A position in the change feed of the webhook's creator. */
export interface FeedPosition {
  readonly epoch: string;
  readonly tx: string;
  readonly id: string;
  /** What the creator could see at that position, and its day. */
  readonly sight: string;
  readonly day: string;
}

export interface StoredWebhook {
  readonly id: string;
  readonly url: string;
  /** The wanted types; empty for all. */
  readonly eventTypes: readonly string[];
  readonly objectIds: readonly string[];
  readonly creatorId: string;
  readonly tokenId: string | null;
  readonly state: WebhookState;
  /** The position after the last planned event. */
  readonly place: FeedPosition;
  /** The number of the last planned event. */
  readonly planned: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** In milliseconds; the receiver is paused until then. */
  readonly restUntil: number;
  readonly updatedAt: number;
  /** When a delivery was last accepted; 0 for never. */
  readonly lastSuccessAt: number;
}

export type WebhookState = 'active' | 'paused' | 'disabled';

/** Identifies a webhook in its organization's database. */
export interface At {
  readonly schema: string;
  readonly webhookId: string;
}

/** Selects the webhook; `webhookIn` reads it. */
export function selectWebhook({ schema, webhookId }: At): Sql {
  const millis = (column: string) => sql`extract(epoch from ${identifier(column)}) * 1000`;
  return sql`select id, url, array_to_json(event_types)::text, array_to_json(object_ids)::text, creator_id, token_id, state,
      epoch::text, tx::text, history_id::text, sight, sight_day, planned, failures,
      ${millis('rest_until')}, ${millis('updated_at')}, ${millis('last_success_at')}
    from ${identifier(schema, '_webhooks')} where id = ${webhookId}::uuid`;
}

/** The webhook; undefined if it no longer exists. */
export function webhookIn(row: Row | undefined): StoredWebhook | undefined {
  if (!row) return undefined;
  const [
    id,
    url,
    types,
    objects,
    creator,
    token,
    state,
    epoch,
    tx,
    historyId,
    sight,
    day,
    planned,
    failures,
    ...times
  ] = row;
  const [restUntil, updatedAt, lastSuccessAt] = times.map(Number);
  return {
    id: id ?? '',
    url: url ?? '',
    eventTypes: JSON.parse(types ?? '[]') as string[],
    objectIds: JSON.parse(objects ?? '[]') as string[],
    creatorId: creator ?? '',
    tokenId: token ?? null,
    state: state as WebhookState,
    place: { epoch: epoch ?? '', tx: tx ?? '', id: historyId ?? '', sight: sight ?? '', day: day ?? '' },
    planned: Number(planned),
    failures: Number(failures),
    restUntil: restUntil ?? 0,
    updatedAt: updatedAt ?? 0,
    lastSuccessAt: lastSuccessAt ?? 0,
  };
}

/** Advances the position to `place`; returns false if another worker did so, its objects have changed, or it is gone. */
export async function advance(tx: Queryable, at: At, was: StoredWebhook, place: FeedPosition, count: number) {
  const { rows } = await tx.run(
    statement(sql`update ${identifier(at.schema, '_webhooks')} set epoch = ${place.epoch}::bigint, tx = ${place.tx}::xid8,
      history_id = ${place.id}::bigint, sight = ${place.sight}, sight_day = ${place.day},
      planned = planned + ${count}::integer
      where id = ${at.webhookId}::uuid and planned = ${was.planned}::bigint and epoch = ${was.place.epoch}::bigint
        and tx = ${was.place.tx}::xid8 and history_id = ${was.place.id}::bigint and sight = ${was.place.sight} returning id`),
  );
  return rows.length > 0;
}

/** Stores the effect of attempts on the receiver's state, in order; a receiver that is gone or accepts nothing for days is disabled. */
export async function noteReceiver(
  tx: Queryable,
  at: At,
  was: StoredWebhook,
  outcomes: readonly CountedOutcome[],
  now: number,
): Promise<void> {
  const lastTaken = outcomes.findLastIndex(({ isTaken }) => isTaken);
  const isTaken = lastTaken >= 0;
  const since = outcomes.slice(lastTaken + 1);
  const counted = since.filter(({ isCounted }) => isCounted).length;
  const askedMs = Math.max(0, ...since.map((outcome) => outcome.askedMs));
  const rest = restAfter(isTaken ? counted : was.failures + counted, askedMs);
  const failed = outcomes.findLast((outcome) => !outcome.isTaken);
  const isFailing = since.length > 0;
  const failingSince = isFailing ? instant(now) : sql`null`;
  const changes = [
    isTaken ? sql`failures = ${counted}::integer` : sql`failures = failures + ${counted}::integer`,
    sql`failing_since = ${isTaken ? failingSince : sql`coalesce(failing_since, ${failingSince})`}`,
    sql`rest_until = ${isFailing ? instant(now + rest) : sql`null`}`,
    ...(isTaken ? [sql`last_success_at = ${instant(now)}`] : []),
    ...(failed ? [sql`last_error = ${failed.error}`, sql`last_error_at = ${instant(now)}`] : []),
  ];
  const table = identifier(at.schema, '_webhooks');
  await tx.run(statement(sql`update ${table} set ${join(changes, ', ')} where id = ${at.webhookId}::uuid`));
  const gone = outcomes.find(({ isOver }) => isOver);
  if (gone) await stop(tx, at, gone.error ?? '', now);
  else if (isFailing && !isTaken) {
    const where = sql`failing_since <= ${instant(now - patienceMs)}`;
    await stop(tx, at, `Nothing was taken for ${patienceDays} days`, now, where);
  }
}

/** Disables the webhook, for a reason that its creator can fix; it can be enabled to continue from its position. */
export async function stop(tx: Queryable, at: At, reason: string, now: number, where: Sql = sql`true`): Promise<void> {
  await tx.run(
    statement(sql`update ${identifier(at.schema, '_webhooks')} set state = 'disabled', reason = ${reason},
      updated_at = ${instant(now)} where id = ${at.webhookId}::uuid and state = 'active' and ${where}`),
  );
}
