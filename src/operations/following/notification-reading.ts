/** Reads the caller's notifications: a page of them, and those after a position in the order of commits. [spec: Events] */
import type { Call } from '../../access/call.ts';
import type { Member, Reading } from '../../fields/field-type.ts';
import { datetimeMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import { jsonString } from '../../lib/json.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import { join, sql, statement, type Sql } from '../../postgres/sql.ts';
import { descendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { readScope } from '../../query/read-scope.ts';
import { selectionOf } from '../../query/selection.ts';
import { oldestAtWork, positionsBehind, untilIn, type Position } from '../../records/past/commit-order.ts';
import { userReading } from '../../records/reading/user-reading.ts';
import type { NotificationKind } from '../../records/writing/leave.ts';

const latestFirst = descendingBy(sql`n.created_at`, 'timestamptz');

/** The caller's notifications, latest first, and the number of unread ones. Throws VALIDATION_ERROR for a cursor of another list. */
export async function notificationsPage(
  call: Call,
  isUnread: boolean,
  request: PageRequest,
): Promise<{ readonly page: Page; readonly unread: number }> {
  const { workspace, model } = call;
  const table = workspace.table('_notifications');
  const own = sql`n.user_id = ${call.me}::uuid`;
  const plan = planPage(
    call,
    {
      rows: { row: sql`n`, table, from: sql`${table} n` },
      visible: own,
      filters: isUnread ? [sql`n.read_at is null`] : [],
      order: latestFirst,
      identity: ['notifications', call.me, isUnread],
      selection: shownOf(call),
      beside: actorBeside(call),
    },
    request,
  );
  const count = statement(sql`select count(*) from ${table} n where ${own} and n.read_at is null`, model.version);
  const [found, counted] = await workspace.read(plan.statement, count);
  return { page: await plan.read(found?.rows ?? []), unread: Number(counted?.rows[0]?.[0] ?? 0) };
}

/** A notification as JSON text, and its position in the order of commits. */
export interface NotificationEvent {
  readonly position: Position;
  readonly json: string;
}

/** The caller's notifications after `after`, at most `limit`, in order, up to the first that a running transaction may still precede. */
export async function notificationsAfter(
  call: Call,
  after: Position,
  limit: number,
): Promise<readonly NotificationEvent[]> {
  const { workspace, model } = call;
  const [oldest] = await workspace.read(oldestAtWork(model.schema));
  const selection = shownOf(call);
  const query = sql`select n.epoch::text, n.tx::text, n.id::text, ${join(selection.columns, ', ')}
    from ${workspace.table('_notifications')} n${actorBeside(call)}
    where n.user_id = ${call.me}::uuid and ${positionsBehind(sql`n`, after, untilIn(oldest), model.schema)}
    order by n.epoch, n.tx, n.id limit ${limit}::int`;
  const [found] = await workspace.read(statement(query, model.version));
  return (found?.rows ?? []).map((row) => ({
    position: { epoch: row[0] ?? '', tx: row[1] ?? '', id: row[2] ?? '' },
    json: selection.json(row, 3),
  }));
}

/** Joins the actor, unless the role may not see the field that names it. */
function actorBeside({ workspace, visibility }: Call): Sql {
  const hidden = actorFields.flatMap(([kind, object, field]) => (visibility.shows(object, field) ? [] : [kind]));
  return sql` left join ${workspace.table('_users')} u on u.id = n.actor_id and n.kind <> all(${hidden}::text[])`;
}

/** The object and field that name the actor, by kind of notification. */
const actorFields: readonly (readonly [kind: NotificationKind, object: string, field: string])[] = [
  ['task_assigned', 'tasks', 'assigned_by_id'],
  ['task_completed', 'tasks', 'completed_by'],
  ['mention_in_note', 'notes', 'created_by'],
];

function shownOf(call: Call) {
  return selectionOf([
    reading(sql`n.id`, quotedMember('id')),
    reading(sql`n.kind`, { ...textMember('kind'), mostBytes: 100 }),
    userReading('actor'),
    entityReading(call),
    reading(sql`n.created_at`, datetimeMember('created_at')),
    reading(sql`n.read_at`, datetimeMember('read_at')),
  ]);
}

/** The record of a notification, and its message. Neither contains the record's label if the recipient may not see the record. */
function entityReading(call: Call): Reading {
  const entity: Member = {
    key: 'entity',
    mostBytes: Infinity,
    json(row, at) {
      const type = objectWithId(call.model, row[at] ?? '')?.name;
      const display = row[at + 2] ?? null;
      return `{"type":${type === undefined ? 'null' : jsonString(type)},"id":"${row[at + 1]}","display":${display === null ? 'null' : jsonString(display)}}`;
    },
    cell: (row, at) => row[at + 2] ?? '',
  };
  const sentence = (row: readonly (string | null)[], at: number) =>
    messageOf(row[at + 3] as NotificationKind, row[at + 4] ?? null, row[at + 2] ?? null);
  const message: Member = {
    key: 'message',
    json: (row, at) => jsonString(sentence(row, at)),
    cell: (row, at) => sentence(row, at),
  };
  return {
    columns: [sql`n.object_id`, sql`n.record_id`, displayOf(call), sql`n.kind`, sql`u.name`],
    members: [entity, message],
  };
}

/** The record's label, under the recipient's policies. */
function displayOf(call: Call): Sql {
  const objects = [...call.model.objects.values()].filter(({ kind }) => kind === 'managed');
  const cases = objects.map(
    (object: ObjectDef) =>
      sql`when ${object.id}::uuid then ${readScope(call, object, 'n').display(object.name, sql`n.record_id`)}`,
  );
  return cases.length === 0 ? sql`null::text` : sql`case n.object_id ${join(cases, ' ')} end`;
}

/** Characters of a label in a message. */
const mostRepeated = 200;

function messageOf(kind: NotificationKind, actor: string | null, display: string | null): string {
  const who = actor ?? 'Somebody';
  const named = (otherwise: string) => (display === null ? otherwise : `“${cut(display)}”`);
  if (kind === 'task_assigned') return `${who} assigned ${named('a task')} to you`;
  if (kind === 'task_completed') return `${who} completed ${named('a task')}`;
  return `${who} mentioned you in ${named('a note')}`;
}

function cut(text: string): string {
  return text.length > mostRepeated ? `${text.slice(0, mostRepeated).toWellFormed()}…` : text;
}
