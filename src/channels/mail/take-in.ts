/**
 * Stores fetched mails in one transaction with the folder's position, so that an interrupted sync neither loses nor repeats any.
 * [contract: Accounts]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { addressIn } from '../../records/conversations/addresses.ts';
import { keepInteractions, type NewInteraction } from '../../records/conversations/ingest.ts';
import { raise } from '../../records/conversations/ingest-rows.ts';
import { renewTexts } from '../../records/conversations/thread-texts.ts';
import { changesByMail } from '../calendar/by-mail.ts';
import { keepEntries, type Change } from '../calendar/keep-entries.ts';
import { lockAccounts, noteFailures, type Failed, type Mailbox } from '../mailbox.ts';
import { notePosition } from '../positions.ts';
import { threadMails } from './threading.ts';
import type { Mail } from './read-mail.ts';

/** A fetched mail. */
export interface Received {
  readonly mail: Mail;
  /** When the server received it; used for mails without a date. */
  readonly arrived: string;
  /** Whether it is in the folder of sent mail. */
  readonly isSent: boolean;
}

/** A part of a folder's sync, stored in one transaction. */
export interface Portion {
  readonly folder: string;
  readonly uidValidity: string;
  /** The UID of the last message that was read. */
  readonly lastUid: number;
  /** The number of messages still to be read. */
  readonly remaining: number;
  readonly received: readonly Received[];
  readonly failed: readonly Failed[];
}

/** Stores a portion in one transaction. Throws AccountGone. */
export function takeIn(call: Call, mailbox: Mailbox, portion: Portion): Promise<void> {
  return call.workspace.transaction(async (tx) => {
    await lockAccounts(call, tx, mailbox);
    const lines = portion.received.map((one) => lineOf(mailbox, one));
    const fresh = await unknownAmong(call, tx, mailbox, lines, portion.received);
    const mails = fresh.map(({ line, mail: { references } }) => ({
      id: line.externalId,
      references,
      subject: line.subject,
      date: line.date,
      participants: line.participants,
    }));
    const { threads, joined } = await threadMails(call, tx, mailbox.owner, mails);
    for (const [stays, gone] of joined) await joinThreads(call, tx, stays, gone);
    const kept = fresh.map(({ line }) => ({ ...line, threadId: threads.get(line.externalId)!.externalId }));
    await keepInteractions(call, tx, kept);
    await keepReferences(
      call,
      tx,
      mailbox.owner,
      fresh.map(({ line, mail }) => ({
        references: mail.references,
        externalId: threads.get(line.externalId)!.externalId,
      })),
    );
    await keepEntries(call, tx, mailbox, fresh.flatMap(meetingsIn));
    await notePortion(call, tx, mailbox, portion);
  });
}

/** The changes of meetings by a mail. */
function meetingsIn({ isSent, mail: { from, calendars } }: Fresh): readonly Change[] {
  // A sender address can be forged, so only mails in the sent folder count as the owner's.
  return changesByMail(calendars, { address: addressIn(from ?? ''), isOwn: isSent });
}

function lineOf(mailbox: Mailbox, { mail, arrived, isSent }: Received): NewInteraction {
  const { id, subject, date, from, to, cc, bcc, text, html, plain } = mail;
  const sender = addressIn(from ?? '');
  const isOwn = isSent || (sender !== undefined && mailbox.ownAddresses.has(sender));
  return {
    kind: 'interaction',
    owner: mailbox.owner,
    channel: 'email',
    threadId: id,
    externalId: id,
    subject,
    direction: isOwn ? 'outbound' : 'inbound',
    date: date ?? arrived,
    participants: [...new Set([...(from === null ? [] : [from]), ...to, ...cc, ...bcc])],
    text,
    html,
    plain,
    visibility: undefined,
    integrationId: mailbox.integrationId,
  };
}

interface Fresh {
  readonly line: NewInteraction;
  readonly mail: Mail;
  readonly isSent: boolean;
}

/** The mails that the owner does not have yet, without duplicates. */
async function unknownAmong(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { owner }: Mailbox,
  lines: readonly NewInteraction[],
  received: readonly Received[],
): Promise<readonly Fresh[]> {
  const ids = lines.map(({ externalId }) => externalId);
  const { rows } = await tx.run(sql`select i.external_id from ${workspace.table('_interactions')} i
    where i.owner_id = ${owner}::uuid and i.channel = 'email' and i.external_id = any(${ids}::text[])`);
  const seen = new Set(rows.map(([id]) => id ?? ''));
  return lines.flatMap((line, index) => {
    if (seen.has(line.externalId)) return [];
    seen.add(line.externalId);
    const { mail, isSent } = received[index]!;
    return [{ line, mail, isSent }];
  });
}

/** Moves everything of the threads `gone` to the thread `stays`, and deletes them. */
async function joinThreads(call: Call, tx: WorkspaceTransaction, stays: string, gone: readonly string[]) {
  const { workspace } = call;
  const [threads, interactions] = [workspace.table('_threads'), workspace.table('_interactions')];
  const theirs = sql`any(${gone}::uuid[])`;
  await tx.run(
    sql`select t.id from ${threads} t where t.id = ${stays}::uuid or t.id = ${theirs} order by t.id for update`,
  );
  await tx.run(sql`update ${interactions} set interaction_thread_id = ${stays}::uuid, updated_at = ${instant(call.now)}
    where interaction_thread_id = ${theirs}`);
  await tx.run(sql`update ${workspace.table('_participants')} set thread_id = ${stays}::uuid
    where interaction_id in (select i.id from ${interactions} i where i.interaction_thread_id = ${stays}::uuid)`);
  for (const table of ['_thread_references', '_events', '_sends'])
    await tx.run(sql`update ${workspace.table(table)} set thread_id = ${stays}::uuid where thread_id = ${theirs}`);
  await tx.run(sql`update ${threads} t set message_count = c.messages, last_message_date = c.latest, updated_at = ${instant(call.now)}
    from (select count(*) messages, max(i.date) latest from ${interactions} i where i.interaction_thread_id = ${stays}::uuid) c
    where t.id = ${stays}::uuid`);
  await renewTexts(tx, (name) => workspace.table(name), [stays]);
  const removed = await tx.run(sql`delete from ${threads} where id = ${theirs}`);
  await raise(call, tx, 'threads', -removed.count);
}

/** Stores the ids that mails refer to, so that a referenced mail that arrives later joins their thread. */
async function keepReferences(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  owner: string,
  mails: readonly { readonly references: readonly string[]; readonly externalId: string }[],
): Promise<void> {
  const named = mails.flatMap(({ references, externalId }) => references.map((id) => ({ id, externalId })));
  if (named.length === 0) return;
  await tx.run(sql`insert into ${workspace.table('_thread_references')} (owner_id, message_id, thread_id)
    select distinct on (n.id) ${owner}::uuid, n.id, t.id
    from unnest(${named.map(({ id }) => id)}::text[], ${named.map(({ externalId }) => externalId)}::text[]) n (id, external)
    join ${workspace.table('_threads')} t on t.owner_id = ${owner}::uuid and t.channel = 'email' and t.external_thread_id = n.external
    order by n.id
    on conflict (owner_id, message_id) do nothing`);
}

async function notePortion(
  call: Call,
  tx: WorkspaceTransaction,
  mailbox: Mailbox,
  { folder, failed, ...position }: Portion,
): Promise<void> {
  await notePosition(call, tx, mailbox.integrationId, folder, position);
  await noteFailures(call, tx, mailbox, folder, failed);
}
