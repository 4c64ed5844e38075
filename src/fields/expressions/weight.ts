/** The planning cost of an expression in parts: a column or an operator is one, about ten microseconds. */
import { partsOf, type Expression, type FunctionName } from './tree.ts';

export interface Weight {
  readonly parts: number;
  readonly depth: number;
}

/** The measured cost of a call, and of each argument, where it is not one and zero. */
const calls: Partial<Readonly<Record<FunctionName, { readonly call: number; readonly argument?: number }>>> = {
  join: { call: 1, argument: 5 },
  concat: { call: 1, argument: 1 },
  replace: { call: 2 },
  lower: { call: 3 },
  upper: { call: 3 },
  contains: { call: 3 },
  left: { call: 2 },
  right: { call: 2 },
  number: { call: 2 },
  add_days: { call: 4 },
  add_months: { call: 13 },
};

/** PostgreSQL folds texts of constants once, before it reads a row; intermediate ones may have a million characters. */
const madeOfConstants = 150;
const lengthening: ReadonlySet<Expression['kind'] | FunctionName> = new Set(['replace', 'concat', 'join']);

const division = 3;

interface Weighed extends Weight {
  readonly isConstant: boolean;
}

/** The weight of the whole expression; `fieldWeight` is called for each use of a field. */
export function weightOf(expression: Expression, fieldWeight: (fieldName: string) => Weight): Weighed {
  if (expression.kind === 'field') {
    const { parts, depth } = fieldWeight(expression.name);
    return { parts: 1 + parts, depth: 1 + depth, isConstant: false };
  }
  const inner = partsOf(expression).map((part) => weightOf(part, fieldWeight));
  const isConstant = inner.every((part) => part.isConstant);
  return {
    parts: inner.reduce((sum, part) => sum + part.parts, ownParts(expression, inner.length, isConstant)),
    depth: 1 + Math.max(0, ...inner.map((part) => part.depth)),
    isConstant,
  };
}

function ownParts(expression: Expression, count: number, isConstant: boolean): number {
  if (expression.kind === 'sign') return expression.sign === '/' ? division : 1;
  if (expression.kind !== 'call') return 1;
  if (isConstant && lengthening.has(expression.name)) return madeOfConstants;
  const { call, argument = 0 } = calls[expression.name] ?? { call: 1 };
  return call + argument * count;
}
