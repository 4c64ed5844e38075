/** The stored columns of an object's table and of links, and how decoded values land in them. */
import type { FieldDef } from '../../fields/field-def.ts';
import type { Column } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql, trusted, type Sql } from '../../postgres/sql.ts';
import type { Cell } from '../../postgres/database.ts';

export interface StoredColumn extends Column {
  readonly field: FieldDef;
  /** Index among the cells of its field. */
  readonly at: number;
}

const remembered = new WeakMap<ObjectDef, readonly StoredColumn[]>();

/**
 * Every column that holds a field, including `id` and the times; `deleted_at` and the search columns belong to the
 * engine.
 */
export function storedColumns(object: ObjectDef): readonly StoredColumn[] {
  let columns = remembered.get(object);
  if (!columns) {
    columns = [...object.attributes.values()].flatMap(columnsOf);
    remembered.set(object, columns);
  }
  return columns;
}

/** Fields without history. */
const withoutPast: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** The columns of each field that has history, hidden ones included. */
export function columnsByField(object: ObjectDef): ReadonlyMap<FieldDef, readonly StoredColumn[]> {
  return Map.groupBy(
    storedColumns(object).filter(({ field }) => !withoutPast.has(field.name)),
    ({ field }) => field,
  );
}

/** The columns of a link table that hold junction fields, one per field. */
export function junctionColumns({ junctionFields }: FieldDef): readonly StoredColumn[] {
  return (junctionFields ?? []).flatMap(columnsOf);
}

function columnsOf(field: FieldDef): readonly StoredColumn[] {
  return fieldType(field.type)
    .columns(field)
    .map((column, at) => ({ ...column, field, at }));
}

/** A column's type without its collation, for casting bound cells. */
export function castType(column: Column): Sql {
  return trusted(column.type.replace(/ collate .*$/, ''));
}

/** The cell as a parameter of the column's type. */
export function bound(cell: Cell, column: Column): Sql {
  return sql`${cell}::${castType(column)}`;
}
