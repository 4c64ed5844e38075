/**
 * Stores fetched meetings in one transaction with the calendar's sync state, so that an interrupted sync neither loses nor repeats
 * any. [contract: Accounts]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql, statement } from '../../postgres/sql.ts';
import type { CalendarPart } from '../calendar/calendar-part.ts';
import { asInCalendar } from '../calendar/entry.ts';
import { keepEntries, type Change } from '../calendar/keep-entries.ts';
import { lockAccounts, noteFailures, type Failed, type Mailbox } from '../mailbox.ts';

/** A fetched resource: mostly one meeting. */
export interface FetchedMeeting {
  readonly href: string;
  readonly etag: string;
  readonly parts: readonly CalendarPart[];
}

/** The sync state of a calendar. */
export interface CalendarState {
  readonly syncToken: string | null;
  readonly ctag: string | null;
}

/** A part of a sync, stored in one transaction. */
export interface CalendarPortion {
  /** The URL of the calendar. */
  readonly url: string;
  readonly meetings: readonly FetchedMeeting[];
  /** URLs of deleted resources. */
  readonly gone: readonly string[];
  readonly failed: readonly Failed[];
  /** The new state; undefined while there is more to fetch, null if the calendar was deleted. */
  readonly state: CalendarState | null | undefined;
}

/** Stores a portion. Throws AccountGone. */
export function takeCalendar(call: Call, mailbox: Mailbox, portion: CalendarPortion): Promise<void> {
  return call.workspace.transaction(async (tx) => {
    await lockAccounts(call, tx, mailbox);
    const changes = portion.meetings.flatMap((meeting) => changesIn(portion.url, meeting));
    const detached = await detach(call, tx, mailbox, portion, changes);
    const gone = detached.map((uid) => ({
      uid,
      apply: (known: Parameters<Change['apply']>[0]) => ({ ...known, isGone: true }),
    }));
    await keepEntries(call, tx, mailbox, [...changes, ...gone]);
    await noteOutcome(call, tx, mailbox, portion);
    await noteState(call, tx, mailbox, portion);
  });
}

function changesIn(calendar: string, { href, etag, parts }: FetchedMeeting): readonly Change[] {
  const byUid = Map.groupBy(parts, ({ uid }) => uid);
  const location = { calendar, href, etag };
  return [...byUid].map(([uid, own]) => ({ uid, apply: (known) => asInCalendar(known, own), location }));
}

/** Detaches stored meetings from URLs that were deleted or hold another meeting now; returns their UIDs. */
async function detach(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { owner }: Mailbox,
  { url, meetings, gone }: CalendarPortion,
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
  { url, meetings, gone, failed }: CalendarPortion,
) {
  const processed = [...meetings.map(({ href }) => href), ...gone];
  if (processed.length > 0)
    await tx.run(sql`delete from ${call.workspace.table('_account_failures')} where integration_id = ${mailbox.integrationId}::uuid
      and folder = ${url} and uid = any(${processed}::text[])`);
  await noteFailures(call, tx, mailbox, url, failed);
}

async function noteState(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { integrationId }: Mailbox,
  { url, state }: CalendarPortion,
) {
  const table = workspace.table('_calendars');
  if (state === null)
    await tx.run(sql`delete from ${table} where integration_id = ${integrationId}::uuid and url = ${url}`);
  else if (state)
    await tx.run(sql`insert into ${table} (integration_id, url, sync_token, ctag)
      values (${integrationId}::uuid, ${url}, ${state.syncToken}, ${state.ctag})
      on conflict (integration_id, url) do update set sync_token = excluded.sync_token, ctag = excluded.ctag`);
}

/** The sync states of the account's calendars, by URL. */
export async function readCalendarStates({ workspace, model }: Call, { integrationId }: Mailbox) {
  const query = sql`select c.url, c.sync_token, c.ctag from ${workspace.table('_calendars')} c
    where c.integration_id = ${integrationId}::uuid order by c.url`;
  const [found] = await workspace.read(statement(query, model.version));
  return new Map<string, CalendarState>(
    (found?.rows ?? []).map(([url, syncToken = null, ctag = null]) => [url ?? '', { syncToken, ctag }]),
  );
}

/** The stored etags of a calendar's resources, by URL. */
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
