/** What the outcome of an expression is an amount of: the units of the fields that it is made of, as far as they last. */
import type { Expression, FunctionName } from './tree.ts';
import type { Unit } from '../field-type.ts';

type Units = readonly Unit[];

const none: Units = [];

/** The arguments that the outcome of a function is one of, or is made of; the outcomes of other functions have no unit. */
const passing: Partial<Readonly<Record<FunctionName, (args: readonly Expression[]) => readonly Expression[]>>> = {
  if: (args) => args.slice(1),
  coalesce: (args) => args,
  min: (args) => args,
  max: (args) => args,
  round: (args) => args.slice(0, 1),
  floor: (args) => args,
  ceil: (args) => args,
  abs: (args) => args,
};

/**
 * The units of all fields whose amounts are added up in the outcome, or picked for it, each once. An amount times a number is
 * an amount; two amounts that are multiplied, or divided one by the other, are none.
 */
export function unitsOf(expression: Expression, unitsOfField: (name: string) => Units): Units {
  const of = (part: Expression) => unitsOf(part, unitsOfField);
  switch (expression.kind) {
    case 'field':
      return unitsOfField(expression.name);
    case 'call':
      return together(...(passing[expression.name]?.(expression.args) ?? []).map(of));
    case 'sign': {
      const { sign, left, right } = expression;
      if (sign === '+' || sign === '-' || sign === '%') return together(of(left), of(right));
      if (sign !== '*' && sign !== '/') return none;
      const [first, second] = [of(left), of(right)];
      if (second.length === 0) return first;
      return sign === '*' && first.length === 0 ? second : none;
    }
    default:
      return none;
  }
}

function together(...units: readonly Units[]): Units {
  return [...new Map(units.flat().map((unit) => [unit.key, unit])).values()];
}
