/** Delete puts a record into the trash, restore takes it out. [decisions: Writing] */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { errors } from '../errors.ts';
import type { ObjectDef } from '../model/model.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { objectScope } from '../query/object-scope.ts';
import { planGet } from '../query/plan-get.ts';
import { compileRule, visibleRow } from '../query/where.ts';
import { historyClause, stateClause } from './bookkeeping.ts';
import { duplicateIn } from './duplicate.ts';
import type { ExpectedStates } from './etag.ts';
import { isAsExpected } from './expect-state.ts';
import { restoreClash } from './unique.ts';
import { freeValues, retakeValues } from './unique-values.ts';
import type { Written } from './write-record.ts';

/** How long a record can come out of the trash again, in milliseconds. */
export const trashMs = 30 * 86_400_000;

/** Moves the record into the trash. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, CONFLICT for another state than those expected. */
export async function trashRecord(call: Call, object: ObjectDef, id: string, expected: ExpectedStates): Promise<void> {
  await call.workspace.transaction(async (tx) => {
    const scope = objectScope(call, object, 't');
    await lockAndJudge(call, tx, object, id, visibleRow(scope), 'delete');
    if (!(await isAsExpected(call, tx, object, id, expected))) throw errors.stale();
    await freeValues(call, tx, object, id);
    await tx.run(changeTrash(call, object, id, sql`${new Date(call.now).toISOString()}::timestamptz`, 'delete'));
  });
}

/** Takes the record out of the trash again, within 30 days, and gives it. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, DUPLICATE_RECORD. */
export async function restoreFromTrash(call: Call, object: ObjectDef, id: string): Promise<Written> {
  try {
    return await call.workspace.transaction((tx) => restore(call, tx, object, id));
  } catch (error) {
    const duplicate = duplicateIn(object, error);
    throw duplicate ? await restoreClash(call, object, duplicate, id) : error;
  }
}

async function restore(call: Call, tx: WorkspaceTransaction, object: ObjectDef, id: string): Promise<Written> {
  const scope = objectScope(call, object, 't');
  const since = new Date(call.now - trashMs).toISOString();
  const inTrash = sql`t.deleted_at >= ${since}::timestamptz and ${compileRule(call.visibility.rows(object.name), scope)}`;
  await lockAndJudge(call, tx, object, id, inTrash, 'restore');
  await retakeValues(call, tx, object, id);
  await tx.run(changeTrash(call, object, id, sql`null`, 'restore'));
  const plan = planGet(call, object, id);
  const found = plan.read((await tx.run(plan.statement)).rows);
  return found ? { json: found.record, tag: found.tag ?? '' } : null;
}

/** The lock has a statement of its own: what follows sees the row as it is once nobody else holds it. */
async function lockAndJudge(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  id: string,
  present: Sql,
  verb: 'delete' | 'restore',
): Promise<void> {
  const table = call.workspace.table(object.name);
  await tx.run(sql`select t.id from ${table} t where t.id = ${id}::uuid for update`);
  const scope = objectScope(call, object, 't');
  const rule = compileRule(call.visibility.deletes(object.name), scope);
  const { rows } = await tx.run(sql`select (${rule})::boolean from ${table} t where t.id = ${id}::uuid and ${present}`);
  if (rows.length === 0) throw errors.recordNotFound(object.name, id);
  if (rows[0]?.[0] !== 't') throw errors.permissionDenied(`Your role may not ${verb} this record of ${object.name}`);
}

function changeTrash(call: Call, object: ObjectDef, id: string, deletedAt: Sql, action: 'delete' | 'restore'): Sql {
  return sql`with written as (update ${call.workspace.table(object.name)} t set deleted_at = ${deletedAt}
      where t.id = ${id}::uuid returning t.id),
    ${historyClause(call, object, { action, before: sql`'{}'::jsonb` })},
    ${stateClause(call, object, action === 'delete' ? -1 : 1)}
    select id from written`;
}
