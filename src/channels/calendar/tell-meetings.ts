/**
 * Tells of meetings: each occurrence from a year back to a year ahead is an event, and a message of the channel of meetings from two
 * weeks before it begins. What is new is told at once; what recurs comes again as time passes. [contract: Accounts]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
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
import { aheadMs, eventOf, externalIdOf, messageOf, tellable, type Told } from './meeting-lines.ts';
import { tellInFeed } from './meeting-messages.ts';

/** Meetings that are looked at together. */
const mostAtOnce = 10;
/** Occurrences that make a transaction. */
const manyAtOnce = 500;
/** A year, also over a leap day. */
const reachMs = 366 * 86_400_000;
const soonestMs = 3_600_000;
/** Where what cannot be told is listed, beside the folders of mail. */
const calendarFolder = 'calendar';

/** Until nothing is left that is due. Throws AccountGone. */
export async function tellMeetings(call: Call, mailbox: Mailbox): Promise<void> {
  for (;;) {
    const due = await dueEntries(call, mailbox);
    if (due.length === 0) return;
    const span = { from: call.now - reachMs, until: call.now + reachMs, timeZone: call.model.timeZone };
    const asker = { organizationId: call.model.organizationId, signal: call.signal };
    let looked: Looked[] = [];
    for (const stored of due) {
      looked.push({ stored, outcome: await expandAside(stored.entry, span, asker) });
      if (countOf(looked) < manyAtOnce && stored !== due.at(-1)) continue;
      const portion = looked;
      looked = [];
      await call.part((now) => tell(now, mailbox, portion, span));
    }
  }
}

function countOf(looked: readonly Looked[]): number {
  return looked.reduce((sum, { outcome }) => sum + (typeof outcome === 'string' ? 0 : outcome.occurrences.length), 0);
}

interface Looked {
  readonly stored: StoredEntry;
  /** The words of why it cannot be told. */
  readonly outcome: Expanded | string;
}

async function dueEntries(call: Call, { owner }: Mailbox): Promise<readonly StoredEntry[]> {
  const query = sql`${selectEntries(call)} where e.owner_id = ${owner}::uuid and e.expand_at <= ${instant(call.now)}
    order by e.expand_at, e.uid limit ${mostAtOnce}::integer`;
  const [stored, found] = await call.workspace.read(storedDataKey(call), statement(query, call.model.version));
  const vault = call.vault(stored?.rows[0]?.[0] ?? '');
  return (found?.rows ?? []).map((row) => entryIn(vault, owner, row));
}

function tell(call: Call, mailbox: Mailbox, looked: readonly Looked[], span: Span): Promise<void> {
  return call.workspace.transaction(async (tx) => {
    await lockAccounts(call, tx, mailbox);
    const vault = await vaultIn(call, tx);
    const uids = looked.map(({ stored }) => stored.uid);
    const versions = new Map(
      (await entriesOf(call, tx, vault, mailbox.owner, uids)).map(({ uid, version }) => [uid, version]),
    );
    // What has changed meanwhile is due again.
    const current = looked.filter(({ stored }) => versions.get(stored.uid) === stored.version);
    const known = Map.groupBy(await eventsWithKeys(call, tx, mailbox.owner, uids), ({ externalId }) =>
      keyOf(externalId),
    );
    const told = current.flatMap(({ stored, outcome }) =>
      typeof outcome === 'string' ? [] : [{ ...toldOf(stored, outcome), known: known.get(stored.uid) ?? [] }],
    );
    await tellPortion(call, tx, mailbox, told, span);
    await noteOutcomes(call, tx, mailbox, current);
  });
}

function toldOf(stored: StoredEntry, expanded: Expanded): Told {
  return { stored, expanded, isChanged: stored.version !== stored.toldVersion };
}

type Known = Told & { readonly known: readonly KnownEvent[] };

async function tellPortion(call: Call, tx: WorkspaceTransaction, mailbox: Mailbox, told: readonly Known[], span: Span) {
  const over = told.map((one) => overOf(one, span, call.now));
  const cancelled = over.flatMap(({ cancelled: own }) => own);
  const removed = over.flatMap(({ removed: own }) => own);
  const lines = told.filter(({ stored }) => !stored.entry.isGone).flatMap((one) => tellable(one));
  const messages = lines.flatMap((line) => messageOf(call, mailbox, line) ?? []);
  const inFeed = new Set(messages.map(({ externalId }) => externalId));
  const silent = [...cancelled, ...removed]
    .map(({ externalId }) => externalId)
    .concat(lines.map(({ externalId }) => externalId).filter((id) => !inFeed.has(id)));
  const threads = await tellInFeed(call, tx, mailbox.owner, { messages, silent });
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
    told.flatMap(({ known }) => known),
  );
}

/** Of what is known, that which the calendar does not have any more: called off, or never meant to be. */
function overOf({ stored: { uid, entry }, expanded, known }: Known, { from, until }: Span, now: number) {
  if (entry.isGone) return { cancelled: known.filter(({ end }) => end > now), removed: [] };
  const there = new Set(expanded.occurrences.map(({ key }) => externalIdOf(uid, key)));
  const excluded = new Set(expanded.excluded.map((key) => externalIdOf(uid, key)));
  const missing = known.filter(({ externalId, end, start }) => !there.has(externalId) && end >= from && start < until);
  return {
    cancelled: missing.filter(({ externalId }) => excluded.has(externalId)),
    removed: missing.filter(({ externalId }) => !excluded.has(externalId)),
  };
}

async function noteOutcomes(call: Call, tx: WorkspaceTransaction, mailbox: Mailbox, looked: readonly Looked[]) {
  if (looked.length === 0) return;
  const { workspace } = call;
  const failed = looked.flatMap(({ stored, outcome }) =>
    typeof outcome === 'string' ? [{ uid: stored.uid, reason: outcome }] : [],
  );
  await tx.run(sql`delete from ${workspace.table('_account_failures')} where integration_id = ${mailbox.integrationId}::uuid
    and folder = ${calendarFolder} and uid = any(${looked.map(({ stored }) => stored.uid)}::text[])`);
  await noteFailures(call, tx, mailbox, calendarFolder, failed);
  const again = looked.map(({ stored, outcome }) => {
    const at = typeof outcome === 'string' || stored.entry.isGone ? undefined : againAt(outcome, call.now);
    return at === undefined ? null : new Date(at).toISOString();
  });
  await tx.run(sql`update ${workspace.table('_calendar_entries')} e set told_version = e.version, expand_at = n.again
    from unnest(${looked.map(({ stored }) => stored.uid)}::text[], ${again}::timestamptz[]) n (uid, again)
    where e.owner_id = ${mailbox.owner}::uuid and e.uid = n.uid`);
}

/** When there will be more to tell: another occurrence comes near, or into the year ahead. */
function againAt({ occurrences, nextStart }: Expanded, now: number): number | undefined {
  const near = occurrences.find(({ start }) => start > now + aheadMs);
  const times = [near && near.start - aheadMs, nextStart === null ? undefined : nextStart - reachMs];
  const next = times.filter((time) => time !== undefined);
  return next.length === 0 ? undefined : Math.max(Math.min(...next), now + soonestMs);
}
