/** The records of a change set under their locks, with what is to be restored. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import { and, instant, or, sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { compileRule, visibleRow } from '../../query/where.ts';
import { lockRecords } from '../writing/lock.ts';
import { trashedRow, trashMs } from '../writing/trash.ts';
import { bundlesOf, leaderOf } from './bundles.ts';
import { entriesSince, type Undoing, type Written } from './change-set.ts';
import type { Outcome } from './outcome.ts';
import { tracesOf, type Trace } from './trace.ts';

/** A record that the caller sees, trashed or not. */
export interface LookedAt {
  readonly id: string;
  readonly isPresent: boolean;
  readonly mayUpdate: boolean;
  readonly mayDelete: boolean;
  readonly trace: Trace;
}

/** A step of an undo: does what it can for some records of one object, and reports the rest in `outcome`. */
export type Step = (part: Part) => Promise<void>;

/** The arguments of a step. The records are locked. */
export interface Part {
  readonly call: Call;
  readonly tx: WorkspaceTransaction;
  readonly object: ObjectDef;
  readonly records: readonly LookedAt[];
  /** The outcome of earlier steps. */
  readonly earlier: Outcome | undefined;
  readonly outcome: Outcome;
}

/** Locks the records in id order, and returns those that the caller sees. */
export async function lookAt(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  undoing: Undoing,
  records: readonly Written[],
): Promise<readonly LookedAt[]> {
  const { name, table } = object;
  const scope = objectScope(call, object, 't');
  const since = sql`t.deleted_at >= ${instant(call.now - trashMs)}`;
  const isSeen = or([visibleRow(scope), and([trashedRow(call, scope), since])]);
  const ids = records.map(({ recordId }) => recordId);
  const mayUpdate = await lockRecords(call, tx, scope, ids, isSeen, call.visibility.updates(name));
  const seen = records.filter(({ recordId }) => mayUpdate.has(recordId));
  if (seen.length === 0) return [];
  const mayDelete = compileRule(call.visibility.deletes(name), scope);
  const { rows } = await tx.run(sql`select t.id, t.deleted_at is null, (${mayDelete})::boolean
    from ${call.workspace.table(table)} t where t.id = any(${[...mayUpdate.keys()]}::uuid[]) order by t.id`);
  const entries = await entriesSince(call, tx, undoing, object.id, seen);
  const traces = await tracesOf(entries, bundlesOf(object));
  return rows.flatMap(([id = '', isPresent, may]) => {
    const trace = traces.get(id ?? '');
    if (!id || !trace) return [];
    return [{ id, isPresent: isPresent === 't', mayUpdate: mayUpdate.get(id) ?? false, mayDelete: may === 't', trace }];
  });
}

/** The names of the fields with those ids that the caller may know, each through its leading field. */
export function shownFields({ visibility }: Call, object: ObjectDef, ids: Iterable<string>): readonly string[] {
  const fields = fieldsById(object);
  const leaders = [...ids].flatMap((id) => {
    const field = fields.get(id);
    return field ? [leaderOf(object, field).name] : [];
  });
  return [...new Set(leaders)].filter((name) => visibility.shows(object.name, name));
}

const remembered = new WeakMap<ObjectDef, ReadonlyMap<string, FieldDef>>();

/** All fields of the object by id, hidden ones included. */
export function fieldsById(object: ObjectDef): ReadonlyMap<string, FieldDef> {
  let fields = remembered.get(object);
  if (!fields)
    remembered.set(object, (fields = new Map([...object.attributes.values()].map((field) => [field.id, field]))));
  return fields;
}
