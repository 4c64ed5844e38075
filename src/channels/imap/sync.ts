/** Syncs a mailbox: imports new messages, folder by folder, from the stored positions on. [contract: Accounts] */
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { Call } from '../../access/call.ts';
import { AsideProblem } from '../../lib/aside.ts';
import { sql, statement } from '../../postgres/sql.ts';
import type { MailServerSettings } from './imap-settings.ts';
import { readMailAside } from '../mail/mail-aside.ts';
import { messageIdsIn } from '../mail/message-ids.ts';
import { readPositions, type Position } from '../positions.ts';
import { takeIn, type Received } from '../mail/take-in.ts';
import { type Failed, type Mailbox } from '../mailbox.ts';
import { foldersOf, type Folder } from './folders.ts';
import { withMailbox, type IdleConnections, type Ours } from './open-mailbox.ts';
import { uidsFound } from './search.ts';

/** Messages fetched together, and stored in one transaction. */
const mostAtOnce = 100;
/** Bytes fetched of a message: its text comes first, and attachments are not stored. */
const mostBytes = 4 * 1024 * 1024;
/** Bytes fetched at once. */
const mostBytesAtOnce = 8 * 1024 * 1024;

/** Syncs all folders, or the named ones. Throws ChannelFailure, or AccountGone if the account was removed; stored portions stay. */
export function syncMailbox(
  call: Call,
  mailbox: Mailbox,
  server: MailServerSettings,
  named: readonly string[] | undefined,
  idle?: IdleConnections,
): Promise<void> {
  async function syncFolders(client: ImapFlow, ours: Ours): Promise<void> {
    const known = await ours(readPositions(call, mailbox.integrationId));
    for (const folder of await foldersOf(client, named)) {
      const position = known.get(folder.path);
      if (isUpToDate(folder, position)) continue;
      await syncFolder({ call, mailbox, client, ours, folder }, position);
    }
  }
  return withMailbox(call, server, syncFolders, idle);
}

function isUpToDate({ uidValidity, uidNext }: Folder, position: Position | undefined): boolean {
  return position !== undefined && uidValidity === position.uidValidity && uidNext === position.lastUid + 1;
}

/** A folder during its sync. */
interface Reading {
  readonly call: Call;
  readonly mailbox: Mailbox;
  readonly client: ImapFlow;
  readonly ours: Ours;
  readonly folder: Folder;
}

async function syncFolder(reading: Reading, position: Position | undefined): Promise<void> {
  const { call, mailbox, client, ours, folder } = reading;
  const lock = await client.getMailboxLock(folder.path, { readOnly: true });
  try {
    const opened = client.mailbox || undefined;
    const uidValidity = opened?.uidValidity.toString() ?? '0';
    // After a new UIDVALIDITY all UIDs are new; known messages are recognized by their Message-IDs.
    const since = position?.uidValidity === uidValidity ? position.lastUid : 0;
    const found = await uidsFound(client, { uid: `${since + 1}:*` });
    // `*` matches the last message even if its UID is lower.
    const uids = found.filter((uid) => uid > since).toSorted((a, b) => a - b);
    if (uids.length === 0) {
      const lastUid = Math.max(since, (opened?.uidNext ?? 1) - 1);
      const nothing = { folder: folder.path, uidValidity, lastUid, remaining: 0, received: [], failed: [] };
      await ours(call.part((now) => takeIn(now, mailbox, nothing)));
      return;
    }
    for (let at = 0; at < uids.length; at += mostAtOnce) {
      const part = uids.slice(at, at + mostAtOnce);
      const { received, failed } = await receive(reading, part);
      const remaining = uids.length - at - part.length;
      const portion = { folder: folder.path, uidValidity, lastUid: part.at(-1)!, remaining, received, failed };
      await ours(call.part((now) => takeIn(now, mailbox, portion)));
    }
  } finally {
    lock.release();
  }
}

interface Fetched {
  readonly received: readonly Received[];
  readonly failed: readonly Failed[];
}

/** Fetches and parses the messages whose Message-IDs the owner does not have yet. */
async function receive({ call, mailbox, client, ours, folder }: Reading, uids: readonly number[]): Promise<Fetched> {
  const heads = await client.fetchAll(uids.join(','), { size: true, headers: ['message-id'] }, { uid: true });
  const unknown = await ours(withoutKnown(call, mailbox, heads));
  const received: Received[] = [];
  const failed: Failed[] = [];
  for (const group of inGroups(unknown)) {
    const range = group.map(({ uid }) => uid).join(',');
    const query = { internalDate: true, source: { start: 0, maxLength: mostBytes } } as const;
    for (const message of await client.fetchAll(range, query, { uid: true })) {
      const read = await ours(readOne(call, message, folder));
      if ('mail' in read) received.push(read);
      else failed.push(read);
    }
  }
  return { received, failed };
}

async function withoutKnown(
  { workspace, model }: Call,
  { owner }: Mailbox,
  heads: readonly FetchMessageObject[],
): Promise<readonly FetchMessageObject[]> {
  const idOf = ({ headers }: FetchMessageObject) => messageIdsIn(headers?.toString('latin1'))[0] ?? '';
  const query = sql`select i.external_id from ${workspace.table('_interactions')} i
    where i.owner_id = ${owner}::uuid and i.channel = 'email' and i.external_id = any(${heads.map(idOf)}::text[])`;
  const [found] = await workspace.read(statement(query, model.version));
  const known = new Set((found?.rows ?? []).map(([id]) => id));
  return heads.filter((head) => !known.has(idOf(head)));
}

function* inGroups(messages: readonly FetchMessageObject[]): Generator<readonly FetchMessageObject[]> {
  let group: FetchMessageObject[] = [];
  let bytes = 0;
  for (const message of messages) {
    const own = Math.min(message.size ?? mostBytes, mostBytes);
    if (group.length > 0 && bytes + own > mostBytesAtOnce) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(message);
    bytes += own;
  }
  if (group.length > 0) yield group;
}

async function readOne(
  { model, signal }: Call,
  { uid, source, internalDate }: FetchMessageObject,
  { isSent }: Folder,
): Promise<Received | Failed> {
  if (!source) return { uid: String(uid), reason: 'the server returns no contents' };
  try {
    const mail = await readMailAside(source, { organizationId: model.organizationId, signal });
    const arrived = new Date(internalDate ?? 0);
    return { mail, arrived: (Number.isNaN(arrived.getTime()) ? new Date(0) : arrived).toISOString(), isSent };
  } catch (error) {
    if (error instanceof AsideProblem) return { uid: String(uid), reason: error.message };
    throw error;
  }
}
