/** Fields that store nothing and are made of other records: HAS_MANY and ROLLUP. */
import { describe, expect, it } from 'vitest';
import { FieldProblem } from '../../src/fields/field-problem.ts';
import type { FieldDef } from '../../src/fields/field-def.ts';
import type { OperatorName } from '../../src/fields/operators/operator.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { statement } from '../../src/postgres/sql.ts';
import { decodeContext, filterContext, testField } from './samples/sample.ts';
import { scopeOf } from './stand.ts';

const scope = scopeOf('r');
const hasMany = testField('RELATION', 'projects', {
  isReadonly: true,
  relationConfig: { relationType: 'HAS_MANY', targetObjectName: 'projects', inverseField: 'company_id' },
});
const rollup = testField('ROLLUP', 'total', {
  isReadonly: true,
  rollup: { objectName: 'projects', relationField: 'company_id', function: 'SUM', field: 'budget' },
});

describe.each<[string, FieldDef]>([
  ['HAS_MANY', hasMany],
  ['ROLLUP', rollup],
])('%s', (_, field) => {
  const type = fieldType(field.type);

  it('stores nothing, points at nothing and takes no value', () => {
    expect(type.columns(field)).toEqual([]);
    expect(type.target?.(field)).toBeUndefined();
    expect(type.isComputed?.(field)).toBe(true);
    expect(() => type.decode([], field, decodeContext)).toThrow(FieldProblem);
  });
});

describe('HAS_MANY', () => {
  const type = fieldType('RELATION');
  const [member] = type.read(hasMany, scope).members;

  it('is shown with a single record only; other relations everywhere', () => {
    expect(type.detailOnly?.(hasMany)).toBe(true);
    const belongsTo = { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' } as const;
    expect(type.detailOnly?.({ type: 'RELATION', relationConfig: belongsTo })).toBe(false);
    expect(type.isComputed?.({ type: 'RELATION', relationConfig: belongsTo })).toBe(false);
  });

  it.each([
    [null, '[]', ''],
    ['[{"id":"1","display":"Mars"},{"id":"2","display":null},{"id":"3","display":"Moon"}]', undefined, 'Mars; Moon'],
  ])('shows %s', (text, json, cell) => {
    expect(member?.json([text], 0)).toBe(json ?? text);
    expect(member?.cell([text], 0)).toBe(cell);
  });

  it.each<OperatorName>(['equals', 'is_null', 'not_in'])('cannot be filtered by %s, nor sorted', (operator) => {
    const operand = type.operand(hasMany, scope);
    expect(operand.sort).toBeUndefined();
    expect(() => type.operators[operator]?.(operand, null, filterContext)).toThrow(`can't be filtered by ${operator}`);
  });
});

it('a ROLLUP is null wherever it is seen', () => {
  const type = fieldType('ROLLUP');
  const reading = type.read(rollup, scope);
  expect(reading.columns.map((column) => statement(column).text)).toEqual(['null::numeric']);
  expect(reading.members.map((each) => [each.key, each.json([null], 0)])).toEqual([['total', 'null']]);
  expect(statement(type.operand(rollup, scope).value).text).toBe('null::numeric');
});
