/**
 * Filters on SELECT and MULTI_SELECT. An option is named by its value or label; partial texts are matched here
 * against both, so that the database can use its index.
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

/** The operators for an operand that has, or is, one of the matching options. */
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

/** For SELECT, which has one option. */
export const optionOperators = operators(
  (matching) => (operand, value) => sql`${operand.value} = any(${matching(operand, value)}::text[])`,
);

const hasOne =
  (matching: Matching): Operator =>
  (operand, value) =>
    sql`${operand.value} && ${matching(operand, value)}::text[]`;

/** `{a,b}`, the group key of records with exactly these options. [spec: Records] */
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

/** For MULTI_SELECT, which is null without options. */
export const optionsOperators = {
  ...operators(hasOne),
  ...equality(equals, hasOne(any)),
};
