/** A CALCULATED field's expression as SQL over a row. It never fails at run time: what cannot be computed is null. */
import { literal, sql, trusted } from '../../postgres/sql.ts';
import type { Sql } from '../../postgres/sql.ts';
import { boundedNumber } from '../bounds.ts';
import { functions, type Parameter } from './functions.ts';
import { asKind, called, commonKind, type PlainKind, type Typed } from './kinds.ts';
import { problemAt } from './tokens.ts';
import type { Expression, Sign } from './tree.ts';
import type { FieldProblem } from '../field-problem.ts';
import type { RowScope } from '../field-type.ts';
import { isDay } from '../local-time.ts';
import { computedOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import type { FilterContext, Operand } from '../operators/operator.ts';

/**
 * Compiles the expression for filters, sorts and reading; a bare null has the kind `fallback`. Throws FieldProblem
 * with the position where kinds do not fit.
 */
export function compileExpression(expression: Expression, scope: RowScope, fallback: PlainKind): Operand {
  const typed = compile(expression, scope);
  const common = commonKind([typed.kind]);
  const kind = common === 'null' ? fallback : common;
  const value = kind && asKind(typed, kind, scope.clock);
  if (!value) throw problemAt(`gives a ${called(typed.kind)}`, expression.at);
  if (kind === 'text') return computedOperand(kind, sql`(${value} collate "C")`);
  return computedOperand(kind, kind === 'number' ? boundedNumber(value) : value);
}

function compile(expression: Expression, scope: RowScope): Typed {
  switch (expression.kind) {
    case 'text':
      // A literal rather than a parameter: it belongs to the model, like column names.
      return { kind: 'text', value: sql`${literal(expression.value)}::text` };
    case 'number':
      return { kind: 'number', value: sql`${literal(expression.value)}::numeric` };
    case 'boolean':
      return { kind: 'boolean', value: trusted(String(expression.value)) };
    case 'null':
      return { kind: 'null', value: sql`null` };
    case 'field':
      return scope.operand(expression.name);
    case 'not':
      return { kind: 'boolean', value: sql`(not ${condition(expression.of, 'not', expression.at, scope)})` };
    case 'sign':
      return signed(expression, scope);
    default:
      return call(expression, scope);
  }
}

type Signed = Extract<Expression, { kind: 'sign' }>;

function signed(expression: Signed, scope: RowScope): Typed {
  switch (expression.sign) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return { kind: 'number', value: arithmetic(expression, scope) };
    case 'and':
    case 'or': {
      const { sign, left, right, at } = expression;
      const [a, b] = [condition(left, sign, at, scope), condition(right, sign, at, scope)];
      return { kind: 'boolean', value: sql`(${a} ${trusted(sign)} ${b})` };
    }
    default:
      return { kind: 'boolean', value: comparison(expression, scope) };
  }
}

/** Null where a side is null, or the divisor is zero. */
function arithmetic({ sign, left, right, at }: Signed, scope: RowScope): Sql {
  const a = number(left, at, scope);
  const b = number(right, at, scope);
  switch (sign) {
    case '/':
      // PostgreSQL computes at least 16 significant digits; rounding to a hundred decimals bounds products of
      // quotients.
      return sql`round(${a} / nullif(${b}, 0), 100)`;
    case '%':
      return sql`mod(${a}, nullif(${b}, 0))`;
    default:
      return sql`(${a} ${trusted(sign)} ${b})`;
  }
}

function number(expression: Expression, at: number, scope: RowScope): Sql {
  const typed = compile(expression, scope);
  const value = asKind(typed, 'number', scope.clock);
  if (!value) throw problemAt(`cannot calculate with a ${called(typed.kind)}`, at);
  return value;
}

function condition(expression: Expression, name: string, at: number, scope: RowScope): Sql {
  const typed = compile(expression, scope);
  const value = asKind(typed, 'boolean', scope.clock);
  if (!value) throw problemAt(`${name} needs a condition, not a ${called(typed.kind)}`, at);
  return value;
}

const equalities: ReadonlySet<Sign> = new Set(['=', '!=']);

/** Compares as filters do: equality is exact, order is that of a sort. */
function comparison({ sign, left, right, at }: Signed, scope: RowScope): Sql {
  const sides = [compile(left, scope), compile(right, scope)];
  const equality = equalities.has(sign);
  const kind = equality ? comparable(sides) : orderable(sides);
  const [a, b] = kind === undefined ? [] : sides.map((side) => asKind(side, kind, scope.clock));
  if (!a || !b) throw wrongSides(sign, sides, at);
  if (kind !== 'text') return sql`(${a} ${trusted(sign === '!=' ? '<>' : sign)} ${b})`;
  if (equality) return sql`((${a}) collate "C" ${trusted(sign === '!=' ? '<>' : sign)} ${b})`;
  return sql`(lower((${a}) collate "C") ${trusted(sign)} lower((${b}) collate "C"))`;
}

