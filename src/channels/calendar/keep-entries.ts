/** Stores the merged states of meetings: one sealed row per owner and meeting. */
import type { Call, Vault } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { inSlices } from '../../lib/slices.ts';
import { instant, sql, type Sql } from '../../postgres/sql.ts';
import { vaultIn } from '../../records/conversations/contents.ts';
import type { Mailbox } from '../mailbox.ts';
import { emptyEntry, type Entry } from './entry.ts';

/** Where a calendar has a meeting. */
export interface CalendarLocation {
  readonly calendar: string;
  readonly href: string;
  readonly etag: string;
}

/** A change of a meeting's state. */
export interface Change {
  readonly uid: string;
  /** The changed state; the same object if nothing changes. */
  apply(known: Entry): Entry;
  /** Absent for changes by mail. */
  readonly location?: CalendarLocation;
}

/** Characters of a stored entry; changes that exceed it are ignored. */
const longestEntry = 2_000_000;

/** A time for `expand_at` that is always due. */
const atOnce = 0;

/** A stored meeting. */
export interface StoredEntry {
  readonly uid: string;
  readonly version: number;
  /** The version that was published last; null before the first time. */
  readonly publishedVersion: number | null;
  /** The account that it was imported through. */
  readonly integrationId: string;
  readonly entry: Entry;
}

/** Applies and stores the changes in their order; changed meetings are due for publishing at once. The owner's accounts are locked. */
export async function keepEntries(
  call: Call,
  tx: WorkspaceTransaction,
  { owner, integrationId }: Mailbox,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const vault = await vaultIn(call, tx);
  const byUid = Map.groupBy(changes, ({ uid }) => uid);
  const known = new Map(
    (await entriesOf(call, tx, vault, owner, [...byUid.keys()])).map((one) => [one.uid, one.entry]),
  );
  const rows: { readonly uid: string; readonly body: string; readonly location: CalendarLocation | undefined }[] = [];
  for (const [uid, own] of byUid) {
    const before = known.get(uid) ?? emptyEntry;
    let entry = before;
    await inSlices(own, ({ apply }) => {
      entry = apply(entry);
    });
    const text = JSON.stringify(entry);
    const location = own.findLast((change) => change.location !== undefined)?.location;
    const isTooLong = text.length > longestEntry;
    if ((entry === before || isTooLong) && !location) continue;
    rows.push({ uid, body: vault.seal(isTooLong ? JSON.stringify(before) : text, placeOf(owner, uid)), location });
  }
  if (rows.length === 0) return;
  const list = (of: (row: (typeof rows)[number]) => string | null) => sql`${rows.map(of)}::text[]`;
  const table = call.workspace.table('_calendar_entries');
  await tx.run(sql`insert into ${table} as e (owner_id, uid, integration_id, version, expand_at, calendar, href, etag, body)
    select ${owner}::uuid, n.uid, ${integrationId}::uuid, 1, ${instant(atOnce)}, n.calendar, n.href, n.etag, n.body
    from unnest(${list(({ uid }) => uid)}, ${list(({ location }) => location?.calendar ?? null)}, ${list(({ location }) => location?.href ?? null)},
      ${list(({ location }) => location?.etag ?? null)}, ${list(({ body }) => body)}) n (uid, calendar, href, etag, body)
    on conflict (owner_id, uid) do update set version = e.version + 1, expand_at = excluded.expand_at, body = excluded.body,
      integration_id = case when excluded.href is null then e.integration_id else excluded.integration_id end,
      calendar = coalesce(excluded.calendar, e.calendar), href = coalesce(excluded.href, e.href), etag = coalesce(excluded.etag, e.etag)`);
}

/** Makes the meetings of messages and events that are about to be removed due for publishing, since another account may have them, too. */
export async function publishAgain(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { messages, events }: { readonly messages: readonly string[]; readonly events: readonly string[] },
): Promise<void> {
  // The external id of an occurrence is the UID, a space and its time.
  const uid = sql`split_part(r.external_id, ' ', 1)`;
  await tx.run(sql`update ${workspace.table('_calendar_entries')} e set expand_at = ${instant(atOnce)}
    from (select r.owner_id, ${uid} uid from ${workspace.table('_interactions')} r
        where r.id = any(${messages}::uuid[]) and r.channel = 'meeting'
      union select r.owner_id, ${uid} from ${workspace.table('_events')} r where r.id = any(${events}::uuid[])) n
    where e.owner_id = n.owner_id and e.uid = n.uid`);
}

/** The owner's entries of these meetings, locked. */
export async function entriesOf(
  call: Call,
  tx: WorkspaceTransaction,
  vault: Vault,
  owner: string,
  uids: readonly string[],
): Promise<readonly StoredEntry[]> {
  const { rows } =
    await tx.run(sql`${selectEntries(call)} where e.owner_id = ${owner}::uuid and e.uid = any(${uids}::text[])
    order by e.uid for update`);
  return rows.map((row) => entryIn(vault, owner, row));
}

/** Rows that `entryIn` reads. */
export function selectEntries({ workspace }: Call): Sql {
  return sql`select e.uid, e.version, e.told_version, e.integration_id, e.body from ${workspace.table('_calendar_entries')} e`;
}

/** The entry in a row. */
export function entryIn(
  vault: Vault,
  owner: string,
  [uid, version, published, integrationId, body]: readonly (string | null)[],
): StoredEntry {
  return {
    uid: uid ?? '',
    version: Number(version),
    publishedVersion: published === null || published === undefined ? null : Number(published),
    integrationId: integrationId ?? '',
    entry: JSON.parse(vault.open(body ?? '', placeOf(owner, uid ?? ''))) as Entry,
  };
}

function placeOf(owner: string, uid: string): string {
  return `_calendar_entries/${owner}/${uid}/body`;
}
