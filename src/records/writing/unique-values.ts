/**
 * Unique fields whose value is a set (EMAILS, PHONES): each value of a record outside the trash is a row of `_unique_values`.
 * A write stores the difference, in the transaction that has locked or makes the record.
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

/** The unique fields of an object whose values are kept apart. */
function setFields(object: ObjectDef): readonly FieldDef[] {
  return object.fields.filter((field) => field.isUnique && fieldType(field.type).uniqueValues);
}

function valuesOf(field: FieldDef, cells: readonly Cell[]): readonly string[] {
  return fieldType(field.type).uniqueValues?.(cells) ?? [];
}

/** Whether a write sets a field whose values are kept apart, so that it needs a transaction. */
export function setsUniqueValues(object: ObjectDef, decoded: Decoded): boolean {
  return setFields(object).some((field) => decoded.cells.has(field));
}

/** Makes the record's values of the fields that `decoded` sets the only ones it has. Throws Duplicate for one that is taken. */
export async function replaceValues(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  record: string,
  decoded: Decoded,
): Promise<void> {
  for (const field of setFields(object)) {
    const cells = decoded.cells.get(field);
    if (!cells) continue;
    const values = valuesOf(field, cells);
    const ofRecord = sql`from ${call.workspace.table('_unique_values')} v
      where v.record_id = ${record}::uuid and v.field_id = ${field.id}::uuid`;
    const stored = new Set((await tx.run(sql`select v.value ${ofRecord}`)).rows.map(([value]) => value));
    await tx.run(sql`delete ${ofRecord} and v.value <> all(${values}::text[])`);
    const added = values.filter((value) => !stored.has(value));
    await takeValues(
      call,
      tx,
      object,
      field,
      added.map((value) => ({ record, value })),
    );
  }
}

/** Gives up what the records no longer have of the fields that they set: another of the same set may take it. */
export async function giveUpValues(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly (Decoded & { readonly id: string })[],
): Promise<void> {
  for (const field of setFields(object)) {
    for (const { id, cells } of changes) {
      const given = cells.get(field);
      if (!given) continue;
      await tx.run(sql`delete from ${call.workspace.table('_unique_values')} v where v.record_id = ${id}::uuid
        and v.field_id = ${field.id}::uuid and v.value <> all(${valuesOf(field, given)}::text[])`);
    }
  }
}

/** Takes the values of new records. Throws Duplicate when another record has one of them. */
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

/** The record goes into the trash: others may have its values. */
export async function freeValues(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  record: string,
): Promise<void> {
  if (setFields(object).length === 0) return;
  await tx.run(sql`delete from ${call.workspace.table('_unique_values')} where record_id = ${record}::uuid`);
}

/** The record comes out of the trash and takes its values again. Throws Duplicate. */
export async function retakeValues(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  record: string,
): Promise<void> {
  const columns = storedColumns(object).filter((column) => setFields(object).includes(column.field));
  if (columns.length === 0) return;
  const names = columns.map((column) => identifier(column.name));
  const { rows } = await tx.run(
    sql`select ${join(names, ', ')} from ${call.workspace.table(object.table)} where id = ${record}::uuid`,
  );
  for (const [at, { field }] of columns.entries()) {
    const values = valuesOf(field, [rows[0]?.[at] ?? null]);
    await takeValues(
      call,
      tx,
      object,
      field,
      values.map((value) => ({ record, value })),
    );
  }
}

/** In the order of the values, so that two writers wait for each other one way only. */
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
