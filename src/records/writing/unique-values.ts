/**
 * Unique fields whose value is a set (EMAILS, PHONES): each value of a record outside the trash is a row of
 * `_unique_values`. A write stores the difference, in the transaction that locks or creates the record.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql } from '../../postgres/sql.ts';
import { storedColumns } from './columns.ts';
import type { Decoded } from './decode.ts';
import { Duplicate } from './duplicate.ts';

/** One value of one record. */
interface OwnedValue {
  readonly record: string;
  readonly value: string;
}

/** The unique fields whose values are rows of `_unique_values`. */
function setFields(object: ObjectDef): readonly FieldDef[] {
  return object.fields.filter((field) => field.isUnique && fieldType(field.type).uniqueValues);
}

function valuesOf(field: FieldDef, cells: readonly Cell[]): readonly string[] {
  return fieldType(field.type).uniqueValues?.(cells) ?? [];
}

/** Whether a write sets such a field, and so needs a transaction. */
export function setsUniqueValues(object: ObjectDef, decoded: Decoded): boolean {
  return setFields(object).some((field) => decoded.cells.has(field));
}

/** Replaces the values that records have, by those of the rows. Throws Duplicate for a taken one. */
export async function replaceValues(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly (Pick<Decoded, 'cells'> & { readonly id: string })[],
): Promise<void> {
  for (const field of setFields(object)) {
    const giving = rows.filter(({ cells }) => cells.has(field));
    if (giving.length === 0) continue;
    const wanted = giving.flatMap(({ id: record, cells }) =>
      valuesOf(field, cells.get(field) ?? []).map((value) => ({ record, value })),
    );
    const ofField = sql`from ${call.workspace.table('_unique_values')} v where v.field_id = ${field.id}::uuid`;
    const ids = giving.map(({ id }) => id);
    const found = await tx.run(sql`select v.record_id, v.value ${ofField} and v.record_id = any(${ids}::uuid[])`);
    const stored = found.rows.map(([record, value]) => ({ record: record ?? '', value: value ?? '' }));
    const keyOf = ({ record, value }: OwnedValue) => `${record} ${value}`;
    const [has, wants] = [new Set(stored.map(keyOf)), new Set(wanted.map(keyOf))];
    // A value belongs to one record of the field.
    const freed = stored.filter((owned) => !wants.has(keyOf(owned))).map(({ value }) => value);
    if (freed.length > 0) await tx.run(sql`delete ${ofField} and v.value = any(${freed}::text[])`);
    const added = wanted.filter((owned) => !has.has(keyOf(owned)));
    await takeValues(call, tx, object, field, added);
  }
}

/** Inserts the values of new records. Throws Duplicate when another record has one of them. */
export async function takeValuesOfRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly (Decoded & { readonly id: string })[],
): Promise<void> {
  for (const field of setFields(object)) {
    const owned = rows.flatMap((row) =>
      valuesOf(field, row.cells.get(field) ?? []).map((value) => ({ record: row.id, value })),
    );
    await takeValues(call, tx, object, field, owned);
  }
}

/** Deletes the values of records that go into the trash, so that others may take them. */
export async function freeValues(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly string[],
): Promise<void> {
  if (setFields(object).length === 0) return;
  await tx.run(sql`delete from ${call.workspace.table('_unique_values')} where record_id = any(${records}::uuid[])`);
}

/** Inserts the values of restored records again. Throws Duplicate. */
export async function retakeValues(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly string[],
): Promise<void> {
  const columns = storedColumns(object).filter((column) => setFields(object).includes(column.field));
  if (columns.length === 0) return;
  const names = columns.map((column) => identifier(column.name));
  const { rows } = await tx.run(
    sql`select ${join([sql`id`, ...names], ', ')} from ${call.workspace.table(object.table)} where id = any(${records}::uuid[])`,
  );
  for (const [at, { field }] of columns.entries()) {
    const owned = rows.flatMap(([id, ...cells]) =>
      valuesOf(field, [cells[at] ?? null]).map((value) => ({ record: id ?? '', value })),
    );
    await takeValues(call, tx, object, field, owned);
  }
}

/** In value order, so that two writers cannot deadlock. */
async function takeValues(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  field: FieldDef,
  owned: readonly OwnedValue[],
): Promise<void> {
  if (owned.length === 0) return;
  const values = owned.map(({ value }) => value);
  const records = owned.map(({ record }) => record);
  const { rows } =
    await tx.run(sql`insert into ${call.workspace.table('_unique_values')} (object_id, field_id, value, record_id)
    select ${object.id}::uuid, ${field.id}::uuid, n.value, n.record
    from unnest(${values}::text[], ${records}::uuid[]) n (value, record)
    order by n.value collate "C" on conflict (field_id, value) do nothing returning value`);
  if (rows.length === owned.length) return;
  const taken = new Set(rows.map(([value]) => value));
  throw new Duplicate(
    field,
    values.filter((value) => !taken.has(value)),
  );
}
