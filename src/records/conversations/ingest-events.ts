/** Imports meetings. [contract: Ingest] */
import type { Call } from '../../access/call.ts';
import { openable } from '../../fields/types/url.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { newId } from '../../lib/id.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { addressIn } from './addresses.ts';
import { idsIn, raise } from './ingest-rows.ts';
import type { EventLine } from './ingest-lines.ts';

/** A meeting to be written. */
export interface NewEvent extends EventLine {
  /** The account that it came through; absent for files and recordings. */
  readonly integrationId?: string;
  /** The thread of the messages about it. */
  readonly threadId?: string | null;
  /** Whether only its owner may see it. */
  readonly isPrivate?: boolean;
  /** Whether privacy or attendees may have changed. */
  readonly isChanged?: boolean;
}

/** Inserts the meetings that do not exist yet, and returns their number. */
export async function keepEvents(call: Call, tx: WorkspaceTransaction, lines: readonly NewEvent[]): Promise<number> {
  if (lines.length === 0) return 0;
  const rows = lines.map((line) => ({ id: newId(), line }));
  const time = instant(call.now);
  const list = (of: (line: NewEvent) => string | null) => sql`${rows.map(({ line }) => of(line))}::text[]`;
  const inserted = await tx.run(sql`insert into ${call.workspace.table('_events')}
      (id, created_at, updated_at, owner_id, external_id, title, start_time, end_time, all_day, status, organizer, location, meeting_url, attendees,
        integration_id, thread_id)
    select e.id, ${time}, ${time}, e.owner::uuid, e.external, e.title, e.start::timestamptz, e.ending::timestamptz, e.all_day::boolean, e.status,
      e.organizer, e.location, e.url, e.attendees::jsonb, e.integration::uuid, e.thread::uuid
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${list(({ owner }) => owner)}, ${list(({ externalId }) => externalId)}, ${list(({ title }) => title)},
      ${list(({ start }) => start)}, ${list(({ end }) => end)}, ${list(({ allDay }) => String(allDay))}, ${list(({ status }) => status)},
      ${list(({ organizer }) => organizer)}, ${list(({ location }) => location)}, ${list(({ meetingUrl }) => openable(meetingUrl))},
      ${list(({ attendees }) => JSON.stringify(attendees))}, ${list(({ integrationId }) => integrationId ?? null)},
      ${list(({ threadId }) => threadId ?? null)})
      e (id, owner, external, title, start, ending, all_day, status, organizer, location, url, attendees, integration, thread)
    on conflict (owner_id, external_id) do nothing returning id`);
  const ids = idsIn(inserted);
  await insertAttendees(
    call,
    tx,
    rows.filter(({ id }) => ids.has(id)),
  );
  await raise(call, tx, 'events', ids.size);
  return ids.size;
}

/** Inserts the attendees of the meetings, which decide who else sees them. */
export async function insertAttendees(
  call: Call,
  tx: WorkspaceTransaction,
  rows: readonly { readonly id: string; readonly line: NewEvent }[],
): Promise<void> {
  const takes = rows
    .filter(({ line }) => line.isPrivate !== true)
    .flatMap(({ id, line: { attendees, organizer, start } }) =>
      [
        ...new Set([...attendees.map(({ email }) => email), organizer ?? ''].flatMap((text) => addressIn(text) ?? [])),
      ].map((address) => ({ id, address, start })),
    );
  if (takes.length === 0) return;
  await tx.run(sql`insert into ${call.workspace.table('_event_attendees')} (address, start_time, event_id)
    select a.address, a.start::timestamptz, a.id::uuid from unnest(${takes.map(({ address }) => address)}::text[],
      ${takes.map(({ start }) => start)}::text[], ${takes.map(({ id }) => id)}::text[]) a (address, start, id)`);
}
