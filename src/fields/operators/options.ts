/**
 * Filters of SELECT and MULTI_SELECT. An option is named by its value or its label; parts of a text are looked for in both,
 * here and not in the database, so that the index answers.
 */
import type { Json } from '../../lib/json.ts';
import { sql } from '../../postgres/sql.ts';
import { parseTextArray } from '../array-literal.ts';
import type { Option } from '../field-def.ts';
import { FieldProblem } from '../field-problem.ts';
import { optionNamed } from '../option-named.ts';
import { equality, nullness } from './combine.ts';
import { matcher } from './like.ts';
import type { Operand, Operator, OperatorSet } from './operator.ts';
import { patterns } from './text.ts';
import { listFrom, textFrom } from './values.ts';

type Matching = (operand: Operand, value: Json) => readonly string[];

const one: Matching = ({ options }, value) => [optionNamed(textFrom(value), options ?? []).value];
const any: Matching = ({ options }, value) =>
  listFrom(value).map((item) => optionNamed(textFrom(item), options ?? []).value);

function alike(name: keyof typeof patterns): Matching {
  const { anyCase, of } = patterns[name];
  return ({ options }, value) => {
    const matches = matcher(of(value), anyCase);
    return (options ?? [])
      .filter((option) => matches(option.value) || matches(option.label))
      .map((option) => option.value);
  };
}

/** The set for an operand that has, or is, one of the matching options. */
function operators(has: (matching: Matching) => Operator): OperatorSet {
  return {
    ...equality(has(one), has(any)),
    contains: has(alike('contains')),
    ilike: has(alike('ilike')),
    starts_with: has(alike('starts_with')),
    ends_with: has(alike('ends_with')),
    ...nullness,
  };
}

/** A SELECT is one option. */
export const optionOperators = operators(
  (matching) => (operand, value) => sql`${operand.value} = any(${matching(operand, value)}::text[])`,
);

const hasOne =
  (matching: Matching): Operator =>
  (operand, value) =>
    sql`${operand.value} && ${matching(operand, value)}::text[]`;

/** `{a,b}`, the key of a group of records: those that have these options and no other. [spec: Records] */
const equals: Operator = (operand, value, context) => {
  const set = setIn(textFrom(value), operand.options ?? []);
  if (!set) return hasOne(one)(operand, value, context);
  return sql`(${operand.value} @> ${set}::text[] and ${operand.value} <@ ${set}::text[])`;
};

function setIn(text: string, options: readonly Option[]): readonly string[] | undefined {
  const isSet = text.startsWith('{') && text.endsWith('}');
  if (!isSet || options.some(({ value, label }) => value === text || label === text)) return undefined;
  try {
    return parseTextArray(text).map((item) => optionNamed(item ?? 'NULL', options).value);
  } catch (error) {
    if (error instanceof FieldProblem) throw error;
    throw new FieldProblem('must be an option, or a set of them such as {a,b}');
  }
}

/** A MULTI_SELECT has options; it is null when it has none. */
export const optionsOperators = {
  ...operators(hasOne),
  ...equality(equals, hasOne(any)),
};
