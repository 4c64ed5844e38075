/** Resolves the ids of merged records, even over several merges. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql, statement, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import type { Refusals } from '../writing/row-write.ts';

/** The final master of `id`, if the caller may see it; undefined otherwise. */
export async function masterOf(call: Call, object: ObjectDef, id: string): Promise<string | undefined> {
  const [found] = await call.workspace.read(statement(masterQuery(call, object, id), call.model.version));
  return found?.rows[0]?.[0] ?? undefined;
}

/** All but the last are trashed or purged. */
function masterQuery(call: Call, object: ObjectDef, id: string): Sql {
  const merges = call.workspace.table('_merges');
  return sql`with recursive master (id) as (
      select m.master_id from ${merges} m where m.record_id = ${id}::uuid and m.object_id = ${object.id}::uuid
      union select m.master_id from master p join ${merges} m on m.record_id = p.id)
    select r.id from ${call.workspace.table(object.table)} r
    where r.id in (select p.id from master p) and ${visibleRow(objectScope(call, object, 'r'))} limit 1`;
}

/** Does `work`; a RECORD_NOT_FOUND of a merged record names its master. */
export async function namingMaster<T>(call: Call, object: ObjectDef, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isMissing = error instanceof KithError && error.code === 'RECORD_NOT_FOUND';
    const master = isMissing ? await masterOf(call, object, id) : undefined;
    throw master === undefined ? error : wasMerged(object, id, master);
  }
}

/** RECORD_NOT_FOUND, which names the master of a merged record. */
export async function missingRecord(call: Call, object: ObjectDef, id: string): Promise<KithError> {
  const master = await masterOf(call, object, id);
  return master === undefined ? errors.recordNotFound(object.name, id) : wasMerged(object, id, master);
}

/** The refusals; RECORD_NOT_FOUND of merged records name their masters. */
export async function namingMasters(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  refusals: Refusals,
): Promise<Refusals> {
  const missing = [...refusals].flatMap(([id, { code }]) => (code === 'RECORD_NOT_FOUND' && isUuid(id) ? [id] : []));
  if (missing.length === 0) return refusals;
  const named = new Map(refusals);
  for (const [id, master] of await mastersAmong(call, tx, object, missing))
    if (master !== undefined) named.set(id, wasMerged(object, id, master));
  return named;
}

/** INVALID_OPERATION for those of the locked records that are merged: only an unmerge restores them. */
export async function mergedAmong(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KithError>> {
  const masters = await mastersAmong(call, tx, object, ids);
  return new Map([...masters].map(([id, master]) => [id, mayOnlyBeUnmerged(id, master)]));
}

/** The final master of each merged record; undefined where the caller does not see it. */
export async function mastersAmong(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const merges = call.workspace.table('_merges');
  const { rows } = await tx.run(sql`with recursive master (record_id, id) as (
      select m.record_id, m.master_id from ${merges} m
        where m.record_id = any(${ids}::uuid[]) and m.object_id = ${object.id}::uuid
      union select p.record_id, m.master_id from master p join ${merges} m on m.record_id = p.id)
    select p.record_id, (array_agg(r.id) filter (where r.id is not null))[1]
    from master p left join (select r.id from ${call.workspace.table(object.table)} r
      where ${visibleRow(objectScope(call, object, 'r'))}) r on r.id = p.id
    group by p.record_id`);
  return new Map(rows.map(([id, master]) => [id ?? '', master ?? undefined]));
}

function wasMerged({ name }: ObjectDef, id: string, master: string): KithError {
  return errors.recordNotFound(name, id, `: it was merged into ${master}`);
}

function mayOnlyBeUnmerged(id: string, master: string | undefined): KithError {
  const into = master === undefined ? '' : ` into ${master}`;
  return errors.invalidOperation(
    `${id} is in the trash because it was merged${into}: an admin gets it back by POST /api/v1/duplicates with "action": "unmerge"`,
  );
}
