/** A CALCULATED field's expression as SQL over a row. Only immutable functions, so that an index could hold it. */
import { literal, join, sql, trusted } from '../postgres/sql.ts';
import type { Sql } from '../postgres/sql.ts';
import type { Expression, FunctionName } from './expression.ts';
import { FieldProblem } from './field-problem.ts';
import type { RowScope } from './field-type.ts';
import { booleanOperand, dateOperand, datetimeOperand, idOperand, numberOperand, textOperand } from './operands.ts';
import type { Operand, OperandKind } from './operators/operator.ts';

/** The expression's value as a filter, a sort or a reading sees it. Throws FieldProblem where kinds of values don't fit. */
export function compileExpression(expression: Expression, scope: RowScope): Operand {
  const { kind, value } = compile(expression, scope);
  switch (kind) {
    case 'text':
    case 'option':
      return textOperand(sql`(${value} collate "C")`);
    case 'number':
      return numberOperand(sql`(${value})::numeric`, 'numeric');
    case 'boolean':
      return booleanOperand(value);
    case 'date':
      return dateOperand(value);
    case 'datetime':
      return datetimeOperand(value);
    case 'id':
      return idOperand(value);
    default:
      throw new FieldProblem('has a value that no expression can use');
  }
}

interface Typed {
  readonly kind: OperandKind;
  readonly value: Sql;
}

function compile(expression: Expression, scope: RowScope): Typed {
  switch (expression.kind) {
    case 'text':
      // A constant of the statement, not a parameter: it belongs to the model, as the names of columns do.
      return { kind: 'text', value: sql`${literal(expression.value)}::text` };
    case 'number':
      return { kind: 'number', value: sql`${literal(expression.value)}::numeric` };
    case 'field':
      return scope.operand(expression.name);
    case 'sum':
      return { kind: 'number', value: arithmetic(expression, scope) };
    default:
      return call(expression.name, expression.args, scope);
  }
}

/** Null where a side is null, and where something is divided by zero. */
function arithmetic({ sign, left, right }: Extract<Expression, { kind: 'sum' }>, scope: RowScope): Sql {
  const [a, b] = [left, right].map((side) => {
    const { kind, value } = compile(side, scope);
    if (kind !== 'number') throw new FieldProblem(`cannot calculate with a ${kind}`);
    return sql`(${value})::numeric`;
  });
  if (!a || !b) throw new Error('A sign has two sides');
  return sql`(${a} ${trusted(sign)} ${sign === '/' ? sql`nullif(${b}, 0)` : b})`;
}

function call(name: FunctionName, args: readonly Expression[], scope: RowScope): Typed {
  const values = args.map((arg) => compile(arg, scope));
  switch (name) {
    case 'join':
      return { kind: 'text', value: joined(args[0], values.slice(1).map(asText)) };
    case 'concat':
      return { kind: 'text', value: appended(values.map((value) => sql`coalesce(${asText(value)}, '')`)) };
    case 'coalesce':
      return coalesced(values);
    case 'lower':
    case 'upper':
      // Every script's case, whatever the locale of the database.
      return { kind: 'text', value: sql`(${trusted(name)}(${one(values)} collate "und-x-icu") collate "C")` };
    default:
      return { kind: 'text', value: sql`btrim(${one(values)}, E' \\t\\r\\n')` };
  }
}

/** The parts that are not empty with `separator` between; concat_ws would do it, but is not immutable. */
function joined(separator: Expression | undefined, parts: readonly Sql[]): Sql {
  const text = separator?.kind === 'text' ? separator.value : '';
  const each = parts.map((part) => sql`coalesce(${literal(text)} || nullif(${part}, ''), '')`);
  const start = trusted(String([...text].length + 1));
  return sql`nullif(substr(${join(each, ' || ')}, ${start}), '')`;
}

function appended(parts: readonly Sql[]): Sql {
  return sql`nullif(${join(parts, ' || ')}, '')`;
}

function coalesced(values: readonly Typed[]): Typed {
  const [first] = values;
  if (first === undefined) throw new FieldProblem('needs a value for coalesce');
  const same = values.every((value) => value.kind === first.kind);
  const items = same ? values.map((value) => value.value) : values.map(asText);
  return { kind: same ? first.kind : 'text', value: sql`coalesce(${join(items, ', ')})` };
}

function one(values: readonly Typed[]): Sql {
  const [value] = values;
  if (value === undefined) throw new FieldProblem('needs an argument');
  return asText(value);
}

/** Texts, options and numbers have one text everywhere; how a date is printed is a setting. */
function asText({ kind, value }: Typed): Sql {
  if (kind === 'text' || kind === 'option') return value;
  if (kind === 'number') return sql`(${value})::text`;
  throw new FieldProblem(`cannot make a text of a ${kind}`);
}
