/**
 * Meetings that a calendar has given, kept together with how far it is read: whatever breaks off, nothing is lost and nothing is
 * there twice. [contract: Accounts]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql, statement } from '../../postgres/sql.ts';
import type { CalendarPart } from '../calendar/calendar-part.ts';
import { asInCalendar } from '../calendar/entry.ts';
import { keepEntries, type Change } from '../calendar/keep-entries.ts';
import { lockAccounts, noteFailures, type Failed, type Mailbox } from '../mailbox.ts';

/** What a calendar has at an address: mostly one meeting. */
export interface TakenMeeting {
  readonly href: string;
  readonly etag: string;
  readonly parts: readonly CalendarPart[];
}

/** How far a calendar is read. */
export interface CalendarState {
  readonly syncToken: string | null;
  readonly ctag: string | null;
}

export interface Taken {
  /** Of the calendar. */
  readonly url: string;
  readonly meetings: readonly TakenMeeting[];
  /** Addresses of what it has no more. */
  readonly gone: readonly string[];
  readonly failed: readonly Failed[];
  /** Undefined while there is more to read, null for a calendar that is gone. */
  readonly state: CalendarState | null | undefined;
}

/** Keeps a portion in one transaction. Throws AccountGone. */
export function takeCalendar(call: Call, mailbox: Mailbox, taken: Taken): Promise<void> {
  return call.workspace.transaction(async (tx) => {
    await lockAccounts(call, tx, mailbox);
    const changes = taken.meetings.flatMap((meeting) => changesIn(taken.url, meeting));
    const over = await leftBehind(call, tx, mailbox, taken, changes);
    const gone = over.map((uid) => ({
      uid,
      apply: (known: Parameters<Change['apply']>[0]) => ({ ...known, isGone: true }),
    }));
    await keepEntries(call, tx, mailbox, [...changes, ...gone]);
    await noteOutcome(call, tx, mailbox, taken);
    await noteState(call, tx, mailbox, taken);
  });
}

function changesIn(calendar: string, { href, etag, parts }: TakenMeeting): readonly Change[] {
  const byUid = Map.groupBy(parts, ({ uid }) => uid);
  const place = { calendar, href, etag };
  return [...byUid].map(([uid, own]) => ({ uid, apply: (known) => asInCalendar(known, own), place }));
}

/** The meetings at the addresses that are gone, or have another meeting now; they have no address from now on. */
async function leftBehind(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { owner }: Mailbox,
  { url, meetings, gone }: Taken,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const hrefs = [...meetings.map(({ href }) => href), ...gone];
  if (hrefs.length === 0) return [];
  const { rows } =
    await tx.run(sql`update ${workspace.table('_calendar_entries')} e set calendar = null, href = null, etag = null
    where e.owner_id = ${owner}::uuid and e.calendar = ${url} and e.href = any(${hrefs}::text[])
      and e.uid <> all(${changes.map(({ uid }) => uid)}::text[]) returning e.uid`);
  return rows.map(([uid]) => uid ?? '').toSorted();
}

async function noteOutcome(
  call: Call,
  tx: WorkspaceTransaction,
  mailbox: Mailbox,
  { url, meetings, gone, failed }: Taken,
) {
  const looked = [...meetings.map(({ href }) => href), ...gone];
  if (looked.length > 0)
    await tx.run(sql`delete from ${call.workspace.table('_account_failures')} where integration_id = ${mailbox.integrationId}::uuid
      and folder = ${url} and uid = any(${looked}::text[])`);
  await noteFailures(call, tx, mailbox, url, failed);
}

async function noteState(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { integrationId }: Mailbox,
  { url, state }: Taken,
) {
  const table = workspace.table('_calendars');
  if (state === null)
    await tx.run(sql`delete from ${table} where integration_id = ${integrationId}::uuid and url = ${url}`);
  else if (state)
    await tx.run(sql`insert into ${table} (integration_id, url, sync_token, ctag)
      values (${integrationId}::uuid, ${url}, ${state.syncToken}, ${state.ctag})
      on conflict (integration_id, url) do update set sync_token = excluded.sync_token, ctag = excluded.ctag`);
}

/** How far the account's calendars are read, by their addresses. */
export async function readCalendarStates({ workspace, model }: Call, { integrationId }: Mailbox) {
  const query = sql`select c.url, c.sync_token, c.ctag from ${workspace.table('_calendars')} c
    where c.integration_id = ${integrationId}::uuid order by c.url`;
  const [found] = await workspace.read(statement(query, model.version));
  return new Map<string, CalendarState>(
    (found?.rows ?? []).map(([url, syncToken = null, ctag = null]) => [url ?? '', { syncToken, ctag }]),
  );
}

/** The etags of what is known of a calendar, by address. */
export async function readEtags(
  { workspace, model }: Call,
  { integrationId }: Mailbox,
  calendar: string,
): Promise<ReadonlyMap<string, string>> {
  const query = sql`select e.href, min(e.etag) from ${workspace.table('_calendar_entries')} e
    where e.integration_id = ${integrationId}::uuid and e.calendar = ${calendar} and e.href is not null group by e.href`;
  const [found] = await workspace.read(statement(query, model.version));
  return new Map((found?.rows ?? []).map(([href, etag]) => [href ?? '', etag ?? '']));
}
