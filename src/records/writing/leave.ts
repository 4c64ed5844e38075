/**
 * Writes the history row and the object's new version beside every written record: no other file writes history. Lists
 * rely on both (`query/outlasting-writes.ts`): an entry for each changed row, and none without a new version. One
 * transaction, one statement, no triggers. History holds the values before, keyed by field id; links are lists of
 * added and removed ones, and the former positions of moved ones.
 */
import type { Call, CallOrigin } from '../../access/call.ts';
import { newId } from '../../lib/id.ts';
import type { Model, ObjectDef } from '../../model/model.ts';
import { raiseState } from '../../model/state.ts';
import type { Cell } from '../../postgres/database.ts';
import { empty, identifier, instant, join, literal, slot, sql, type Sql, type Value } from '../../postgres/sql.ts';
import { columnsByField } from './columns.ts';
import { imageOf } from '../past/image.ts';

/** `purge`: removed for good. `unlink`: a link went with the record that it led to. */
export type Action = 'create' | 'update' | 'delete' | 'restore' | 'purge' | 'unlink';

export interface LinkChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Former junction cells of removed and altered links: by target, then by junction field id. */
  readonly was?: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
  /** Former positions of removed and moved links, by target. */
  readonly stood?: Readonly<Record<string, number>>;
  /** Moved links; absent where these are all of `stood` that are not removed. */
  readonly moved?: readonly string[];
}

/** The link changes of a write, by field id. */
export type LinkChanges = Readonly<Record<string, LinkChange>>;

/** Who writes, by what means, and which operation the write belongs to. */
export interface Author {
  readonly model: Model;
  /** Null for writes of the service itself. */
  readonly actorId: string | null;
  readonly tokenId: string | null;
  readonly agent: string | null;
  readonly means: CallOrigin;
  readonly changeSet: string;
  /** The id of the operation or the kind of the job. */
  readonly operation: string;
  /** `X-Request-Id` of the answer; null without a request. */
  readonly request: string | null;
  /** When it happened, in milliseconds, where a past is entered; null for now. */
  readonly happened: number | null;
}

/** The author of what the call writes; listeners are notified of it. */
export function authorOf(call: Call): Author {
  call.onHistoryWritten?.();
  const { model, caller, agent, source, changeSet, operation, request, now, isPast } = call;
  return {
    model,
    actorId: caller.workspaceUserId,
    tokenId: caller.tokenId,
    agent: agent ?? null,
    means: source,
    changeSet,
    operation,
    request: request ?? null,
    happened: isPast ? now : null,
  };
}

/** The history entry of rows of one object, or of another thing with an id. */
export interface Entry {
  readonly objectId: string;
  readonly action: Action;
}

/** A written row with its before-image as JSON text. */
export interface LeftRow {
  readonly id: string;
  /** The before-image; null for a create. */
  readonly before: string | null;
  /** `LinkChanges` as JSON text; null where links did not change. */
  readonly links: string | null;
}

/** The parameters of an entry's slots. */
export interface SentAuthor {
  readonly author: Author;
}

/**
 * Inserts an entry for each row of `from`, which is called `rows_left` and has `id`, `before` and `links`; with `isLone`
 * there is at most one.
 */
export function leaveEntries(author: Author, { objectId, action }: Entry, from: Sql, isLone = false): Sql {
  const { model, happened } = author;
  const of = (take: (author: Author) => Value) => slot((sent: SentAuthor) => take(sent.author), { author });
  const at = happened === null ? sql`clock_timestamp()` : instant(happened);
  return sql`insert into ${identifier(model.schema, '_history')}
    (object_id, record_id, action, before, links, actor_id, token_id, agent, means, change_set, operation, request, epoch, tx, at)
    select ${objectId}::uuid, rows_left.id, ${action}::text, rows_left.before, rows_left.links,
      ${of(({ actorId }) => actorId)}::uuid, ${of(({ tokenId }) => tokenId)}::uuid, ${of(({ agent }) => agent)}::text,
      ${of(({ means }) => means)}::text, ${of(({ changeSet }) => changeSet)}::uuid, ${of(({ operation }) => operation)}::text,
      ${of(({ request }) => request)}::text, ${model.epoch}::bigint, pg_current_xact_id(), ${at}
    from ${from} ${isLone ? empty : sql`order by rows_left.id`}`;
}

