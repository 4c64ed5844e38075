/** Unique fields: the refusal of a taken value, and the checks of an import before it writes. [spec: Errors] */
import type { Call } from '../../access/call.ts';
import { errors, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import { uniquePrefix } from '../../model/ddl.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Rows } from '../../postgres/database.ts';
import { identifier, instant, sql, statement, trusted, type Sql, type Value } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { storedColumns, type StoredColumn } from './columns.ts';
import type { Decoded } from './decode.ts';
import { duplicateIn, type Duplicate } from './duplicate.ts';

/** The unique keys of a record: one per unique field, or each value of a set. */
export function uniqueKeys(object: ObjectDef, decoded: Decoded): { field: FieldDef; key: string }[] {
  return uniqueFields(object).flatMap((field) => keysOf(field, decoded).map((key) => ({ field, key })));
}

function uniqueFields(object: ObjectDef): readonly FieldDef[] {
  return object.fields.filter((field) => field.isUnique);
}

/** The field's keys in the given values; none where it gives no value. */
export function keysOf(field: FieldDef, { cells }: Pick<Decoded, 'cells'>): readonly string[] {
  const given = cells.get(field) ?? [];
  const values = fieldType(field.type).uniqueValues?.(given) ?? given.slice(0, 1);
  return values.filter((value) => typeof value === 'string');
}

/**
 * Runs a write; a taken unique value becomes DUPLICATE_RECORD with the other record's id, where the caller may see
 * it.
 */
export async function namingDuplicates<T>(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw await withDuplicateNamed(call, object, decoded, error);
  }
}

/** DUPLICATE_RECORD for an error that means a taken unique value, with the other record where the caller may see it; else the error itself. */
export async function withDuplicateNamed(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  error: unknown,
): Promise<unknown> {
  const duplicate = duplicateIn(object, error);
  if (!duplicate) return error;
  const { field, values = keysOf(field, decoded) } = duplicate;
  return duplicateOf(call, object, field, await holder(call, object, field, values));
}

/** DUPLICATE_RECORD, which names the field and the other record only if the caller sees them. */
export function duplicateOf(call: Call, object: ObjectDef, field: FieldDef, otherId?: string): KithError {
  const shown = call.visibility.shows(object.name, field.name);
  const message = `Another record of ${object.name} has this ${shown ? field.name : 'value'}${otherId ? `: ${otherId}` : ''}`;
  return errors.duplicateRecord(message, shown ? [{ field: field.name, message: `${field.name} must be unique` }] : []);
}

/**
 * DUPLICATE_RECORD for a record that cannot be restored, naming the holder of the value where the caller may see it.
 */
export async function restoreClash(
  call: Call,
  object: ObjectDef,
  { field, values }: Duplicate,
  id: string,
): Promise<KithError> {
  const keys = values ?? (await storedKey(call, object, field, id));
  const { message, fieldErrors } = duplicateOf(call, object, field, await holder(call, object, field, keys));
  return errors.duplicateRecord(`${id} cannot be restored: ${message}`, fieldErrors ?? []);
}

async function storedKey(call: Call, object: ObjectDef, field: FieldDef, id: string): Promise<readonly string[]> {
  const column = keyColumn(object, field);
  const stored = sql`select ${identifier(column.name)}::text from ${call.workspace.table(object.table)} where id = ${id}::uuid`;
  const [found] = await call.workspace.read(statement(stored, call.model.version));
  return (found?.rows ?? []).flatMap(([value]) => value ?? []);
}

/** A record that has one of `keys`, if the caller may see it and the field. */
async function holder(
  call: Call,
  object: ObjectDef,
  field: FieldDef,
  keys: readonly string[],
): Promise<string | undefined> {
  if (keys.length === 0 || !call.visibility.shows(object.name, field.name)) return undefined;
  const query = takenAmong(call, object, field, keys, isSeen(call, object, field));
  const [found] = await call.workspace.read(statement(query, call.model.version));
  return found?.rows.map(([, id]) => id ?? undefined).find((id) => id !== undefined);
}

/** TakenKeys keys by field, each with the id of its holder, or undefined where the caller may not see it. */
type TakenKeys = ReadonlyMap<FieldDef, Map<string, string | undefined>>;

/** The rows' unique keys that are taken. One statement per unique field. */
export async function takenKeys(
  call: Call,
  run: (query: Sql) => Promise<Rows>,
  object: ObjectDef,
  rows: readonly Decoded[],
): Promise<TakenKeys> {
  const taken = new Map<FieldDef, Map<string, string | undefined>>();
  for (const field of uniqueFields(object)) {
    const keys = rows.flatMap((row) => keysOf(field, row));
    const found =
      keys.length === 0
        ? []
        : (await run(takenAmong(call, object, field, keys, isSeenAndNotOwn(call, object, field)))).rows;
    taken.set(field, new Map(found.map(([key, id]) => [key ?? '', id ?? undefined])));
  }
  return taken;
}

/** A record that is refused for a unique key. */
export interface Clash {
  readonly id: string;
  readonly field: FieldDef;
  /** Its keys that may be taken. */
  readonly keys: readonly string[];
}

