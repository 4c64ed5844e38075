/**
 * Publishes meetings: each occurrence from a year back to a year ahead becomes an event, and, from two weeks before it begins, a
 * message of the channel `meeting`. Changes are published at once, further occurrences as time passes. [contract: Accounts]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { dayMs } from '../../lib/durations.ts';
import { instant, sql, statement } from '../../postgres/sql.ts';
import { storedDataKey, vaultIn } from '../../records/conversations/contents.ts';
import {
  cancelEvents,
  changeEvents,
  eventsWithKeys,
  keyOf,
  removeEvents,
  type KnownEvent,
} from '../../records/conversations/change-events.ts';
import { lockAccounts, noteFailures, type Mailbox } from '../mailbox.ts';
import { expandAside } from './calendar-aside.ts';
import type { Expanded, Span } from './expand.ts';
import { entriesOf, entryIn, selectEntries, type StoredEntry } from './keep-entries.ts';
import { aheadMs, eventOf, externalIdOf, messageOf, occurrencesOf, type ExpandedMeeting } from './meeting-lines.ts';
import { writeMeetingMessages } from './meeting-messages.ts';

/** Due meetings read at once. */
const mostAtOnce = 10;
/** Occurrences after which a transaction is written. */
const manyAtOnce = 500;
/** A year, even with a leap day. */
const reachMs = 366 * dayMs;
const soonestMs = 3_600_000;
/** The folder name under which failed meetings are recorded, beside the folders of mail. */
const calendarFolder = 'calendar';

/** Publishes all due meetings of the account's owner. Throws AccountGone. */
export async function publishMeetings(call: Call, mailbox: Mailbox): Promise<void> {
  for (;;) {
    const due = await dueEntries(call, mailbox);
    if (due.length === 0) return;
    const span = { from: call.now - reachMs, until: call.now + reachMs, timeZone: call.model.timeZone };
    const asker = { organizationId: call.model.organizationId, signal: call.signal };
    let expansions: Expansion[] = [];
    for (const stored of due) {
      expansions.push({ stored, outcome: await expandAside(stored.entry, span, asker) });
      if (countOf(expansions) < manyAtOnce && stored !== due.at(-1)) continue;
      const portion = expansions;
      expansions = [];
      await call.part((now) => publish(now, mailbox, portion, span));
    }
  }
}

function countOf(expansions: readonly Expansion[]): number {
  return expansions.reduce(
    (sum, { outcome }) => sum + (typeof outcome === 'string' ? 0 : outcome.occurrences.length),
    0,
  );
}

interface Expansion {
  readonly stored: StoredEntry;
  /** The occurrences, or the reason why the meeting cannot be expanded. */
  readonly outcome: Expanded | string;
}

async function dueEntries(call: Call, { owner }: Mailbox): Promise<readonly StoredEntry[]> {
  const query = sql`${selectEntries(call)} where e.owner_id = ${owner}::uuid and e.expand_at <= ${instant(call.now)}
    order by e.expand_at, e.uid limit ${mostAtOnce}::integer`;
  const [stored, found] = await call.workspace.read(storedDataKey(call), statement(query, call.model.version));
  const vault = call.vault(stored?.rows[0]?.[0] ?? '');
  return (found?.rows ?? []).map((row) => entryIn(vault, owner, row));
}

function publish(call: Call, mailbox: Mailbox, expansions: readonly Expansion[], span: Span): Promise<void> {
  return call.workspace.transaction(async (tx) => {
    await lockAccounts(call, tx, mailbox);
    const vault = await vaultIn(call, tx);
    const uids = expansions.map(({ stored }) => stored.uid);
    const versions = new Map(
      (await entriesOf(call, tx, vault, mailbox.owner, uids)).map(({ uid, version }) => [uid, version]),
    );
    // Meetings that have changed meanwhile are due again.
    const current = expansions.filter(({ stored }) => versions.get(stored.uid) === stored.version);
    const known = Map.groupBy(await eventsWithKeys(call, tx, mailbox.owner, uids), ({ externalId }) =>
      keyOf(externalId),
    );
    const meetings = current.flatMap(({ stored, outcome }) =>
      typeof outcome === 'string' ? [] : [{ ...expandedMeeting(stored, outcome), known: known.get(stored.uid) ?? [] }],
    );
    await publishPortion(call, tx, mailbox, meetings, span);
    await noteOutcomes(call, tx, mailbox, current);
  });
}

