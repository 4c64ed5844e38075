/**
 * Indexes on frequently used fields of large objects. They are created and dropped independently of the model and
 * affect only speed.
 */
import type { FieldDef } from '../fields/field-def.ts';
import { isStamp } from '../fields/operands.ts';
import { fieldType } from '../fields/registry.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';
import { fieldIndexes, scopeOfRow, type FieldIndex } from './ddl.ts';
import type { Model, ObjectDef } from './model.ts';
import { demandedIndexName } from './names.ts';

/** `sort` has the rows in the field's order; `filter` finds rows by value. */
export type IndexUse = 'sort' | 'filter';

export const indexUses: readonly IndexUse[] = ['sort', 'filter'];

export interface DemandedIndex {
  readonly object: ObjectDef;
  readonly field: FieldDef;
  readonly use: IndexUse;
  readonly index: FieldIndex;
  /** A hash index for equality of long texts; slow to write where many rows share a value. */
  readonly hashed: boolean;
}

/** All indexes that the model's fields could have. */
export function demandedIndexes({ objects }: Model): readonly DemandedIndex[] {
  return [...objects.values()].flatMap((object) =>
    [...object.attributes.values()].flatMap((field) =>
      indexUses.flatMap((use) => demandedIndex(object, field, use) ?? []),
    ),
  );
}

/** The index for that use of the field; undefined where none would help, or a permanent one exists. */
function demandedIndex(object: ObjectDef, field: FieldDef, use: IndexUse): DemandedIndex | undefined {
  const type = fieldType(field.type);
  // The orders of creation and of ids have permanent indexes.
  if (type.columns(field).length === 0 || field.type === 'ID' || field.name === 'created_at') return undefined;
  const { kind, value, sort } = type.operand(field, scopeOfRow(identifier(object.table)));
  // The timestamps of all objects share one id.
  const name = demandedIndexName(isStamp(field) ? `${object.id}.${field.name}` : field.id, use);
  const index = (hashed: boolean, method: Sql): DemandedIndex => ({
    object,
    field,
    use,
    index: { name, unique: false, definition: sql`${method} where deleted_at is null` },
    hashed,
  });
  // The keys of a page as `query/keyset` scans them: forwards, backwards, and the nulls separately.
  if (use === 'sort') return sort && index(false, sql`((${sort.value}), id)`);
  if (kind === 'text') return index(true, sql`using hash ((${value}))`);
  const isPicked = kind === 'number' || kind === 'boolean' || kind === 'date' || kind === 'datetime';
  return isPicked && fieldIndexes(field).length === 0 ? index(false, sql`((${value}))`) : undefined;
}
