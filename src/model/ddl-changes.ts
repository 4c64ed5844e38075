/**
 * Changes of an object's tables as single DDL statements, whose order is the caller's. Callers must guard against
 * data loss.
 */
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import { identifier, sql, trusted, type Sql } from '../postgres/sql.ts';
import { createIndex, fieldIndexes, linkTable } from './ddl.ts';
import { indexUses } from './demanded-index.ts';
import { demandedIndexName, indexName, uniqueIndexName } from './names.ts';

/** Renames a table of the schema. */
export function renameTable(schema: string, from: string, to: string): Sql {
  return sql`alter table ${identifier(schema, from)} rename to ${identifier(to)}`;
}

/** Drops the object's table; its link tables are dropped with their fields. */
export function dropTable(schema: string, name: string): Sql {
  return sql`drop table ${identifier(schema, name)}`;
}

/** Adds the field's columns, or its link table. */
export function addField(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return [...addColumns(schema, table, field), ...linkTable(schema, field)];
}

/** Drops the field's columns and its link table, with all values. */
export function dropField(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return [
    ...dropColumns(schema, table, field),
    ...(field.linkTable === undefined ? [] : [dropTable(schema, field.linkTable)]),
  ];
}

/** Without a computed default, so that no row is rewritten. */
export function addColumns(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return fieldType(field.type)
    .columns(field)
    .map(
      ({ name, type }) => sql`alter table ${identifier(schema, table)} add column ${identifier(name)} ${trusted(type)}`,
    );
}

/** Dropping a column drops its indexes. */
export function dropColumns(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return fieldType(field.type)
    .columns(field)
    .map(({ name }) => sql`alter table ${identifier(schema, table)} drop column ${identifier(name)}`);
}

/** Both fields must have the same type. */
export function renameColumns(schema: string, table: string, from: FieldDef, to: FieldDef): readonly Sql[] {
  const columns = fieldType(to.type).columns(to);
  return fieldType(from.type)
    .columns(from)
    .flatMap(({ name }, at) => {
      const next = columns[at]?.name;
      if (next === undefined || next === name) return [];
      return [sql`alter table ${identifier(schema, table)} rename column ${identifier(name)} to ${identifier(next)}`];
    });
}

/** Changes the field's column to the type of `to`; `using` is an expression over the old column. */
export function retypeColumn(schema: string, table: string, to: FieldDef, using: Sql): readonly Sql[] {
  return fieldType(to.type)
    .columns(to)
    .map(
      ({ name, type }) => sql`alter table ${identifier(schema, table)} alter column ${identifier(name)}
        type ${trusted(type)} using ${using}`,
    );
}

/** Drops those of the field's indexes that exist. */
export function dropIndexes(schema: string, field: FieldDef): readonly Sql[] {
  const onDemand = indexUses.map((use) => demandedIndexName(field.id, use));
  return [indexName(field.id), uniqueIndexName(field.id), ...onDemand].map(
    (name) => sql`drop index if exists ${identifier(schema, name)}`,
  );
}

/** Drops the field's unique index, if it exists. */
export function dropUniqueIndex(schema: string, field: FieldDef): Sql {
  return sql`drop index if exists ${identifier(schema, uniqueIndexName(field.id))}`;
}

/** The field's unique index; empty where uniqueness is kept elsewhere. */
export function createUniqueIndex(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return fieldIndexes(field)
    .filter((index) => index.unique)
    .map((index) => createIndex(identifier(schema, table), index));
}
