/**
 * Analyzes tables and flushes pending GIN entries after an import, since autovacuum takes minutes during which a search
 * costs several times as much.
 */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { defineJob, type JobKind } from '../../jobs/job.ts';
import { insertJob } from '../../jobs/table.ts';
import { loadModel } from '../../model/load.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import { statementLimits } from '../../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../../postgres/sql.ts';

const kind = 'after-import';

/** Records in one call that make the job worthwhile. */
export const manyRecords = 1_000;

/** Tables that are written along with those of an internal object. */
const tablesBeside: Readonly<Record<string, readonly string[]>> = {
  interactions: ['_threads', '_interaction_contents', '_participants', '_addresses'],
  events: ['_event_attendees'],
};

/** Messages or meetings in one batch of a file, of a few hundred lines, that make the job worthwhile. */
export const manyInLot = 200;

/** The batches of a file follow each other within seconds: one job serves several. */
const delayMs = 5_000;

/** Enqueues the job in the transaction that wrote many records of the object. */
export async function askAfterImport(call: Call, tx: WorkspaceTransaction, { id }: ObjectDef): Promise<void> {
  const runAt = call.now + delayMs;
  await tx.run(insertJob(call.model, { kind, key: id, input: { objectId: id }, runAt }, call.now));
  call.wake(runAt);
}

/** The job kind: runs ANALYZE and, except on Citus, whose shards it cannot reach, empties the pending lists of GIN indexes. */
export const refreshingStatistics: JobKind = defineJob({
  kind,
  input: Type.Object({ objectId: Type.String() }),
  async run({ database, organization, input }) {
    const model = await loadModel(database, organization);
    const object = objectWithId(model, input.objectId);
    if (!object) return;
    const beside = object.kind === 'internal' ? tablesBeside[object.name] : undefined;
    const tables = [object.table, ...(beside ?? [])];
    const run = (query: Sql) => database.run(organization.id, statement(query), statementLimits.bulk);
    for (const table of tables) await run(sql`analyze ${identifier(model.schema, table)}`);
    if (database.engine === 'citus') return;
    await run(sql`select gin_clean_pending_list(i.indexrelid) from pg_index i
      join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
      join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where n.nspname = ${model.schema} and t.relname = any(${tables}::text[]) and a.amname = 'gin'`);
  },
});
