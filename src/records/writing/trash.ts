/** Delete puts a record into the trash, restore takes it out. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { and, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import type { ObjectScope } from '../../query/row-scope.ts';
import { compileRule, visibleRow } from '../../query/where.ts';
import { authorOf, leave } from './leave.ts';
import { duplicateIn } from './duplicate.ts';
import type { ExpectedStates } from './etag.ts';
import { isAsExpected } from './expect-state.ts';
import { judgeLocked } from './judge-locked.ts';
import { readWritten } from '../reading/read-written.ts';
import { withClauses } from './references.ts';
import { restoreClash } from './unique.ts';
import { freeValues, retakeValues } from './unique-values.ts';
import type { Written } from './write-record.ts';

/** How long a record can come out of the trash again, in milliseconds. */
export const trashMs = 30 * 86_400_000;

/** The rows of `scope` that are in the trash, as far as the caller may both view and delete them. */
export function trashedRow({ visibility }: Call, scope: ObjectScope): Sql {
  const { name } = scope.object;
  const rules = [visibility.rows(name), visibility.deletes(name)].map((rule) => compileRule(rule, scope));
  return and([sql`${scope.row}.deleted_at is not null`, ...rules]);
}

/** Moves the record into the trash. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, CONFLICT for another state than those expected. */
export async function trashRecord(call: Call, object: ObjectDef, id: string, expected: ExpectedStates): Promise<void> {
  await call.workspace.transaction(async (tx) => {
    const scope = objectScope(call, object, 't');
    await lockAndJudge(call, tx, scope, id, visibleRow(scope), 'delete');
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
  await lockAndJudge(call, tx, scope, id, inTrash, 'restore');
  await retakeValues(call, tx, object, id);
  await tx.run(changeTrash(call, object, id, sql`null`, 'restore'));
  return readWritten(call, tx, object, id);
}

async function lockAndJudge(
  call: Call,
  tx: WorkspaceTransaction,
  scope: ObjectScope,
  id: string,
  present: Sql,
  verb: 'delete' | 'restore',
): Promise<void> {
  const { name } = scope.object;
  const may = await judgeLocked(call, tx, scope, id, present, call.visibility.deletes(name));
  if (may === undefined) throw verb === 'restore' ? errors.notInTrash(name, id) : errors.recordNotFound(name, id);
  if (!may) throw errors.permissionDenied(`Your role may not ${verb} this record of ${name}`);
}

function changeTrash(call: Call, object: ObjectDef, id: string, deletedAt: Sql, action: 'delete' | 'restore'): Sql {
  const written = sql`written as (update ${call.workspace.table(object.table)} t set deleted_at = ${deletedAt}
    where t.id = ${id}::uuid returning t.id)`;
  const entry = { objectId: object.id, action, before: sql`'{}'::jsonb` };
  return sql`${withClauses([written, ...leave(authorOf(call), entry, action === 'delete' ? -1 : 1)])} select id from written`;
}
