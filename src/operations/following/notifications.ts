/** [spec: Events] Notifications: a page of them, marking them read, and an event stream. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { inHeader } from '../../describe/annotations.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { utc } from '../../fields/members.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { readPosition, writePosition } from '../../records/following/position.ts';
import { oldestAtWork, untilIn, type Position } from '../../records/past/commit-order.ts';
import { EventStream, type StreamEvent } from '../door/event-stream.ts';
import { defineOperation, pageText } from '../door/operation.ts';
import { Cursor, recordPage } from '../inputs.ts';
import { notificationListening } from './notification-listeners.ts';
import { notificationsAfter, notificationsPage } from './notification-reading.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const Notification = Type.Object({
  id: Id,
  kind: Type.String({ enum: ['task_assigned', 'task_completed', 'mention_in_note'] }),
  actor: Nullable(Type.Object({ id: Id, display: Type.String() })),
  entity: Type.Object({
    type: Nullable(Type.String({ description: 'Plural name of the object' })),
    id: Id,
    display: Nullable(Type.String({ description: 'Null where the caller may not see it' })),
  }),
  message: Type.String(),
  created_at: Time,
  read_at: Nullable(Time),
});

export const listNotifications = defineOperation({
  id: 'notifications.list',
  summary: 'Notifications of the caller, latest first',
  input: Type.Object(
    {
      unread: Type.Optional(Type.Boolean({ description: 'true: only what was not read' })),
      cursor: Cursor,
      limit: recordPage.input,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...PageOf(Notification).properties,
    unread: Type.Integer({ description: 'How many were not read, of all' }),
  }),
  effect: 'read',
  cost: 'global',
  async run(call, input) {
    const request = { limit: recordPage.of(call, input.limit), cursor: input.cursor };
    const { page, unread } = await notificationsPage(call, input.unread === true, request);
    return pageText(page, { unread });
  },
});

export const markNotification = defineOperation({
  id: 'notifications.mark',
  summary: 'Mark one of the caller’s notifications as read or unread',
  input: Type.Object({ id: Type.String(), read: Type.Boolean() }, { additionalProperties: false }),
  output: Type.Object({ id: Id, read_at: Nullable(Time) }),
  effect: 'write',
  cost: 'global',
  async run(call, { id, read }) {
    if (!isUuid(id)) throw errors.recordNotFound('notifications', id);
    const { rows } = await call.workspace.transaction((tx) =>
      tx.run(sql`update ${call.workspace.table('_notifications')}
        set read_at = ${read ? sql`coalesce(read_at, ${instant(call.now)})` : sql`null`}
        where id = ${id}::uuid and user_id = ${call.me}::uuid returning id, read_at`),
    );
    const [[found, readAt = null] = []] = rows;
    if (!found) throw errors.recordNotFound('notifications', id);
    return { id: found, read_at: readAt === null ? null : utc(readAt) };
  },
});

export const markAllNotifications = defineOperation({
  id: 'notifications.markAll',
  summary: 'Mark all of the caller’s notifications as read',
  input: Type.Object({ read: Type.Literal(true) }, { additionalProperties: false }),
  output: Type.Object({ marked: Type.Integer({ description: 'How many were unread' }) }),
  effect: 'write',
  cost: 'global',
  async run(call) {
    const table = call.workspace.table('_notifications');
    const unread = sql`user_id = ${call.me}::uuid and read_at is null`;
    const marked = await call.workspace.transaction(async (tx) => {
      // In the order of ids, like every lock of several rows, to avoid deadlocks.
      const { rows } = await tx.run(sql`select id from ${table} where ${unread} order by id for update`);
      const ids = rows.map(([id]) => id ?? '');
      await tx.run(sql`update ${table} set read_at = ${instant(call.now)} where id = any(${ids}::uuid[])`);
      return ids.length;
    });
    return { marked };
  },
});

export const streamNotifications = defineOperation({
  id: 'notifications.stream',
  summary: 'The caller’s new notifications, as server-sent events',
  input: Type.Object(
    {
      last_event_id: Type.Optional(
        Type.String({
          description: 'Id of the last event that was taken: goes on behind it',
          ...inHeader('Last-Event-ID'),
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Notification,
  downloads: ['text/event-stream'],
  effect: 'read',
  cost: 'global',
  async run(call, { last_event_id: last }) {
    const [oldest] = await call.workspace.read(oldestAtWork(call.model.schema));
    // Everything before the oldest running transaction can be read by now.
    const now: Position = { epoch: call.model.epoch, tx: untilIn(oldest), id: firstId };
    const after = last === undefined ? now : readPosition(call.signer, last, 'Last-Event-ID').place;
    return new EventStream((signal) => eventsOf(call, now, after, signal));
  },
});

/** Notifications that are read at a time for a listener. */
const atOnce = 50;

/** The first event is no notification: its id lets a client resume that has received no other. */
async function* eventsOf(call: Call, now: Position, after: Position, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const listener = notificationListening.listen(call, now);
  try {
    let position = after;
    const idOf = (place: Position) => writePosition(call.signer, { place, sight: '', day: '' });
    yield { id: idOf(position), event: 'ready', data: '{}' };
    for (;;) {
      const notifications = await notificationsAfter(call, position, atOnce);
      for (const each of notifications) {
        ({ position } = each);
        yield { id: idOf(position), event: 'notification', data: each.json };
      }
      if (notifications.length < atOnce) await listener.next(signal);
    }
  } finally {
    listener.leave();
  }
}

/** Sorts before all ids. */
const firstId = '00000000-0000-0000-0000-000000000000';
