/**
 * Filters of SELECT and MULTI_SELECT. An option is named by its value or its label; parts of a text are looked for in both,
 * here and not in the database, so that the index answers.
 */
import type { Json } from '../../lib/json.ts';
import { sql } from '../../postgres/sql.ts';
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

/** A MULTI_SELECT has options; it is null when it has none. */
export const optionsOperators = operators(
  (matching) => (operand, value) => sql`${operand.value} && ${matching(operand, value)}::text[]`,
);
