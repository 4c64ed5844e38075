/** The texts that a record is found by: one per searchable field, and all joined in one column. [spec: Search] */
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { join, literal, sql, type Sql } from '../../postgres/sql.ts';
import { searchableFields } from '../../query/search.ts';

/** `{ field id: normalised text }` of the searchable fields among `cells`, made in slices. */
export async function searchParts(
  object: ObjectDef,
  cells: ReadonlyMap<FieldDef, readonly Cell[]>,
): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (const field of searchableFields(object)) {
    const value = cells.get(field);
    if (value && sliceIsOver()) await nextSlice();
    if (value) parts[field.id] = fieldType(field.type).searchText?.(value) ?? '';
  }
  return parts;
}

/** The search texts of the fields that a row sets. */
export interface Searchable {
  readonly searchParts: Readonly<Record<string, string>>;
}

/** Adds the search texts to the rows. */
export async function withSearchParts<Row extends { readonly cells: ReadonlyMap<FieldDef, readonly Cell[]> }>(
  object: ObjectDef,
  rows: readonly Row[],
): Promise<readonly (Row & Searchable)[]> {
  const found: (Row & Searchable)[] = [];
  for (const row of rows) found.push({ ...row, searchParts: await searchParts(object, row.cells) });
  return found;
}

/** `search_text` of a new record. */
export function joinTexts(object: ObjectDef, parts: Readonly<Record<string, string>>): string {
  const texts = searchableFields(object).map((field) => parts[field.id] ?? '');
  return ` ${texts.filter((text) => text !== '').join(' ')}`;
}

/**
 * `search_text` of a changed record, from `parts`, an expression of jsonb: the texts in field order, after a leading
 * space.
 */
export function joinedParts(object: ObjectDef, parts: Sql): Sql {
  const texts = searchableFields(object).map((field) => sql`nullif(${parts} ->> ${literal(field.id)}, '')`);
  return texts.length === 0 ? sql`''::text` : sql`' ' || concat_ws(' ', ${join(texts, ', ')})`;
}
