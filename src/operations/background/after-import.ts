/**
 * What an import leaves to do, so that the next reads are fast: PostgreSQL learns what the table holds now, and what waits beside its
 * search indexes goes into them. Left to itself it does both within minutes, in which a search costs several times as much.
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

/** Records of one call, from which on the job is worth its while. */
export const manyRecords = 1_000;

/** Tables into which rows come with those of an internal object. */
const tablesBeside: Readonly<Record<string, readonly string[]>> = {
  interactions: ['_threads', '_interaction_contents', '_participants', '_addresses'],
  events: ['_event_attendees'],
};

/** Messages or meetings of one lot of a file, which has some hundred lines, from which on it is. */
export const manyInLot = 200;

/** The batches of a file follow each other within seconds: one job is for several. */
const delayMs = 5_000;

/** Asks for the job, in the transaction in which many records came into the object. */
export async function askAfterImport(call: Call, tx: WorkspaceTransaction, { id }: ObjectDef): Promise<void> {
  const runAt = call.now + delayMs;
  await tx.run(insertJob(call.model, { kind, key: id, input: { objectId: id }, runAt }, call.now));
  call.wake(runAt);
}

/** Carries it out: gathers statistics and, but on Citus, whose shards are out of reach, empties the pending lists of GIN indexes. */
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
