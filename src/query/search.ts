/** The search within a list: every word of the query must occur in a record's searchable text. [spec: Search] */
import { errors } from '../errors.ts';
import { fieldType } from '../fields/registry.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { normalise } from '../fields/search-text.ts';
import type { ObjectDef } from '../model/model.ts';
import { and, join, sql, type Sql } from '../postgres/sql.ts';
import type { CallersScope } from './callers-scope.ts';
import type { ObjectScope } from './row-scope.ts';

const maxQueryLength = 500;

/** Shorter words have no trigram inside; through the index they would read all of it. */
const shortestIndexed = 3;

/** What a list can be searched by. */
export function searchableFields(object: ObjectDef): readonly FieldDef[] {
  return object.fields.filter((field) => field.isSearchable && fieldType(field.type).searchText);
}

/** The condition on `scope`'s row, or undefined for a query without words. Throws VALIDATION_ERROR for one that is too long. */
export function searchCondition(query: string, scope: CallersScope): Sql | undefined {
  if (query.length > maxQueryLength) throw errors.validation(`search takes at most ${maxQueryLength} characters`);
  const words = new Set(normalise(query).split(' '));
  words.delete('');
  if (words.size === 0) return undefined;
  const { visibility } = scope.context;
  const fields = searchableFields(scope.object);
  const visible = fields.filter((field) => visibility.shows(scope.object.name, field.name));
  if (visible.length === 0) return sql`false`;
  const text =
    visible.length < fields.length ? scope.named('search', visibleText(visible, scope)) : sql`${scope.row}.search_text`;
  return and([...words].map((word) => contains(text, word)));
}

/** Text that contains `word`, from the trigram index where that pays. */
export function contains(text: Sql, word: string): Sql {
  const pattern = `%${escapeLike(word)}%`;
  return [...word].length < shortestIndexed ? sql`(${text} || '') like ${pattern}` : sql`${text} like ${pattern}`;
}

/** The text of the fields that the role may see: a hidden one must neither match nor count. */
function visibleText(fields: readonly FieldDef[], scope: ObjectScope): Sql {
  const parts = fields.map((field) => sql`${scope.row}.search_parts ->> ${field.id}::text`);
  return sql`concat_ws(' ', ${join(parts, ', ')})`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