function comparable(sides: readonly Typed[]): PlainKind | undefined {
  const kinds = sides.map((side) => side.kind);
  if (kinds.includes('id') && kinds.includes('text')) return 'text';
  const kind = commonKind(kinds);
  return kind === 'null' ? 'text' : kind;
}

function orderable(sides: readonly Typed[]): PlainKind | undefined {
  const kind = comparable(sides);
  return kind === 'boolean' || sides.some((side) => side.kind === 'id') ? undefined : kind;
}

function wrongSides(sign: Sign, sides: readonly Typed[], at: number): FieldProblem {
  const [left = '', right = ''] = sides.map((side) => called(side.kind));
  const more = equalities.has(sign) ? ', two ids or two booleans' : '';
  return problemAt(`${sign} needs two numbers, two texts, two dates or times${more}, not a ${left} and a ${right}`, at);
}

type Call = Extract<Expression, { kind: 'call' }>;

/** An argument compiled once: recompiling it at each level would double the work with every nesting. */
interface Argument {
  readonly parameter: Parameter;
  readonly written: Expression;
  readonly typed: Typed;
}

function call(expression: Call, scope: RowScope): Typed {
  const { takes, gives, sql: write } = functions[expression.name];
  const args = expression.args.map((written, index): Argument => {
    const parameter = takes[index] ?? takes.at(-1) ?? 'text';
    return { parameter, written, typed: compile(written, scope) };
  });
  const common = commonOf(expression, args);
  const values = args.map((arg) => argument(arg, expression, common, scope.clock));
  return { kind: gives === 'common' ? common : gives, value: write(values, scope.clock) };
}

/** The common kind of a function's choices. Mixed kinds become texts, unless they have to be ordered. */
function commonOf({ name, at }: Call, args: readonly Argument[]): PlainKind | 'null' {
  const kinds = args
    .filter(({ parameter }) => parameter === 'value' || parameter === 'ordered')
    .map(({ typed }) => typed.kind);
  const kind = commonKind(kinds);
  if (!args.some(({ parameter }) => parameter === 'ordered')) return kind ?? 'text';
  if (kind === 'number' || kind === 'date' || kind === 'datetime' || kind === 'null') return kind;
  throw problemAt(
    `${name} needs numbers, dates or times, not ${kinds.map((each) => `a ${called(each)}`).join(', ')}`,
    at,
  );
}

function argument(arg: Argument, { name, at }: Call, common: PlainKind | 'null', clock: FilterContext): Sql {
  const { parameter, written, typed } = arg;
  switch (parameter) {
    case 'separator':
      if (written.kind === 'text') return literal(written.value);
      throw problemAt(`needs a text in '…' as the first argument of ${name}`, at);
    case 'digits':
      return digits(written, name, at);
    case 'emptiness':
      return emptiness(arg, clock);
    case 'date':
      return written.kind === 'text' ? day(written.value, written.at) : taken(arg, 'date', name, clock);
    case 'day':
      return taken(arg, 'date', name, clock);
    case 'value':
    case 'ordered':
      return common === 'null' ? typed.value : taken(arg, common, name, clock);
    default:
      return taken(arg, parameter, name, clock);
  }
}

function taken({ written, typed }: Argument, kind: PlainKind, name: string, clock: FilterContext): Sql {
  const value = asKind(typed, kind, clock);
  if (value) return value;
  throw problemAt(
    `${name} needs a ${kind === 'boolean' ? 'condition' : kind}, not a ${called(typed.kind)}`,
    written.at,
  );
}

/** The number of decimals; negative before the point. */
function digits(arg: Expression, name: string, at: number): Sql {
  const negative = arg.kind === 'sign' && arg.sign === '-' && arg.left.kind === 'number' && arg.left.value === '0';
  const count = negative ? arg.right : arg;
  if (count.kind !== 'number' || !/^\d{1,2}$/.test(count.value)) {
    throw problemAt(`needs a whole number below 100 as the second argument of ${name}`, at);
  }
  return trusted(`${negative ? '-' : ''}${count.value}`);
}

function day(text: string, at: number): Sql {
  if (!isDay(text)) throw problemAt('needs a day such as 2026-01-31', at);
  return sql`${literal(text)}::date`;
}

/** Emptiness as the filter `is_empty` defines it; never null. */
function emptiness({ typed, written }: Argument, clock: FilterContext): Sql {
  const { kind, ...operand } = typed;
  if (kind === 'null') return sql`true`;
  const isEmpty = operatorsOf(kind).is_empty;
  if (!isEmpty) throw problemAt(`is_empty cannot look into a ${called(kind)}`, written.at);
  return sql`(${isEmpty({ kind, ...operand }, null, clock)})`;
}
