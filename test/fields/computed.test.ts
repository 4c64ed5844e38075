/** Fields that store nothing and are made of other records: HAS_MANY and ROLLUP. */
import { describe, expect, it } from 'vitest';
import { FieldProblem } from '../../src/fields/field-problem.ts';
import type { FieldDef } from '../../src/fields/field-def.ts';
import type { OperatorName } from '../../src/fields/operators/operator.ts';
import { fieldType } from '../../src/fields/registry.ts';
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

it.each([
  ['COUNT', 'number'],
  ['SUM', 'number'],
  ['MAX', ['number', 'string', 'null']],
])('a ROLLUP of %s is read as %j, and never written', (name, type) => {
  const definition = { objectName: 'projects', relationField: 'company_id', function: name, field: 'due' };
  const { read, write } = fieldType('ROLLUP').schema(testField('ROLLUP', 'total', { rollup: definition }));
  expect(read['total']?.type).toEqual(Array.isArray(type) ? type : [type, 'null']);
  expect(write).toBeUndefined();
});
