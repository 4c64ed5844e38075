/** Which searches are soon done, however many records there are. */
import type { ObjectDef } from '../model/model.ts';
import type { Visibility } from './context.ts';
import { isWhole, searchedFields } from './search.ts';
import { looksAtEveryRow, type SearchTerm } from './search-terms.ts';
import { admitsAll } from './where.ts';

/**
 * Whether the search index leads to the matches and to hardly anything else: it knows some part of the query, and the caller may
 * see all that it knows.
 */
export function isLookedUp(terms: readonly SearchTerm[], object: ObjectDef, visibility: Visibility): boolean {
  const sees = isWhole(searchedFields(object, visibility), object) && admitsAll(visibility.rows(object.name), object);
  return sees && !looksAtEveryRow(terms);
}
