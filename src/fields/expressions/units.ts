/** The unit of an expression's result, derived from the units of its fields. */
import type { Expression, FunctionName } from './tree.ts';
import type { Unit } from '../field-type.ts';

type Units = readonly Unit[];

const none: Units = [];

/** The arguments from which a function's result takes its unit; results of other functions have none. */
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
 * The units of all fields whose amounts are added to the result or chosen as it. An amount times a number is an
 * amount; a product or a quotient of two amounts is none.
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
