/**
 * Filters on EMAILS and PHONES: true where any value matches; negative ones, where none does. Whole values are
 * compared by containment, which the GIN index answers.
 */
import { jsonString } from '../../lib/json.ts';
import { sql } from '../../postgres/sql.ts';
import type { Sql } from '../../postgres/sql.ts';
import { equality, nullness } from './combine.ts';
import type { Operand, Operator, OperatorSet } from './operator.ts';
import { patterns } from './text.ts';
import { listFrom, textFrom } from './values.ts';

const equals: Operator = ({ value, key = 'email' }, wanted) =>
  sql`${value} @> ${JSON.stringify([{ [key]: textFrom(wanted) }])}::jsonb`;

/** So many values go into a path, which the index answers; it compares each of them with each address, so that more go into a hash. */
const mostInPath = 100;

const isIn: Operator = (operand, wanted) => {
  const { value, key = 'email' } = operand;
  const texts = listFrom(wanted).map(textFrom);
  if (texts.length === 0) return sql`false`;
  if (texts.length > mostInPath)
    return sql`exists (select from jsonb_array_elements(${value}) item (object) where ${textOf(operand)} in (select unnest(${texts}::text[])))`;
  const tests = texts.map((text) => `@.${key} == ${jsonString(text)}`);
  return sql`${value} @? ${`$[*] ? (${tests.join(' || ')})`}::jsonpath`;
};

function anyValue(test: (text: Sql, wanted: string) => Sql, name: keyof typeof patterns): Operator {
  return (operand, wanted) => sql`exists (select from jsonb_array_elements(${operand.value}) item (object)
    where ${test(textOf(operand), patterns[name].of(wanted))})`;
}

function textOf({ key = 'email' }: Operand): Sql {
  return sql`(item.object ->> ${key}::text)`;
}

const inAnyCase = (text: Sql, pattern: string): Sql => sql`${text} collate "und-x-icu" ilike ${pattern}`;
const asWritten = (text: Sql, pattern: string): Sql => sql`${text} like ${pattern}`;

export const valuesOperators: OperatorSet = {
  ...equality(equals, isIn),
  contains: anyValue(inAnyCase, 'contains'),
  ilike: anyValue(inAnyCase, 'ilike'),
  starts_with: anyValue(asWritten, 'starts_with'),
  ends_with: anyValue(asWritten, 'ends_with'),
  ...nullness,
};
