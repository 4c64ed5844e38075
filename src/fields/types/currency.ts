/** CURRENCY: an amount and its ISO 4217 code, in two columns. Filters, sorts and aggregates see the amount. */
import { aggregates } from '../aggregates.ts';
import { Digits, isObject, type Json } from '../../lib/json.ts';
import { isCurrency } from '../../lib/standards.ts';
import { jsonInCell } from '../cell-text.ts';
import { decodeNumber, numberFromCell } from '../digits.ts';
import { FieldProblem, misfit, refuseOtherKeys } from '../field-problem.ts';
import type { DecodeContext, FieldType } from '../field-type.ts';
import { objectSchema, valueSchema } from '../json-schema.ts';
import { columnOf, numberOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';

/** Currency codes by the symbols accepted in cells. */
export const currencySymbols: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
};

export const currency: FieldType = {
  names: ['CURRENCY'],
  columns: (field) => [
    { name: field.name, type: 'numeric' },
    { name: codeColumn(field.name), type: 'text collate "C"' },
  ],
  read: (field, scope) => ({
    columns: [columnOf(scope, field.name), columnOf(scope, codeColumn(field.name))],
    members: [
      {
        key: field.name,
        json: (row, at) => (row[at] === null ? 'null' : `{"amount":${row[at]},"currency":"${row[at + 1]}"}`),
        cell: (row, at) => (row[at] === null ? '' : `${row[at]} ${row[at + 1]}`),
      },
    ],
  }),
  schema(field) {
    const amount = { type: 'number', examples: [1200.5] } as const;
    const code = { type: 'string', minLength: 3, maxLength: 3, examples: ['EUR'] } as const;
    const parts = { amount, currency: code };
    return valueSchema(field.name, objectSchema(parts), { anyOf: [objectSchema(parts, ['currency']), amount] });
  },
  operand: (field, scope) => numberOperand(columnOf(scope, field.name), 'numeric'),
  within: (field, scope) => ({ currency: { type: 'TEXT', value: columnOf(scope, codeColumn(field.name)) } }),
  operators: operatorsOf('number'),
  aggregates: aggregates.ofItsValue,
  units: ({ id, name }, scope) => [{ key: id, code: columnOf(scope, codeColumn(name)) }],
  decode: (value, _field, context) => (value === null ? [null, null] : decodeCurrency(value, context)),
  fromCell(text) {
    const cell = text.trim();
    return cell === '' ? null : (jsonInCell(cell) ?? amountFromCell(cell));
  },
};

const anAmount = '{ "amount": 1200.5, "currency": "EUR" }';

function codeColumn(name: string): string {
  return `${name}__currency`;
}

function decodeCurrency(value: Json, context: DecodeContext): readonly (string | null)[] {
  if (!isObject(value)) return [decodeAmount(value), context.currency];
  refuseOtherKeys(value, ['amount', 'currency']);
  const { amount = null, currency: code = null } = value;
  if (amount === null) throw new FieldProblem(`must have an amount: ${anAmount}`);
  const digits = decodeAmount(amount);
  if (code === null) return [digits, context.currency];
  if (typeof code !== 'string' || !isCurrency(code)) throw misfit(`${anAmount} with a currency code such as EUR`, code);
  return [digits, code];
}

function decodeAmount(value: Json): string {
  if (typeof value === 'number' || value instanceof Digits) return decodeNumber(value);
  throw misfit(`a number such as 1200.5, or ${anAmount}`, value);
}

const longestCell = 200;

/** Parses `1200.5 EUR`, `EUR 1,200.50`, `€1200`, `-$5`, or a number alone. */
function amountFromCell(cell: string): Json {
  // In longer cells the pattern would rescan white space from every position.
  if (cell.length > longestCell) return numberFromCell(cell);
  const parts = /^(-?)\s*([A-Za-z]{3}|[$€£¥₹])?\s*([-+\d.,]+)\s*([A-Za-z]{3}|[$€£¥₹])?$/.exec(cell);
  if (!parts) return numberFromCell(cell);
  const [, minus = '', before, digits = '', behind] = parts;
  const amount = numberFromCell(minus + digits);
  const named = before ?? behind;
  if (named === undefined) return amount;
  if (before !== undefined && behind !== undefined) throw new FieldProblem('must have one currency');
  return { amount, currency: currencySymbols[named] ?? named.toUpperCase() };
}
