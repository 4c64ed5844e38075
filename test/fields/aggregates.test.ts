/** Which function works on which type of field: the specification's table, row by row. [spec: Aggregate] */
import { describe, expect, it } from 'vitest';
import { aggregateNames, type AggregateName } from '../../src/fields/aggregates.ts';
import type { FieldDef, FieldTypeName } from '../../src/fields/field-def.ts';
import type { Operand, OperandKind } from '../../src/fields/operators/operator.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { sql } from '../../src/postgres/sql.ts';
import { aggregateTable, numeric, storedTypes } from './aggregate-table.ts';
import { testField } from './samples/sample.ts';

/** The kind of value that filters see, for the types that ask for it. */
const kinds: Partial<Record<FieldTypeName, OperandKind>> = {
  TEXT: 'text',
  LONG_TEXT: 'text',
  RICH_TEXT: 'text',
  EMAIL: 'text',
  BOOLEAN: 'boolean',
  DATE: 'date',
  DATETIME: 'datetime',
  RELATION: 'id',
};

function functionsOf(field: FieldDef, kind: OperandKind): readonly AggregateName[] {
  const operand: Operand = { kind, value: sql`r.f` };
  return fieldType(field.type).aggregates(operand, field);
}

describe.each(storedTypes)('%s', (type) => {
  it.each(aggregateNames)('%s', (name) => {
    const kind = kinds[type] ?? (numeric.includes(type) ? 'number' : 'none');
    expect(functionsOf(testField(type), kind).includes(name)).toBe(aggregateTable[name].includes(type));
  });
});

/** What a calculation gives decides, not that it is one. */
describe.each<[FieldTypeName, OperandKind]>([
  ['TEXT', 'text'],
  ['NUMBER', 'number'],
  ['INTEGER', 'number'],
  ['PERCENT', 'number'],
  ['RATING', 'number'],
  ['DURATION', 'number'],
  ['BOOLEAN', 'boolean'],
  ['DATE', 'date'],
  ['DATETIME', 'datetime'],
])('CALCULATED as %s', (outputType, kind) => {
  it.each(aggregateNames)('%s', (name) => {
    const parsed = { kind: 'text', value: '', at: 0 } as const;
    const field = testField('CALCULATED', 'f', { calculation: { expression: "''", outputType, parsed } });
    expect(functionsOf(field, kind).includes(name)).toBe(aggregateTable[name].includes(outputType));
  });
});

it.each<[OperandKind, FieldTypeName]>([
  ['number', 'NUMBER'],
  ['date', 'DATE'],
  ['datetime', 'DATETIME'],
])('ROLLUP that gives a %s takes what %s does', (kind, type) => {
  const names = aggregateNames.filter((name) => aggregateTable[name].includes(type));
  expect(functionsOf(testField('ROLLUP'), kind).toSorted()).toEqual(names.toSorted());
});

it('HAS_MANY is there or not, and nothing else', () => {
  expect(functionsOf(testField('RELATION'), 'none').toSorted()).toEqual(
    aggregateNames.filter((name) => aggregateTable[name].includes('MANY_TO_MANY')).toSorted(),
  );
});
