/**
 * What an import leaves to do, so that the next reads are fast: PostgreSQL learns what the table holds now, and what waits beside its
 * search indexes goes into them. Left to itself it does both within minutes, in which a search costs several times as much.
 */
import { Type } from 'typebox';
import { defineJob, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { loadModel } from '../../model/load.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import { statementLimits } from '../../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../../postgres/sql.ts';

const kind = 'after-import';

/** Records of one call, from which on the job is worth its while. */
export const manyRecords = 1_000;

/** The batches of a file follow each other within seconds: one job is for several. */
const delayMs = 5_000;

/** The job for an object into which many records came at `now`, in milliseconds. */
export function afterImport({ id }: ObjectDef, now: number): WantedJob & { readonly runAt: number } {
  return { kind, key: id, input: { objectId: id }, runAt: now + delayMs };
}

/** Carries it out: gathers statistics and, but on Citus, whose shards are out of reach, empties the pending lists of GIN indexes. */
export const refreshingStatistics: JobKind = defineJob({
  kind,
  input: Type.Object({ objectId: Type.String() }),
  async run({ database, organization, input }) {
    const model = await loadModel(database, organization);
    const object = objectWithId(model, input.objectId);
    if (!object) return;
    const run = (query: Sql) => database.run(organization.id, statement(query), statementLimits.bulk);
    await run(sql`analyze ${identifier(model.schema, object.table)}`);
    if (database.engine === 'citus') return;
    await run(sql`select gin_clean_pending_list(i.indexrelid) from pg_index i
      join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
      join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where n.nspname = ${model.schema} and t.relname = ${object.table} and a.amname = 'gin'`);
  },
});