function expandedMeeting(stored: StoredEntry, expanded: Expanded): ExpandedMeeting {
  return { stored, expanded, isChanged: stored.version !== stored.publishedVersion };
}

/** A meeting with the stored events of its occurrences. */
type KnownMeeting = ExpandedMeeting & { readonly known: readonly KnownEvent[] };

async function publishPortion(
  call: Call,
  tx: WorkspaceTransaction,
  mailbox: Mailbox,
  meetings: readonly KnownMeeting[],
  span: Span,
) {
  const ended = meetings.map((one) => endedEvents(one, span, call.now));
  const cancelled = ended.flatMap(({ cancelled: own }) => own);
  const removed = ended.flatMap(({ removed: own }) => own);
  const lines = meetings.filter(({ stored }) => !stored.entry.isGone).flatMap((one) => occurrencesOf(one));
  const messages = lines.flatMap((line) => messageOf(call, mailbox, line) ?? []);
  const withMessage = new Set(messages.map(({ externalId }) => externalId));
  const withoutMessage = [...cancelled, ...removed]
    .map(({ externalId }) => externalId)
    .concat(lines.map(({ externalId }) => externalId).filter((id) => !withMessage.has(id)));
  const threads = await writeMeetingMessages(call, tx, mailbox.owner, { messages, removed: withoutMessage });
  await removeEvents(
    call,
    tx,
    removed.map(({ id }) => id),
  );
  await cancelEvents(
    call,
    tx,
    cancelled.map(({ id }) => id),
  );
  await changeEvents(
    call,
    tx,
    lines.map((line) => eventOf(mailbox, line, threads)),
    meetings.flatMap(({ known }) => known),
  );
}

/** Stored events that the meeting no longer has: cancelled if the calendar deleted the meeting or excluded them, else to be removed. */
function endedEvents({ stored: { uid, entry }, expanded, known }: KnownMeeting, { from, until }: Span, now: number) {
  if (entry.isGone) return { cancelled: known.filter(({ end }) => end > now), removed: [] };
  const current = new Set(expanded.occurrences.map(({ key }) => externalIdOf(uid, key)));
  const excluded = new Set(expanded.excluded.map((key) => externalIdOf(uid, key)));
  const missing = known.filter(
    ({ externalId, end, start }) => !current.has(externalId) && end >= from && start < until,
  );
  return {
    cancelled: missing.filter(({ externalId }) => excluded.has(externalId)),
    removed: missing.filter(({ externalId }) => !excluded.has(externalId)),
  };
}

async function noteOutcomes(call: Call, tx: WorkspaceTransaction, mailbox: Mailbox, expansions: readonly Expansion[]) {
  if (expansions.length === 0) return;
  const { workspace } = call;
  const failed = expansions.flatMap(({ stored, outcome }) =>
    typeof outcome === 'string' ? [{ uid: stored.uid, reason: outcome }] : [],
  );
  await tx.run(sql`delete from ${workspace.table('_account_failures')} where integration_id = ${mailbox.integrationId}::uuid
    and folder = ${calendarFolder} and uid = any(${expansions.map(({ stored }) => stored.uid)}::text[])`);
  await noteFailures(call, tx, mailbox, calendarFolder, failed);
  const next = expansions.map(({ stored, outcome }) => {
    const at = typeof outcome === 'string' || stored.entry.isGone ? undefined : nextDueAt(outcome, call.now);
    return at === undefined ? null : new Date(at).toISOString();
  });
  await tx.run(sql`update ${workspace.table('_calendar_entries')} e set told_version = e.version, expand_at = n.next
    from unnest(${expansions.map(({ stored }) => stored.uid)}::text[], ${next}::timestamptz[]) n (uid, next)
    where e.owner_id = ${mailbox.owner}::uuid and e.uid = n.uid`);
}

/** The time at which the next occurrence becomes a message, or an event; undefined without one. */
function nextDueAt({ occurrences, nextStart }: Expanded, now: number): number | undefined {
  const near = occurrences.find(({ start }) => start > now + aheadMs);
  const times = [near && near.start - aheadMs, nextStart === null ? undefined : nextStart - reachMs];
  const next = times.filter((time) => time !== undefined);
  return next.length === 0 ? undefined : Math.max(Math.min(...next), now + soonestMs);
}
