/** The search: every part of the query must occur in a record's searchable text. [spec: Search] */
import { escapeLike } from '../fields/operators/like.ts';
import { fieldType } from '../fields/registry.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { ObjectDef } from '../model/model.ts';
import { and, join, or, sql, type Sql } from '../postgres/sql.ts';
import type { CallersScope } from './callers-scope.ts';
import type { Visibility } from './context.ts';
import type { ObjectScope } from './row-scope.ts';
import { hasTrigram, looksAtEveryRow, searchTerms, type SearchTerm } from './search-terms.ts';

/** The searchable fields of an object. */
export function searchableFields(object: ObjectDef): readonly FieldDef[] {
  return object.fields.filter((field) => field.isSearchable && fieldType(field.type).searchText);
}

/** The searchable fields that the caller may see: a hidden one must neither match nor count. */
export function searchedFields(object: ObjectDef, visibility: Visibility): readonly FieldDef[] {
  return searchableFields(object).filter((field) => visibility.shows(object.name, field.name));
}

/** The condition on `scope`'s row, or undefined for a query without words. Throws VALIDATION_ERROR for one that is too long. */
export function searchCondition(query: string, scope: CallersScope): Sql | undefined {
  const terms = searchTerms(query);
  return terms.length === 0 ? undefined : termsOccur(terms, scope);
}

/** The condition that all `terms` occur in the visible text of `scope`'s row. */
export function termsOccur(terms: readonly SearchTerm[], scope: CallersScope): Sql {
  const { object, context } = scope;
  const visible = searchedFields(object, context.visibility);
  if (visible.length === 0) return sql`false`;
  const whole = wholeText(scope);
  if (isWhole(visible, object)) return and(terms.map((term) => occurs(whole, term)));
  const text = scope.named('search', textOf(visible, scope));
  // The index covers only the whole text, which includes the visible part.
  const narrowed = terms.filter((term) => !looksAtEveryRow([term])).map((term) => occurs(whole, term));
  return and([...narrowed, ...terms.map((term) => occurs(text, term))]);
}

/** Whether these are all searchable fields of the object. */
export function isWhole(visible: readonly FieldDef[], object: ObjectDef): boolean {
  return visible.length === searchableFields(object).length;
}

function occurs(text: Sql, { words, numbers }: SearchTerm): Sql {
  const all = words.map((word) => contains(text, word));
  const ways = [...(all.length > 0 ? [and(all)] : []), ...numbers.map((form) => contains(text, form))];
  return or(ways);
}

/** The condition that the text contains `word`, by the trigram index where that pays. */
export function contains(text: Sql, word: string): Sql {
  const pattern = `%${escapeLike(word)}%`;
  return hasTrigram(word) ? sql`${text} like ${pattern}` : sql`(${text} || '') like ${pattern}`;
}

/** The normalised text of the fields, each after a space. */
export function textOf(fields: readonly FieldDef[], { row }: ObjectScope): Sql {
  const parts = fields.map((field) => sql`nullif(${row}.search_parts ->> ${field.id}::text, '')`);
  return sql`(' ' || concat_ws(' ', ${join(parts, ', ')}))`;
}

/** The normalised text of all searchable fields. */
export function wholeText({ row }: ObjectScope): Sql {
  return sql`${row}.search_text`;
}
