/** The operators of each kind of operand. [spec: FilterGroup and FilterCondition] */
import { sql } from '../../postgres/sql.ts';
import { OperatorProblem } from '../field-problem.ts';
import { comparableEquality, nullness, ordering } from './combine.ts';
import type { Comparable } from './combine.ts';
import { dateOperators } from './dates.ts';
import { linksOperators } from './links.ts';
import { operatorNames } from './operator.ts';
import type { OperandKind, Operator, OperatorName, OperatorSet } from './operator.ts';
import { optionOperators, optionsOperators } from './options.ts';
import { textOperators } from './text.ts';
import { booleanFrom, dayFrom, idFrom, instantFrom, numberFrom } from './values.ts';
import { valuesOperators } from './values-of-list.ts';

const numbers: Comparable = { type: 'numeric', read: numberFrom };
const days: Comparable = { type: 'date', read: dayFrom };
const instants: Comparable = { type: 'timestamptz', read: instantFrom };

const byKind: Readonly<Record<OperandKind, OperatorSet>> = {
  text: textOperators,
  number: { ...comparableEquality(numbers), ...ordering(numbers), ...nullness },
  boolean: {
    ...comparableEquality({ type: 'boolean', read: booleanFrom }),
    ...nullness,
    is_true: ({ value }) => sql`${value} is true`,
    is_false: ({ value }) => sql`${value} is false`,
  },
  date: { ...comparableEquality(days), ...ordering(days), ...nullness, ...dateOperators },
  datetime: { ...comparableEquality(instants), ...ordering(instants), ...nullness, ...dateOperators },
  id: { ...comparableEquality({ type: 'uuid', read: idFrom }), ...nullness },
  option: optionOperators,
  options: optionsOperators,
  values: valuesOperators,
  links: linksOperators,
  none: {},
};

/** The operators for values of this kind. */
export function operatorsOf(kind: OperandKind): OperatorSet {
  return byKind[kind];
}

/**
 * All operators, for a type whose kind of value differs by field. Each throws OperatorProblem where the kind lacks
 * it.
 */
export const anyOperators: OperatorSet = byOperand(operatorNames);

/** The operators of `set`, for a type of which some fields have another kind of value. */
export function operatorsAmong(set: OperatorSet): OperatorSet {
  return byOperand(operatorNames.filter((name) => set[name]));
}

function byOperand(names: readonly OperatorName[]): OperatorSet {
  return Object.fromEntries(
    names.map((name): [string, Operator] => [
      name,
      (operand, value, context) => {
        const set = byKind[operand.kind];
        const operator = set[name];
        if (!operator) {
          throw new OperatorProblem(
            `can't be filtered by ${name}`,
            operatorNames.filter((known) => set[known]),
          );
        }
        return operator(operand, value, context);
      },
    ]),
  );
}