/** Known rows, as the source of `leaveEntries`. */
export function leftRows(rows: readonly LeftRow[]): Sql {
  const list = (of: (row: LeftRow) => string | null) => sql`${rows.map(of)}::text[]`;
  return sql`(select l.id::uuid as id, l.before::jsonb as before, l.links::jsonb as links
    from unnest(${list(({ id }) => id)}, ${list(({ before }) => before)}, ${list(({ links }) => links)}) l (id, before, links)) rows_left`;
}

export type NotificationKind = 'task_assigned' | 'task_completed' | 'mention_in_note';

/** Notifies a user of a record that the author has written. */
export interface Notification {
  readonly userId: string;
  readonly kind: NotificationKind;
  readonly objectId: string;
  readonly recordId: string;
}

/** Inserts notifications in the transaction of the writes they report; `now` is in milliseconds. [spec: Events] */
export function leaveNotifications(
  { model, actorId }: Author,
  now: number,
  notifications: readonly Notification[],
): Sql {
  const list = (of: (notification: Notification) => string) => sql`${notifications.map(of)}::text[]`;
  return sql`insert into ${identifier(model.schema, '_notifications')}
    (id, user_id, kind, actor_id, object_id, record_id, created_at, epoch, tx)
    select n.id::uuid, n.user_id::uuid, n.kind, ${actorId}::uuid, n.object_id::uuid, n.record_id::uuid,
      ${instant(now)}, ${model.epoch}::bigint, pg_current_xact_id()
    from unnest(${list(() => newId())}, ${list(({ userId }) => userId)}, ${list(({ kind }) => kind)},
      ${list(({ objectId }) => objectId)}, ${list(({ recordId }) => recordId)}) n (id, user_id, kind, object_id, record_id)`;
}

/**
 * Updates the object's record count and version for the rows of the clause `written`, at most one with `isLone`; each
 * adds `each` to the count.
 */
export function leaveState({ model }: Author, { objectId }: Entry, each: 1 | 0 | -1, isLone: boolean): Sql {
  const rows = isLone ? sql`${each}::bigint` : sql`${each}::bigint * count(*)`;
  const from = isLone ? sql`from written` : sql`from written having count(*) > 0`;
  return raiseState(model.schema, sql`${objectId}::uuid`, rows, { from });
}

/** Updates record count and version where the number of written rows is known: each adds `each`. */
export function leaveStateOf({ model }: Author, { objectId }: Entry, each: 1 | 0 | -1, count: number): Sql {
  return raiseState(model.schema, sql`${objectId}::uuid`, sql`${each * count}::bigint`);
}

/**
 * The before-image of those `changed` columns that differ between the rows `was` and `will`, as `{ field id: value
 * }`; a field with several columns is an array.
 */
export function beforeImage(object: ObjectDef, changed: ReadonlySet<string>): Sql {
  const entries = [...columnsByField(object)].filter(([, columns]) =>
    columns.some((column) => changed.has(column.name)),
  );
  if (entries.length === 0) return sql`'{}'::jsonb`;
  const images = entries.map(([field, columns]) => {
    const was = columns.map((column) => sql`was.${identifier(column.name)}`);
    const is = columns.map((column) => sql`will.${identifier(column.name)}`);
    const hasChanged = sql`(${join(was, ', ')}) is distinct from (${join(is, ', ')})`;
    return { id: literal(field.id), was: imageOf(columns, sql`was`), hasChanged };
  });
  const [only] = images;
  if (only && images.length === 1)
    return sql`case when ${only.hasChanged} then jsonb_build_object(${only.id}, ${only.was}) else '{}' end`;
  const rows = images.map(({ id, was, hasChanged }) => sql`(${id}, ${was}, ${hasChanged})`);
  return sql`(select coalesce(jsonb_object_agg(b.field, b.was), '{}') from (values ${join(rows, ', ')}) b (field, was, changed) where b.changed)`;
}
