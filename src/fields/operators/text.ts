/** Filters on text. `contains` and `ilike` ignore case in every script; all others are case-sensitive. */
import type { Json } from '../../lib/json.ts';
import { sql } from '../../postgres/sql.ts';
import { FieldProblem } from '../field-problem.ts';
import { comparableEquality, ordering } from './combine.ts';
import type { Comparable } from './combine.ts';
import { checkedPattern, escapeLike } from './like.ts';
import type { Operator, OperatorName, OperatorSet } from './operator.ts';
import { textFrom } from './values.ts';

/** Characters of a part of a text: PostgreSQL compares each with each of every row. */
const longestPart = 10_000;

function partFrom(value: Json): string {
  const text = textFrom(value);
  if (text.length > longestPart)
    throw new FieldProblem(`must have at most ${longestPart.toLocaleString('en')} characters`);
  return text;
}

const texts: Comparable = { type: 'text', read: textFrom };

/** The operators that match part of a text, as a LIKE pattern and its case sensitivity. */
export const patterns = {
  contains: { anyCase: true, of: (value: Json) => `%${escapeLike(partFrom(value))}%` },
  ilike: { anyCase: true, of: (value: Json) => checkedPattern(partFrom(value)) },
  starts_with: { anyCase: false, of: (value: Json) => `${escapeLike(partFrom(value))}%` },
  ends_with: { anyCase: false, of: (value: Json) => `%${escapeLike(partFrom(value))}` },
} satisfies Partial<Record<OperatorName, { anyCase: boolean; of: (value: Json) => string }>>;

const contains: Operator = ({ value }, wanted) =>
  sql`${value} collate "und-x-icu" ilike ${patterns.contains.of(wanted)}`;
const ilike: Operator = ({ value }, wanted) => sql`${value} collate "und-x-icu" ilike ${patterns.ilike.of(wanted)}`;
const startsWith: Operator = ({ value }, wanted) => sql`${value} like ${patterns.starts_with.of(wanted)}`;
const endsWith: Operator = ({ value }, wanted) => sql`${value} like ${patterns.ends_with.of(wanted)}`;

export const textOperators: OperatorSet = {
  ...comparableEquality(texts),
  // The order of a sort, but over whole texts. Collation "C" must be explicit: a bound value has the database's own.
  ...ordering(
    texts,
    ({ value }) => sql`lower(${value})`,
    (bound) => sql`lower(${bound} collate "C")`,
  ),
  contains,
  ilike,
  starts_with: startsWith,
  ends_with: endsWith,
  is_null: ({ value }) => sql`${value} is null`,
  is_not_null: ({ value }) => sql`${value} is not null`,
  is_empty: ({ value }) => sql`coalesce(${value}, '') = ''`,
  is_not_empty: ({ value }) => sql`${value} <> ''`,
};
