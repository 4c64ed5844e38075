/** Updates messages, such as those that report a meeting. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { insertContents, insertParticipants, type InteractionRow } from './ingest.ts';
import { raiseVersion } from './ingest-rows.ts';
import { uncount } from './remove-messages.ts';
import { renewTexts } from './thread-texts.ts';

/** Updates existing messages from their lines: date, subject, participants and contents. */
export async function changeMessages(
  call: Call,
  tx: WorkspaceTransaction,
  rows: readonly InteractionRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { workspace } = call;
  const [threads, interactions] = [workspace.table('_threads'), workspace.table('_interactions')];
  const ids = rows.map(({ id }) => id);
  const threadIds = [...new Set(rows.map(({ threadId }) => threadId))];
  await tx.run(sql`select t.id from ${threads} t where t.id = any(${threadIds}::uuid[]) order by t.id for update`);
  await uncount(call, tx, ids);
  await tx.run(sql`delete from ${workspace.table('_participants')} where interaction_id = any(${ids}::uuid[])`);
  const participants = rows.map(({ line }) => JSON.stringify(line.participants));
  await tx.run(sql`update ${interactions} i set date = n.date, subject = n.subject, direction = n.direction,
      participants = array(select jsonb_array_elements_text(n.participants)), updated_at = ${instant(call.now)}
    from unnest(${ids}::uuid[], ${rows.map(({ line }) => line.date)}::timestamptz[], ${rows.map(({ line }) => line.subject)}::text[],
      ${rows.map(({ line }) => line.direction)}::text[], ${participants}::jsonb[]) n (id, date, subject, direction, participants)
    where i.id = n.id`);
  await insertContents(call, tx, rows);
  await insertParticipants(call, tx, rows);
  const lines = threadIds.map((id) => rows.findLast(({ threadId }) => threadId === id)?.line);
  const visibilities = threadIds.map(
    (id) => rows.findLast(({ threadId, line }) => threadId === id && line.visibility !== undefined)?.line.visibility,
  );
  await tx.run(sql`update ${threads} t set subject = coalesce(n.subject, t.subject),
      content_visibility = coalesce(n.visibility, t.content_visibility), updated_at = ${instant(call.now)}
    from unnest(${threadIds}::uuid[], ${lines.map((line) => line?.subject ?? null)}::text[],
      ${visibilities.map((visibility) => visibility ?? null)}::text[]) n (id, subject, visibility) where t.id = n.id`);
  await tx.run(sql`update ${threads} t set last_message_date = c.latest
    from (select i.interaction_thread_id thread_id, max(i.date) latest from ${interactions} i
      where i.interaction_thread_id = any(${threadIds}::uuid[]) group by i.interaction_thread_id) c where c.thread_id = t.id`);
  await renewTexts(tx, (name) => workspace.table(name), threadIds);
  await raiseVersion(call, tx, 'interactions', rows.length);
  await raiseVersion(call, tx, 'threads', threadIds.length);
}
