/** Ranks search results. [spec: Search] */
import type { FieldDef } from '../fields/field-def.ts';
import { escapeLike } from '../fields/operators/like.ts';
import { empty, sql, type Sql } from '../postgres/sql.ts';
import { sourcesOf } from './field-sources.ts';
import type { ObjectScope } from './row-scope.ts';
import { isWhole, searchedFields, textOf, wholeText } from './search.ts';
import { wordsIn } from './search-terms.ts';

/** The rank of matches that are not ranked. */
export const lastRank = 5;

/** Characters that divide a name into words, beside spaces: single characters, so that each is replaced by a space. */
const dividers = `-'’./,&()@_:;"`;

/** A rank, with what it needs appended to the row in `from`. */
export interface Rank {
  readonly value: Sql;
  readonly beside: Sql;
}

/**
 * Ranks from 0, the best: the name is the query; its words are words of the name; they begin words of the name; they
 * begin words elsewhere; they are inside words.
 */
export function searchRank(query: string, scope: ObjectScope): Rank {
  const { object, context } = scope;
  const visible = searchedFields(object, context.visibility);
  const names = nameFields(scope, visible);
  const words = wordsIn(query);
  const text = isWhole(visible, object) ? wholeText(scope) : textOf(visible, scope);
  const elsewhere = sql`when ${likeAll(
    text,
    words.map((word) => `% ${escapeLike(word)}%`),
  )} then 3 else 4`;
  const inName = words.map(divided).filter((word) => word !== '');
  if (names.length === 0 || inName.length === 0) return { value: sql`case ${elsewhere} end`, beside: empty };
  const spaced = sql`translate(${textOf(names, scope)}, ${dividers}, ${' '.repeat(dividers.length)}) || ' '`;
  const whole = inName.map((word) => `% ${escapeLike(word)} %`);
  const begun = inName.map((word) => `% ${escapeLike(word)}%`);
  return {
    value: sql`case when w.name = ${` ${inName.join(' ')} `} then 0
      when ${likeAll(sql`w.name`, whole)} then 1
      when ${likeAll(sql`w.name`, begun)} then 2 ${elsewhere} end`,
    // The offset keeps PostgreSQL from computing the name once per use.
    beside: sql` cross join lateral (select ${spaced} as name offset 0) w`,
  };
}

/** A single condition for any number of words, so that the statement's shape is constant. */
function likeAll(text: Sql, patterns: readonly string[]): Sql {
  return sql`${text} like all (${patterns}::text[])`;
}

/** The word, divided as in the name. */
function divided(word: string): string {
  return [...word]
    .map((character) => (dividers.includes(character) ? ' ' : character))
    .join('')
    .trim();
}

/** The naming fields of a record: its display field or, if that is computed, its sources. */
function nameFields({ object, context }: ObjectScope, visible: readonly FieldDef[]): readonly FieldDef[] {
  const { name: objectName, displayField } = object;
  const own = visible.filter(({ name }) => name === displayField);
  if (own.length > 0 || !object.attributes.get(displayField)?.calculation) return own;
  const sources = sourcesOf(context.model, { objectName, fieldName: displayField });
  return visible.filter(({ name }) => sources.some((source) => source.fieldName === name));
}
