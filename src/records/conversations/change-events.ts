/** Updates, cancels and removes meetings. [contract: Accounts] */
import type { Call } from '../../access/call.ts';
import { openable } from '../../fields/types/url.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { identifier, instant, join, sql } from '../../postgres/sql.ts';
import { insertAttendees, keepEvents, type NewEvent } from './ingest-events.ts';
import { idsIn, raise, raiseVersion } from './ingest-rows.ts';

/** A stored meeting. Times are in milliseconds. */
export interface KnownEvent {
  readonly id: string;
  readonly externalId: string;
  readonly start: number;
  readonly end: number;
  readonly status: string;
}

/** The owner's meetings whose external id is one of the keys, or a key followed by a space and more. */
export async function eventsWithKeys(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  owner: string,
  keys: readonly string[],
): Promise<readonly KnownEvent[]> {
  // The character after the space, as the end of the range.
  const ends = keys.map((key) => `${key}!`);
  const { rows } = await tx.run(sql`select e.id, e.external_id, extract(epoch from e.start_time) * 1000,
      extract(epoch from coalesce(e.end_time, e.start_time)) * 1000, e.status
    from ${workspace.table('_events')} e, unnest(${keys}::text[], ${ends}::text[]) k (first, beyond)
    where e.owner_id = ${owner}::uuid and e.external_id >= k.first and e.external_id < k.beyond`);
  const wanted = new Set(keys);
  return rows
    .map(([id, externalId, start, end, status]) => ({
      id: id ?? '',
      externalId: externalId ?? '',
      start: Math.round(Number(start)),
      end: Math.round(Number(end)),
      status: status ?? '',
    }))
    .filter(({ externalId }) => wanted.has(keyOf(externalId)));
}

/** The key of a meeting: its external id up to a space. */
export function keyOf(externalId: string): string {
  return externalId.split(' ', 1)[0] ?? '';
}

/** Writes meetings: existing ones are updated, the others are created. */
export async function changeEvents(
  call: Call,
  tx: WorkspaceTransaction,
  lines: readonly NewEvent[],
  known: readonly KnownEvent[],
): Promise<void> {
  const idOf = new Map(known.map(({ id, externalId }) => [externalId, id]));
  await keepEvents(
    call,
    tx,
    lines.filter(({ externalId }) => !idOf.has(externalId)),
  );
  const rows = lines.flatMap((line) => {
    const id = idOf.get(line.externalId);
    return id === undefined ? [] : [{ id, line }];
  });
  if (rows.length === 0) return;
  const list = (of: (line: NewEvent) => string | null) => sql`${rows.map(({ line }) => of(line))}`;
  const columns = ['title', 'start_time', 'end_time', 'all_day', 'status', 'organizer', 'location', 'meeting_url'];
  const of = (row: string) =>
    sql`(${join(
      [...columns, 'attendees', 'thread_id'].map((name) => identifier(row, name)),
      ', ',
    )})`;
  const changed =
    await tx.run(sql`update ${call.workspace.table('_events')} e set title = n.title, start_time = n.start_time,
      end_time = n.end_time, all_day = n.all_day, status = n.status, organizer = n.organizer, location = n.location,
      meeting_url = n.meeting_url, attendees = n.attendees, thread_id = n.thread_id, updated_at = ${instant(call.now)}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${list(({ title }) => title)}::text[], ${list(({ start }) => start)}::timestamptz[],
      ${list(({ end }) => end)}::timestamptz[], ${list(({ allDay }) => String(allDay))}::boolean[], ${list(({ status }) => status)}::text[],
      ${list(({ organizer }) => organizer)}::text[], ${list(({ location }) => location)}::text[],
      ${list(({ meetingUrl }) => openable(meetingUrl))}::text[], ${list(({ attendees }) => JSON.stringify(attendees))}::jsonb[],
      ${list(({ threadId }) => threadId ?? null)}::uuid[])
      n (id, title, start_time, end_time, all_day, status, organizer, location, meeting_url, attendees, thread_id)
    where e.id = n.id and ${of('e')} is distinct from ${of('n')} returning e.id`);
  const ids = idsIn(changed);
  const withNewAttendees = rows.filter(({ id, line }) => ids.has(id) || line.isChanged === true);
  await tx.run(
    sql`delete from ${call.workspace.table('_event_attendees')} where event_id = any(${withNewAttendees.map(({ id }) => id)}::uuid[])`,
  );
  await insertAttendees(call, tx, withNewAttendees);
  await raiseVersion(call, tx, 'events', ids.size);
}

/** Marks the meetings as cancelled. */
export async function cancelEvents(call: Call, tx: WorkspaceTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const changed = await tx.run(sql`update ${call.workspace.table('_events')} set status = 'cancelled', thread_id = null,
      updated_at = ${instant(call.now)} where id = any(${ids}::uuid[]) and status <> 'cancelled'`);
  await raiseVersion(call, tx, 'events', changed.count);
}

/** Removes meetings for good. */
export async function removeEvents(call: Call, tx: WorkspaceTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { workspace } = call;
  await tx.run(sql`delete from ${workspace.table('_event_attendees')} where event_id = any(${ids}::uuid[])`);
  const removed = await tx.run(sql`delete from ${workspace.table('_events')} where id = any(${ids}::uuid[])`);
  await raise(call, tx, 'events', -removed.count);
}
