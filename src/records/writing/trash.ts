/** Delete puts a record into the trash, restore takes it out. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import { dayMs } from '../../lib/durations.ts';
import type { ObjectDef } from '../../model/model.ts';
import { and, instant, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import type { ObjectScope } from '../../query/row-scope.ts';
import { compileRule, visibleRow } from '../../query/where.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import { mergedAmong } from '../merging/old-ids.ts';
import { duplicateIn } from './duplicate.ts';
import type { ExpectedStates } from './etag.ts';
import { isAsExpected } from './expect-state.ts';
import { replaceLinks } from './replace-links.ts';
import { lockRecords } from './lock.ts';
import { readWritten, type Written } from '../reading/read-written.ts';
import { throwRefusal, type Refusals, type RowWrite } from './row-write.ts';
import { restoreClash } from './unique.ts';
import { freeValues, retakeValues } from './unique-values.ts';
import { writeRows } from './write-rows.ts';

/** How long a trashed record can be restored, in milliseconds. */
export const trashMs = 30 * dayMs;

/** The trashed rows of `scope` that the caller may view and delete. */
export function trashedRow({ visibility }: Call, scope: ObjectScope): Sql {
  const { name } = scope.object;
  const rules = [visibility.rows(name), visibility.deletes(name)].map((rule) => compileRule(rule, scope));
  return and([sql`${scope.row}.deleted_at is not null`, ...rules]);
}

/** Moves the record into the trash. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, CONFLICT for another state than those expected. */
export async function trashRecord(call: Call, object: ObjectDef, id: string, expected: ExpectedStates): Promise<void> {
  await call.workspace.transaction((tx) => trash(call, tx, object, id, expected, () => Promise.resolve(null)));
}

/**
 * Moves a record that is never restored, such as a task or a note, into the trash and removes its links. Throws as
 * `trashRecord`.
 */
export async function trashWithLinks(
  call: Call,
  object: ObjectDef,
  id: string,
  expected: ExpectedStates,
): Promise<void> {
  await call.workspace.transaction((tx) =>
    trash(call, tx, object, id, expected, async () => {
      const left = await replaceLinks(call, tx, withoutLinks(object, [id]));
      return left.get(id) ?? null;
    }),
  );
}

/** The records with all their link fields empty. */
function withoutLinks(object: ObjectDef, ids: readonly string[]) {
  const linking = object.fields.filter(({ linkTable }) => linkTable !== undefined);
  const links = new Map(linking.map((field) => [field, []]));
  return ids.map((id) => ({ id, links }));
}

/** `unlink` removes links under the record's lock, and returns `LinkChanges` as JSON text or null. */
async function trash(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  id: string,
  expected: ExpectedStates,
  unlink: () => Promise<string | null>,
): Promise<void> {
  throwRefusal(await lockForTrash(call, tx, object, [id], 'delete'));
  if (!(await isAsExpected(call, tx, object, id, expected))) throw errors.stale();
  const links = await unlink();
  await freeValues(call, tx, object, [id]);
  await writeRows(call, tx, { ...change(call, object, [id], 'delete'), links: sql`${links}::jsonb` });
}

/**
 * Restores the record within 30 days, and returns it. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, DUPLICATE_RECORD,
 * INVALID_OPERATION for a merged one.
 */
export async function restoreFromTrash(call: Call, object: ObjectDef, id: string): Promise<Written> {
  try {
    return await call.workspace.transaction((tx) => restore(call, tx, object, id));
  } catch (error) {
    const duplicate = duplicateIn(object, error);
    throw duplicate ? await restoreClash(call, object, duplicate, id) : error;
  }
}

async function restore(call: Call, tx: WorkspaceTransaction, object: ObjectDef, id: string): Promise<Written> {
  throwRefusal(await lockForTrash(call, tx, object, [id], 'restore'));
  await restoreRows(call, tx, object, [id]);
  return readWritten(call, tx, object, id);
}

export type Verb = 'delete' | 'restore';

/**
 * Locks the records, judges them in their current state, and returns refusals for those that are missing or may not
 * be trashed or restored.
 */
export async function lockForTrash(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
  verb: Verb,
): Promise<Refusals> {
  const scope = objectScope(call, object, 't');
  const { name } = object;
  const present = verb === 'delete' ? visibleRow(scope) : restorable(call, scope);
  const may = await lockRecords(call, tx, scope, ids, present, call.visibility.deletes(name));
  const refusals = new Map<string, KithError>();
  for (const id of ids) {
    if (sliceIsOver()) await nextSlice();
    const allowed = may.get(id);
    if (allowed === undefined) refusals.set(id, gone(verb, name, id));
    else if (!allowed) refusals.set(id, errors.permissionDenied(`Your role may not ${verb} this record of ${name}`));
  }
  if (verb === 'delete') return refusals;
  const open = ids.filter((id) => !refusals.has(id));
  return new Map([...refusals, ...(await mergedAmong(call, tx, object, open))]);
}

/** A row of `scope` in the trash that is recent enough and visible to the caller. */
function restorable(call: Call, scope: ObjectScope): Sql {
  const since = new Date(call.now - trashMs).toISOString();
  return sql`${scope.row}.deleted_at >= ${since}::timestamptz and ${compileRule(call.visibility.rows(scope.object.name), scope)}`;
}

function gone(verb: Verb, objectName: string, id: string): KithError {
  return verb === 'restore' ? errors.notInTrash(objectName, id) : errors.recordNotFound(objectName, id);
}

/** Moves locked and judged records into the trash; records of managed objects lose their links. */
export async function trashRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const left = object.kind === 'managed' ? await replaceLinks(call, tx, withoutLinks(object, ids)) : [];
  const links = [...left].flatMap(([id, text]) => (text === null ? [] : [`"${id}":${text}`]));
  await freeValues(call, tx, object, ids);
  await writeRows(call, tx, {
    ...change(call, object, ids, 'delete'),
    ...(links.length > 0 && { links: sql`${`{${links.join(',')}}`}::jsonb -> was.id::text` }),
  });
}

/** Restores locked and judged records. Throws Duplicate. */
export async function restoreRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<void> {
  await retakeValues(call, tx, object, ids);
  await writeTrashed(call, tx, object, ids, 'restore');
}

/** Writes only the trash state of the rows, nothing beside them. */
export async function writeTrashed(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
  verb: Verb,
): Promise<void> {
  await writeRows(call, tx, change(call, object, ids, verb));
}

/** The write of locked and judged records. */
function change(call: Call, object: ObjectDef, ids: readonly string[], verb: Verb): RowWrite {
  const deletedAt = verb === 'delete' ? instant(call.now) : sql`null::timestamptz`;
  return {
    object,
    action: verb,
    ids,
    reads: [],
    from: sql`${call.workspace.table(object.table)} was where was.id = any(${ids}::uuid[])`,
    id: sql`was.id`,
    columns: [{ name: 'deleted_at', type: sql`timestamptz`, value: deletedAt }],
    differs: null,
    version: null,
    checks: [],
    before: sql`'{}'::jsonb`,
    links: sql`null::jsonb`,
    missing: (id) => gone(verb, object.name, id),
  };
}
