/** Removes messages for good: those of a removed account, and one that was not sent. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { raise, raiseVersion } from './ingest-rows.ts';
import { renewTexts } from './thread-texts.ts';

/** Removes the messages with these ids, and the threads that become empty. */
export async function removeMessages(call: Call, tx: WorkspaceTransaction, ids: readonly string[]): Promise<void> {
  const { workspace } = call;
  const [threads, interactions] = [workspace.table('_threads'), workspace.table('_interactions')];
  const anyId = sql`any(${ids}::uuid[])`;
  const held = await tx.run(sql`select t.id from ${threads} t where t.id in
      (select i.interaction_thread_id from ${interactions} i where i.id = ${anyId}) order by t.id for update`);
  const threadIds = held.rows.map(([id]) => id ?? '');
  await uncount(call, tx, ids);
  await tx.run(sql`delete from ${workspace.table('_participants')} where interaction_id = ${anyId}`);
  await tx.run(sql`delete from ${workspace.table('_interaction_contents')} where interaction_id = ${anyId}`);
  const removed = await tx.run(sql`delete from ${interactions} where id = ${anyId}`);
  await tx.run(sql`update ${threads} t set message_count = c.messages, last_message_date = c.latest, updated_at = ${instant(call.now)}
    from (select i.interaction_thread_id thread_id, count(*) messages, max(i.date) latest from ${interactions} i
      where i.interaction_thread_id = any(${threadIds}::uuid[]) group by i.interaction_thread_id) c where c.thread_id = t.id`);
  const emptied = await tx.run(sql`delete from ${threads} t where t.id = any(${threadIds}::uuid[])
    and not exists (select from ${interactions} i where i.interaction_thread_id = t.id) returning t.id`);
  const gone = emptied.rows.map(([id]) => id ?? '');
  const left = threadIds.filter((id) => !gone.includes(id));
  await renewTexts(tx, (name) => workspace.table(name), left);
  await tx.run(sql`delete from ${workspace.table('_thread_references')} where thread_id = any(${gone}::uuid[])`);
  await tx.run(sql`update ${workspace.table('_events')} set thread_id = null where thread_id = any(${gone}::uuid[])`);
  await raise(call, tx, 'interactions', -removed.count);
  if (gone.length > 0) await raise(call, tx, 'threads', -gone.length);
  else await raiseVersion(call, tx, 'threads', left.length);
}

/** Subtracts these messages from the counts of their addresses, in the same order as they were added. */
export async function uncount({ workspace }: Call, tx: WorkspaceTransaction, ids: readonly string[]): Promise<void> {
  const addresses = workspace.table('_addresses');
  const { rows } =
    await tx.run(sql`select p.address, p.owner_id, p.channel, count(*) from ${workspace.table('_participants')} p
    where p.interaction_id = any(${ids}::uuid[]) group by 1, 2, 3 order by 1, 2, 3`);
  const column = (at: number) => rows.map((row) => row[at] ?? '');
  await tx.run(sql`update ${addresses} a set messages = a.messages - n.messages
    from unnest(${column(0)}::text[], ${column(1)}::uuid[], ${column(2)}::text[], ${column(3)}::bigint[]) n (address, owner, channel, messages)
    where a.address = n.address and a.owner_id = n.owner and a.channel = n.channel`);
  await tx.run(sql`delete from ${addresses} where messages <= 0 and address = any(${column(0)}::text[])`);
}
