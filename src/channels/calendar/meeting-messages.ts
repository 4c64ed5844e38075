/** Stores meetings as threads, with a message for each occurrence, for the inbox and the activity of contacts. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql } from '../../postgres/sql.ts';
import { changeMessages } from '../../records/conversations/change-messages.ts';
import { keepInteractions } from '../../records/conversations/ingest.ts';
import { removeMessages } from '../../records/conversations/remove-messages.ts';
import type { MeetingMessage } from './meeting-lines.ts';

interface Messages {
  readonly messages: readonly MeetingMessage[];
  /** External ids of messages to remove. */
  readonly removed: readonly string[];
}

/** Inserts, updates and removes messages; returns the ids of their threads by UID of the meeting. */
export async function writeMeetingMessages(
  call: Call,
  tx: WorkspaceTransaction,
  owner: string,
  { messages, removed }: Messages,
): Promise<ReadonlyMap<string, string>> {
  const known = await knownMessages(call, tx, owner, [...messages.map(({ externalId }) => externalId), ...removed]);
  const changed = messages.flatMap((line) => {
    const before = known.get(line.externalId);
    return before && (line.isChanged || differs(before, line)) ? [{ ...before, line }] : [];
  });
  await changeMessages(call, tx, changed);
  await keepInteractions(
    call,
    tx,
    messages.filter(({ externalId }) => !known.has(externalId)),
  );
  const gone = removed.flatMap((externalId) => known.get(externalId)?.id ?? []);
  if (gone.length > 0) await removeMessages(call, tx, gone);
  return threadsOf(
    call,
    tx,
    owner,
    messages.map(({ threadId }) => threadId),
  );
}

interface KnownMessage {
  readonly id: string;
  readonly threadId: string;
  readonly date: number;
  readonly subject: string | null;
  readonly participants: string;
}

async function knownMessages(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  owner: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, KnownMessage>> {
  if (externalIds.length === 0) return new Map();
  const { rows } =
    await tx.run(sql`select i.external_id, i.id, i.interaction_thread_id, extract(epoch from i.date) * 1000, i.subject,
      to_json(i.participants)
    from ${workspace.table('_interactions')} i
    where i.owner_id = ${owner}::uuid and i.channel = 'meeting' and i.external_id = any(${externalIds}::text[])`);
  return new Map(
    rows.map(([externalId, id, threadId, date, subject = null, participants]) => [
      externalId ?? '',
      {
        id: id ?? '',
        threadId: threadId ?? '',
        date: Math.round(Number(date)),
        subject,
        participants: JSON.stringify(JSON.parse(participants ?? '[]')),
      },
    ]),
  );
}

function differs({ date, subject, participants }: KnownMessage, line: MeetingMessage): boolean {
  return (
    date !== Date.parse(line.date) || subject !== line.subject || participants !== JSON.stringify(line.participants)
  );
}

async function threadsOf(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  owner: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uids.length === 0) return new Map();
  const { rows } = await tx.run(sql`select t.external_thread_id, t.id from ${workspace.table('_threads')} t
    where t.owner_id = ${owner}::uuid and t.channel = 'meeting' and t.external_thread_id = any(${[...new Set(uids)]}::text[])`);
  return new Map(rows.map(([uid, id]) => [uid ?? '', id ?? '']));
}
