/** The tables and indexes of an object as DDL, derived from the columns and operands of its field types. */
import { fieldType } from '../fields/registry.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { Column, RowScope } from '../fields/field-type.ts';
import { empty, identifier, join, sql, statement, trusted, type Sql } from '../postgres/sql.ts';
import type { Model, ObjectDef } from './model.ts';
import { addressIndexes } from './contact-addresses.ts';
import { indexName, uniqueIndexName } from './names.ts';

/** Characters of a unique text that its index holds literally; a hash covers longer ones. */
export const uniquePrefix = 250;

/** Scripts that create the tables of all objects except internal ones, which migrations create. */
export function createTables(schema: string, { objects }: Pick<Model, 'objects'>): readonly string[] {
  return [...objects.values()].flatMap((object) => (object.kind === 'internal' ? [] : createObject(schema, object)));
}

/** Creates the object's table, its link tables and their indexes, separated by semicolons. */
export function createObject(schema: string, object: ObjectDef): string {
  const stored = [...object.attributes.values()].filter((field) => !systemColumns.has(field.name));
  const columns = columnDefinitions(stored);
  const table = identifier(schema, object.table);
  const statements = [
    sql`create table ${table} (id uuid primary key, created_at timestamptz not null, updated_at timestamptz not null,
      deleted_at timestamptz, ${columns}
      search_text text collate "C" not null default '', search_parts jsonb not null default '{}')`,
    sql`create index ${identifier(indexName(object.id, 'created'))} on ${table} (created_at desc, id desc)
      where deleted_at is null`,
    createIndex(table, trashIndex(object)),
    sql`create index ${identifier(indexName(object.id, 'search'))} on ${table} using gin (search_text public.gin_trgm_ops)
      with (fastupdate = on, gin_pending_list_limit = 256)`,
    ...objectIndexes(object).map((index) => createIndex(table, index)),
    ...stored.flatMap((field) => linkTable(schema, field)),
  ];
  return ddl(join(statements, ';\n'));
}

/** Finds the trashed rows of the object. */
export function trashIndex({ id }: Pick<ObjectDef, 'id'>): FieldIndex {
  const definition = sql`(deleted_at desc, id desc) where deleted_at is not null`;
  return { name: indexName(id, 'trash'), unique: false, definition };
}

const systemColumns: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** Each followed by a comma. */
function columnDefinitions(fields: readonly FieldDef[]): Sql {
  const columns = fields.flatMap((field) => fieldType(field.type).columns(field));
  const definitions = columns.map(({ name, type }) => sql`${identifier(name)} ${trusted(type)}, `);
  return join(definitions, '');
}

export interface FieldIndex {
  readonly name: string;
  readonly unique: boolean;
  /** The text after the table's name. */
  readonly definition: Sql;
}

/** The indexes of the object's fields on its table. */
export function objectIndexes(object: ObjectDef): readonly FieldIndex[] {
  const stored = [...object.attributes.values()].filter((field) => !systemColumns.has(field.name));
  return [
    ...stored.flatMap((field) => fieldIndexes(field)),
    ...addressIndexes(object).map((index) => ({ ...index, unique: false })),
  ];
}

/** The indexes of the field on its object's table. */
export function fieldIndexes(field: FieldDef): readonly FieldIndex[] {
  const type = fieldType(field.type);
  const [column] = type.columns(field);
  if (column === undefined) return [];
  const indexes: FieldIndex[] = [];
  const method = indexMethod(field, column);
  if (method) indexes.push({ name: indexName(field.id), unique: false, definition: method });
  if (field.isUnique && !type.uniqueValues) {
    const definition = sql`(${uniqueKey(column)}) where deleted_at is null`;
    indexes.push({ name: uniqueIndexName(field.id), unique: true, definition });
  }
  return indexes;
}

/** `concurrently` is for use outside transactions: writers are not blocked. */
export function createIndex(table: Sql, { name, unique, definition }: FieldIndex, concurrently = false): Sql {
  const kind = trusted(`create${unique ? ' unique' : ''} index${concurrently ? ' concurrently' : ''}`);
  return sql`${kind} ${identifier(name)} on ${table} ${definition}`;
}

/** The index for values that rows share and are found by. PIPELINE_ID has too few distinct values to be worth one. */
function indexMethod(field: FieldDef, column: Column): Sql | undefined {
  const name = identifier(column.name);
  const type = fieldType(field.type);
  if (type.target?.(field)) return sql`(${name})`;
  switch (type.operand(field, scopeOfRow(empty)).kind) {
    case 'values':
      return sql`using gin (${name} jsonb_path_ops)`;
    case 'options':
      return sql`using gin (${name})`;
    case 'option':
      return sql`(${name})`;
    default:
      return field.type === 'PIPELINE_STEP_ID' ? sql`(${name})` : undefined;
  }
}

/** Just enough of a scope for a stored column's operand, which uses the row alone. */
export function scopeOfRow(row: Sql): RowScope {
  return {
    row,
    operand: outside,
    units: outside,
    linkedIds: outside,
    rollup: outside,
    rollupUnits: outside,
    clock: { now: 0, timeZone: 'UTC' },
  };
}

function outside(): never {
  throw new Error('A stored column leans on nothing outside itself');
}

function uniqueKey(column: Column): Sql {
  const name = identifier(column.name);
  if (!column.type.startsWith('text')) return name;
  return sql`left(${name}, ${trusted(String(uniquePrefix))}), md5(${name})`;
}

/** The link table of a MANY_TO_MANY and its index; empty for other fields. */
export function linkTable(schema: string, field: FieldDef): readonly Sql[] {
  if (field.linkTable === undefined) return [];
  const table = identifier(schema, field.linkTable);
  return [
    sql`create table ${table} (source_id uuid not null, target_id uuid not null, position integer not null,
      ${columnDefinitions(field.junctionFields ?? [])} primary key (source_id, target_id))`,
    sql`create index ${identifier(indexName(field.id))} on ${table} (target_id)`,
  ];
}

/** The text of DDL, which takes no parameters: only identifiers and trusted text. */
function ddl(fragment: Sql): string {
  const { text, values } = statement(fragment);
  if (values.length > 0) throw new Error('DDL cannot have parameters');
  return text;
}
