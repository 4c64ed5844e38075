/** Changes of an object's tables as DDL: one statement each, in an order that the caller chooses. What they lose is for others to guard. */
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import { identifier, sql, trusted, type Sql } from '../postgres/sql.ts';
import { createIndex, fieldIndexes, linkTable } from './ddl.ts';
import { indexUses } from './demanded-index.ts';
import { demandedIndexName, indexName, uniqueIndexName } from './names.ts';

/** The statement that gives a table of the schema another name. */
export function renameTable(schema: string, from: string, to: string): Sql {
  return sql`alter table ${identifier(schema, from)} rename to ${identifier(to)}`;
}

/** The tables of an object's links go with their fields. */
export function dropTable(schema: string, name: string): Sql {
  return sql`drop table ${identifier(schema, name)}`;
}

/** The columns that the field has in its object's table, or the table of its links. */
export function addField(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return [...addColumns(schema, table, field), ...linkTable(schema, field)];
}

/** The statements that remove the field's columns and its table of links, with all values. */
export function dropField(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return [
    ...dropColumns(schema, table, field),
    ...(field.linkTable === undefined ? [] : [dropTable(schema, field.linkTable)]),
  ];
}

/** Without a default that has to be worked out, so that no row is rewritten. */
export function addColumns(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return fieldType(field.type)
    .columns(field)
    .map(
      ({ name, type }) => sql`alter table ${identifier(schema, table)} add column ${identifier(name)} ${trusted(type)}`,
    );
}

/** Indexes go with their columns. */
export function dropColumns(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return fieldType(field.type)
    .columns(field)
    .map(({ name }) => sql`alter table ${identifier(schema, table)} drop column ${identifier(name)}`);
}

/** Both fields have the same type. */
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

/** Gives the field's one column the type that `to` has; `using` is an expression over the column as it was. */
export function retypeColumn(schema: string, table: string, to: FieldDef, using: Sql): readonly Sql[] {
  return fieldType(to.type)
    .columns(to)
    .map(
      ({ name, type }) => sql`alter table ${identifier(schema, table)} alter column ${identifier(name)}
        type ${trusted(type)} using ${using}`,
    );
}

/** All of the field's indexes, as far as they are there. */
export function dropIndexes(schema: string, field: FieldDef): readonly Sql[] {
  const onDemand = indexUses.map((use) => demandedIndexName(field.id, use));
  return [indexName(field.id), uniqueIndexName(field.id), ...onDemand].map(
    (name) => sql`drop index if exists ${identifier(schema, name)}`,
  );
}

/** The statement that lifts the field's uniqueness; nothing happens where there is none. */
export function dropUniqueIndex(schema: string, field: FieldDef): Sql {
  return sql`drop index if exists ${identifier(schema, uniqueIndexName(field.id))}`;
}

/** The index that keeps the field unique; none where something else does. */
export function createUniqueIndex(schema: string, table: string, field: FieldDef): readonly Sql[] {
  return fieldIndexes(field)
    .filter((index) => index.unique)
    .map((index) => createIndex(identifier(schema, table), index));
}
