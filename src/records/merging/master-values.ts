/**
 * The master's new values: blank fields filled from duplicates, sets united, and no relations to merged records.
 * [spec: Duplicates]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { maxValues } from '../../fields/contact-values.ts';
import { fieldType } from '../../fields/registry.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { columnsByField } from '../writing/columns.ts';
import { targetOf } from '../writing/references.ts';
import { cellOfItems, itemsOf, setFields, united } from './contact-sets.ts';
import type { Ledger } from './ledger.ts';
import { heldBy, type StoredMerge } from './moved.ts';
import type { StoredRow } from './stored-rows.ts';
import type { Strategy } from './strategy.ts';

export interface Merging {
  readonly object: ObjectDef;
  readonly master: StoredRow;
  /** In the requested order. */
  readonly duplicates: readonly StoredRow[];
  readonly strategy: Strategy;
  /** The record chosen for a field's value, by field. */
  readonly chosen: ReadonlyMap<FieldDef, string>;
  /** Earlier merges into the master. */
  readonly earlier: ReadonlyMap<string, StoredMerge>;
}

/** The master's new cells. Throws MERGE_FAILED for a set that is too large. */
export async function masterCells(
  call: Call,
  tx: WorkspaceTransaction,
  merging: Merging,
  ledger: Ledger,
): Promise<Map<FieldDef, readonly Cell[]>> {
  const cells = new Map<FieldDef, readonly Cell[]>();
  const alive = await aliveTargets(call, tx, merging);
  for (const field of fillable(merging.object)) fill(merging, field, alive, cells, ledger);
  for (const field of setFields(merging.object)) unite(merging, field, cells, ledger);
  return cells;
}

/** The single-value fields that a merge may set, parents before dependents; no pipeline positions. */
export function fillable(object: ObjectDef): readonly FieldDef[] {
  const columns = columnsByField(object);
  const fields = object.fields.filter(
    (field) => columns.has(field) && !field.isReadonly && fieldType(field.type).uniqueValues === undefined,
  );
  return fields.toSorted((one, other) => depthOf(object, one) - depthOf(object, other));
}

function depthOf(object: ObjectDef, field: FieldDef): number {
  let depth = 0;
  for (let at: FieldDef | undefined = field; at?.dependsOn !== undefined && depth < object.fields.length; depth++)
    at = object.attributes.get(at.dependsOn);
  return depth;
}

/** Whether the field leads to a record. */
function isRelation(field: FieldDef): boolean {
  const target = fieldType(field.type).target?.(field);
  return target !== undefined && target !== 'user';
}

function fill(
  { object, master, duplicates, strategy, chosen }: Merging,
  field: FieldDef,
  alive: ReadonlySet<string>,
  cells: Map<FieldDef, readonly Cell[]>,
  ledger: Ledger,
): void {
  const relation = isRelation(field);
  const was = master.cells.get(field) ?? [];
  const nothing = was.map(() => null);
  const merged = new Set([master, ...duplicates].map(({ id }) => id));
  const toDuplicate = relation && was[0] && was[0] !== master.id && merged.has(was[0]) ? was[0] : undefined;
  const parent = field.dependsOn === undefined ? undefined : object.attributes.get(field.dependsOn);
  const takes = (row: StoredRow) => {
    const [id = null] = row.cells.get(field) ?? [];
    if (row.blank.has(field) || (relation && (id === null || merged.has(id) || !alive.has(id)))) return false;
    return !parent || row.cells.get(parent)?.[0] === (cells.get(parent) ?? master.cells.get(parent))?.[0];
  };
  const choice = chosen.get(field);
  const isOpen = toDuplicate !== undefined || (master.blank.has(field) && (relation || strategy === 'fill_blanks'));
  const giver =
    choice === undefined
      ? isOpen
        ? duplicates.find(takes)
        : undefined
      : duplicates.find(({ id }) => id === choice && choice !== master.id);
  if (choice !== undefined && giver && relation && !takes(giver) && !giver.blank.has(field))
    throw errors.mergeFailed(`${field.name} of ${giver.id} leads to a record that the merged one cannot have`, [
      { field: field.name, message: `${field.name} leads to a record that is merged, in the trash or does not fit` },
    ]);
  if (choice === master.id && toDuplicate === undefined) return;
  if (!giver && toDuplicate === undefined) return;
  const is = giver?.cells.get(field) ?? nothing;
  if (is.every((cell, at) => cell === was[at])) return;
  cells.set(field, is);
  const from = toDuplicate ?? giver?.id;
  if (from !== undefined) ledger.of(from).filled[field.id] = { was, is };
}

function unite(
  { object, master, duplicates, earlier }: Merging,
  field: FieldDef,
  cells: Map<FieldDef, readonly Cell[]>,
  ledger: Ledger,
): void {
  const own = itemsOf(field, master.cells.get(field));
  const held = heldBy(earlier.values(), 'values', field.id);
  const byItself = new Set(own.map(({ key }) => key).filter((key) => !held.has(key)));
  const sets = duplicates.map((row) => itemsOf(field, row.cells.get(field)));
  for (const [at, set] of sets.entries()) {
    const given = set.map(({ key }) => key).filter((key) => !byItself.has(key));
    if (given.length > 0) ledger.of(duplicates[at]?.id ?? '').values[field.id] = given;
  }
  const all = united([own, ...sets]);
  if (all.length === own.length) return;
  if (all.length > maxValues) {
    const message = `${field.name} would have ${all.length} values, and takes at most ${maxValues}`;
    throw errors.mergeFailed(`The records of ${object.name} cannot be merged: ${message}`, [
      { field: field.name, message },
    ]);
  }
  cells.set(field, [cellOfItems(all)]);
}

/** The visible records to which the duplicates' relations lead. */
async function aliveTargets(
  call: Call,
  tx: WorkspaceTransaction,
  { object, duplicates }: Merging,
): Promise<ReadonlySet<string>> {
  const { workspace, model } = call;
  const wanted = new Map<string, Set<string>>();
  for (const field of fillable(object).filter(isRelation)) {
    for (const { cells } of duplicates) {
      const own = cells.get(field) ?? [];
      const target = targetOf(field, own);
      if (!own[0] || target === undefined) continue;
      const ids = wanted.get(target) ?? new Set();
      wanted.set(target, ids.add(own[0]));
    }
  }
  const alive = new Set<string>();
  for (const [name, ids] of wanted) {
    const target = model.objects.get(name);
    if (!target) continue;
    const { rows } = await tx.run(sql`select t.id from ${workspace.table(target.table)} t
      where t.id = any(${[...ids]}::uuid[]) and ${visibleRow(objectScope(call, target, 't'))}`);
    for (const [id] of rows) alive.add(id ?? '');
  }
  return alive;
}