/** The refusals by record id. One statement per field. */
export async function refusalsOfClashes(
  call: Call,
  run: (query: Sql) => Promise<Rows>,
  object: ObjectDef,
  clashes: readonly Clash[],
): Promise<ReadonlyMap<string, KithError>> {
  const refusals = new Map<string, KithError>();
  for (const [field, own] of Map.groupBy(clashes, (clash) => clash.field)) {
    const all = own.flatMap(({ keys }) => keys);
    const query = takenAmong(call, object, field, all, isSeenAndNotOwn(call, object, field));
    const found = all.length === 0 ? [] : (await run(query)).rows;
    const holders = new Map(found.map(([key, id]) => [key, id ?? undefined]));
    for (const { id, keys } of own) {
      const other = keys.map((key) => holders.get(key)).find((found) => found !== undefined && found !== id);
      refusals.set(id, duplicateOf(call, object, field, other));
    }
  }
  return refusals;
}

/**
 * Refusals of records that are all to get the same unique value: the record that has it keeps it; if none has it, the
 * first gets it.
 */
export async function clashesAmong(
  call: Call,
  run: (query: Sql) => Promise<Rows>,
  object: ObjectDef,
  values: Decoded,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KithError>> {
  const clashes = new Map<string, KithError>();
  for (const field of uniqueFields(object)) {
    const keys = keysOf(field, values);
    if (keys.length === 0 || ids.length === 0) continue;
    const { rows } = await run(sql`select t.id, ${isSeen(call, object, field)}
      from ${call.workspace.table(object.table)} t
      where ${hasKey(call, object, field, keys)} and t.deleted_at is null limit 2`);
    const holders = rows.map(([id]) => id ?? '');
    const seen = rows.flatMap(([id, maySee]) => (maySee === 't' ? [id ?? ''] : []));
    const keeper = holders.length === 0 ? ids[0] : holders.find((id) => holders.length === 1 && ids.includes(id));
    for (const id of ids) {
      const other = seen.find((one) => one !== id);
      if (id !== keeper) clashes.set(id, duplicateOf(call, object, field, other));
    }
  }
  return clashes;
}

/** Whether the caller may see the row `t` and its value of the field. */
function isSeen(call: Call, object: ObjectDef, field: FieldDef): Sql {
  return call.visibility.shows(object.name, field.name) ? visibleRow(objectScope(call, object, 't')) : sql`false`;
}

/**
 * Whether the caller may see it, and the row is not made by this request: such a record may be rolled back, so its id
 * is not named.
 */
function isSeenAndNotOwn(call: Call, object: ObjectDef, field: FieldDef): Sql {
  return sql`(${isSeen(call, object, field)} and t.created_at <> ${instant(call.now)})`;
}

/**
 * The keys of records outside the trash, each with its record `t`, or null where the condition `named` does not hold.
 */
function takenAmong(call: Call, object: ObjectDef, field: FieldDef, keys: readonly string[], named: Sql): Sql {
  const table = call.workspace.table(object.table);
  if (fieldType(field.type).uniqueValues) {
    return sql`select v.value, (select t.id from ${table} t where t.id = v.record_id and ${named})
      from ${call.workspace.table('_unique_values')} v
      where v.field_id = ${field.id}::uuid and v.value = any(${keys}::text[])`;
  }
  const column = keyColumn(object, field);
  return sql`select t.${identifier(column.name)}::text, case when ${named} then t.id end from ${table} t
    where ${amongKeys(column, keys)} and t.deleted_at is null`;
}

/** The condition that the row `t` has one of the unique field's `keys`. */
export function hasKey(call: Call, object: ObjectDef, field: FieldDef, keys: readonly string[]): Sql {
  if (!fieldType(field.type).uniqueValues) return amongKeys(keyColumn(object, field), keys);
  return sql`t.id in (select v.record_id from ${call.workspace.table('_unique_values')} v
    where v.field_id = ${field.id}::uuid and v.value = any(${keys}::text[]))`;
}

/** The columns of the unique fields with a single value. */
export function keyColumns(object: ObjectDef): readonly StoredColumn[] {
  return uniqueFields(object)
    .filter(({ type }) => !fieldType(type).uniqueValues)
    .map((field) => keyColumn(object, field));
}

/** The column by which a unique field is compared. */
export function keyColumn(object: ObjectDef, field: FieldDef): StoredColumn {
  const column = storedColumns(object).find((candidate) => candidate.field === field);
  if (!column) throw new Error(`${field.name} is unique and has no column`);
  return column;
}

/** The unique index covers the beginning of a text; the rest is compared as well. */
function amongKeys(column: StoredColumn, keys: readonly string[]): Sql {
  const name = sql`t.${identifier(column.name)}`;
  const exact = sql`${name}::text = any(${keys}::text[])`;
  if (!column.type.startsWith('text')) return exact;
  const beginnings: Value = keys.map((key) => [...key.slice(0, 2 * uniquePrefix)].slice(0, uniquePrefix).join(''));
  return sql`left(${name}, ${trusted(String(uniquePrefix))}) = any(${beginnings}::text[]) and ${exact}`;
}
