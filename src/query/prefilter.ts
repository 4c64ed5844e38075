/**
 * Narrows a filter on parts of a text by the search index. The column itself is compared as well, so a role learns
 * nothing from fields that share the index.
 */
import type { FieldDef, FieldTypeName } from '../fields/field-def.ts';
import { cut, normalise } from '../fields/search-text.ts';
import { fieldType } from '../fields/registry.ts';
import type { FilterCondition, FilterGroup, ObjectDef } from '../model/model.ts';
import { and, sql, type Sql } from '../postgres/sql.ts';
import type { ObjectScope } from './row-scope.ts';
import { contains } from './search.ts';

/** Types whose whole value is in the search text, character by character; a truncated text proves nothing. */
const searchedWhole: ReadonlySet<FieldTypeName> = new Set(['TEXT', 'URL']);

const literalOperators: ReadonlySet<string> = new Set(['contains', 'starts_with', 'ends_with']);

/** Runs of letters and digits that normalisation keeps in any position. */
const runs = /[\p{L}\p{N}]{3,}/gu;

const longestBeginning = 60;

/** A necessary condition on `search_text`, or undefined when there is none. */
export function textPrefilter(field: FieldDef, condition: FilterCondition, scope: ObjectScope): Sql | undefined {
  if (!isSearchedWhole(field)) return undefined;
  const { value, operator } = condition;
  if (typeof value !== 'string') return undefined;
  const found = operator === 'equals' ? beginnings(value) : piecesOf(operator, value);
  return found.length === 0 ? undefined : and(found.map((piece) => contains(sql`${scope.row}.search_text`, piece)));
}

/** The beginning of the value in the search text, where each field follows a space; the beginning narrows enough. */
function beginnings(value: string): readonly string[] {
  const text = cut(normalise(value), longestBeginning);
  return text.search(runs) < 0 ? [] : [` ${text}`];
}

function piecesOf(operator: string, value: string): readonly string[] {
  const pieces = operator === 'ilike' ? literalPieces(value) : literalOperators.has(operator) ? [value] : [];
  return [...new Set(pieces.flatMap((piece) => normalise(piece).match(runs) ?? []))];
}

/** Whether a list of `object` looks for text, so that the search index can find its rows. */
export function matchesText(
  object: ObjectDef,
  request: { readonly where: readonly FilterGroup[]; readonly search?: string | undefined },
): boolean {
  return Boolean(request.search) || request.where.some((group) => mentionsText(object, group));
}

function mentionsText(object: ObjectDef, group: FilterGroup): boolean {
  return group.conditions.some((part) => {
    if ('conditions' in part) return mentionsText(object, part);
    const { field, operator } = part;
    if (operator === 'ilike' || literalOperators.has(operator)) return true;
    const attribute = operator === 'equals' ? object.attributes.get(field) : undefined;
    return attribute !== undefined && isSearchedWhole(attribute);
  });
}

/** Whether the filters look for parts of texts that no index covers, so that every row has to be examined. */
export function looksThroughTexts(object: ObjectDef, where: readonly FilterGroup[]): boolean {
  return wayToTexts(object, { type: 'AND', conditions: where }) === 'looked through';
}

/** How the text conditions of a group are answered; undefined where they decide nothing. */
function wayToTexts(object: ObjectDef, { type, conditions }: FilterGroup): 'looked up' | 'looked through' | undefined {
  const ways = conditions.map((part) => {
    if ('conditions' in part) return wayToTexts(object, part);
    if (part.operator !== 'ilike' && !literalOperators.has(part.operator)) return undefined;
    return hasIndexedPieces(object, part) ? 'looked up' : 'looked through';
  });
  // The index leaves few rows to examine.
  if (type === 'AND' && ways.includes('looked up')) return 'looked up';
  if (ways.includes('looked through')) return 'looked through';
  return ways.length > 0 && ways.every((way) => way === 'looked up') ? 'looked up' : undefined;
}

function hasIndexedPieces(object: ObjectDef, { field, operator, value }: FilterCondition): boolean {
  const attribute = object.attributes.get(field);
  if (!attribute || !isSearchedWhole(attribute) || typeof value !== 'string') return false;
  return piecesOf(operator, value).length > 0;
}

/** Whether the search text contains the whole value of the field. */
export function isSearchedWhole(field: FieldDef): boolean {
  return field.isSearchable && searchedWhole.has(field.type) && fieldType(field.type).searchText !== undefined;
}

/** The literal parts of a LIKE pattern between wildcards; a backslash escapes the next character. */
function literalPieces(pattern: string): readonly string[] {
  const pieces = [''];
  for (const [part] of pattern.matchAll(/\\?[^]/gu)) {
    if (part === '%' || part === '_') pieces.push('');
    else pieces.push((pieces.pop() ?? '') + (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part));
  }
  return pieces;
}
