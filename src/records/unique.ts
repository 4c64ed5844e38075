/** Unique fields: what the database refuses, and what an import finds before it asks. [spec: Errors] */
import type { Call } from '../access/call.ts';
import { errors, type KithError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { fieldOfUniqueIndex } from '../model/names.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Rows } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql, type Value } from '../postgres/sql.ts';
import { objectScope } from '../query/row-scope.ts';
import { visibleRow } from '../query/where.ts';
import { storedColumns, type StoredColumn } from './columns.ts';
import type { Decoded } from './decode.ts';

/** A unique index refused a value: the record that has it is looked up once the transaction is over. */
class Duplicate extends Error {
  readonly field: FieldDef;
  constructor(field: FieldDef) {
    super(`${field.name} is taken`);
    this.field = field;
  }
}

/** The column that must be unique among the records outside the trash, for each unique field. */
export function uniqueColumns(object: ObjectDef): readonly StoredColumn[] {
  return storedColumns(object).filter((column) => column.field.isUnique && column.at === 0);
}

/** The field whose unique index refused a write, or undefined when the error is another one. */
export function violatedField(object: ObjectDef, error: unknown): FieldDef | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== '23505') return undefined;
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
  return fieldOfUniqueIndex(object, constraint);
}

/** Runs a write; a unique value that is taken becomes a Duplicate. */
async function orDuplicate<T>(object: ObjectDef, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const field = violatedField(object, error);
    throw field ? new Duplicate(field) : error;
  }
}

/** Runs a write of the record `id`; a Duplicate becomes DUPLICATE_RECORD with the other record's id, where the caller may see it. */
export async function namingDuplicates<T>(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await orDuplicate(object, write);
  } catch (error) {
    if (!(error instanceof Duplicate)) throw error;
    throw duplicateOf(call, object, error.field, await holderOf(call, object, error.field, decoded));
  }
}

export function duplicateOf(call: Call, object: ObjectDef, field: FieldDef, otherId?: string): KithError {
  const shown = call.visibility.shows(object.name, field.name);
  const message = `Another record of ${object.name} has this ${shown ? field.name : 'value'}${otherId ? `: ${otherId}` : ''}`;
  return errors.duplicateRecord(message, shown ? [{ field: field.name, message: `${field.name} must be unique` }] : []);
}

async function holderOf(call: Call, object: ObjectDef, field: FieldDef, decoded: Decoded): Promise<string | undefined> {
  const column = uniqueColumns(object).find((candidate) => candidate.field === field);
  const value = column && decoded.cells.get(field)?.[column.at];
  if (!column || !value || !call.visibility.shows(object.name, field.name)) return undefined;
  return holder(call, object, column, value);
}

async function holder(call: Call, object: ObjectDef, column: StoredColumn, value: string): Promise<string | undefined> {
  const query = sql`select t.id from ${call.workspace.table(object.name)} t
    where ${amongValues(column, [value])} and ${visibleRow(objectScope(call, object, 't'))} limit 1`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  return found?.rows[0]?.[0] ?? undefined;
}

/** Why the record `id` cannot leave the trash: another record has its value of `field`, named where the caller may see it. */
export async function restoreClash(call: Call, object: ObjectDef, field: FieldDef, id: string): Promise<KithError> {
  const other = call.visibility.shows(object.name, field.name)
    ? await holderBeside(call, object, field, id)
    : undefined;
  const { message, fieldErrors } = duplicateOf(call, object, field, other);
  return errors.duplicateRecord(`${id} cannot be restored: ${message}`, fieldErrors ?? []);
}

async function holderBeside(call: Call, object: ObjectDef, field: FieldDef, id: string): Promise<string | undefined> {
  const column = uniqueColumns(object).find((candidate) => candidate.field === field);
  if (!column) return undefined;
  const stored = sql`select ${identifier(column.name)}::text from ${call.workspace.table(object.name)} where id = ${id}::uuid`;
  const [found] = await call.workspace.read(statement(stored, call.model.version));
  const value = found?.rows[0]?.[0];
  return value ? holder(call, object, column, value) : undefined;
}

/** Which of the rows' unique values are taken already: column name to values. One statement per unique field. */
export async function takenValues(
  call: Call,
  run: (query: Sql) => Promise<Rows>,
  object: ObjectDef,
  rows: readonly Decoded[],
): Promise<ReadonlyMap<string, Set<string>>> {
  const taken = new Map<string, Set<string>>();
  for (const column of uniqueColumns(object)) {
    const values = rows
      .map((row) => row.cells.get(column.field)?.[column.at])
      .filter((value) => typeof value === 'string');
    const query = sql`select t.${identifier(column.name)}::text from ${call.workspace.table(object.name)} t
      where ${amongValues(column, values)} and t.deleted_at is null`;
    const found = values.length === 0 ? [] : (await run(query)).rows;
    taken.set(column.name, new Set(found.map(([value]) => value ?? '')));
  }
  return taken;
}

/** The beginning of a text is what its unique index holds; the rest is compared as well. */
function amongValues(column: StoredColumn, values: readonly string[]): Sql {
  const name = sql`t.${identifier(column.name)}`;
  const exact = sql`${name}::text = any(${values}::text[])`;
  if (!column.type.startsWith('text')) return exact;
  const beginnings: Value = values.map((value) => [...value.slice(0, 2 * 250)].slice(0, 250).join(''));
  return sql`left(${name}, 250) = any(${beginnings}::text[]) and ${exact}`;
}
