/** DATE_RANGE: a first and a last day, in two columns. Filters and sorts see the first day. */
import { aggregates } from '../aggregates.ts';
import { isObject } from '../../lib/json.ts';
import type { Json } from '../../lib/json.ts';
import type { Cell } from '../../postgres/database.ts';
import { jsonInCell } from '../cell-text.ts';
import { date } from './date.ts';
import type { FieldDef } from '../field-def.ts';
import { FieldProblem, misfit, refuseOtherKeys } from '../field-problem.ts';
import type { DecodeContext, FieldType } from '../field-type.ts';
import { dateSchema, objectSchema, valueSchema } from '../json-schema.ts';
import { columnOf, dateOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';

export const dateRange: FieldType = {
  names: ['DATE_RANGE'],
  columns: (field) => [
    { name: field.name, type: 'date' },
    { name: endColumn(field.name), type: 'date' },
  ],
  read: (field, scope) => ({
    columns: [columnOf(scope, field.name), columnOf(scope, endColumn(field.name))],
    members: [
      {
        key: field.name,
        json: (row, at) => (row[at] === null ? 'null' : `{"start":"${row[at]}","end":"${row[at + 1]}"}`),
        cell: (row, at) => (row[at] === null ? '' : `${row[at]} to ${row[at + 1]}`),
      },
    ],
  }),
  schema: (field) => valueSchema(field.name, objectSchema({ start: dateSchema, end: dateSchema })),
  operand: (field, scope) => dateOperand(columnOf(scope, field.name)),
  within: (field, scope) => ({
    start: { type: 'DATE', value: columnOf(scope, field.name) },
    end: { type: 'DATE', value: columnOf(scope, endColumn(field.name)) },
  }),
  operators: operatorsOf('date'),
  aggregates: aggregates.distinct,
  decode: (value, field, context) => (value === null ? [null, null] : decodeRange(value, field, context)),
  fromCell(text, field) {
    const cell = text.trim();
    return cell === '' ? null : (jsonInCell(cell) ?? rangeFromCell(cell, field));
  },
};

function endColumn(name: string): string {
  return `${name}__end`;
}

function decodeRange(value: Json, field: FieldDef, context: DecodeContext): readonly Cell[] {
  if (!isObject(value)) throw misfit('{ "start": "2026-01-31", "end": "2026-02-28" }', value);
  refuseOtherKeys(value, ['start', 'end']);
  const { start = null, end = null } = value;
  if (start === null || end === null) throw new FieldProblem('must have a start and an end');
  const [first, last] = [start, end].map((day) => date.decode(day, field, context)[0] ?? '');
  if (first === undefined || last === undefined || first > last)
    throw new FieldProblem('must not end before it starts');
  return [first, last];
}

const longestCell = 100;

/** Parses `2026-01-01 to 2026-02-01`, or with a slash as in ISO 8601. */
function rangeFromCell(cell: string, field: FieldDef): Json {
  // In longer cells the pattern would rescan white space from every position.
  const [start, end, ...more] = cell.length > longestCell ? [] : cell.split(/\s+to\s+|\s*\/\s*/i);
  if (start === undefined || end === undefined || more.length > 0) {
    throw misfit('two dates such as 2026-01-01 to 2026-02-01', cell);
  }
  return { start: date.fromCell(start, field), end: date.fromCell(end, field) };
}
