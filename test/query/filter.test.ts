import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/lib/json.ts';
import { parseFilterGroup, parseFilterText, simpleFilter } from '../../src/query/filter.ts';
import { refusal } from './asking.ts';

const named = { field: 'name', operator: 'equals', value: 'Ada' };

function nested(depth: number): Json {
  let group: Json = named;
  for (let level = 0; level < depth; level++) group = { type: 'AND', conditions: [group] };
  return group;
}

function wide(count: number): Json {
  return { type: 'OR', conditions: Array.from({ length: count }, () => named) };
}

describe('a FilterGroup', () => {
  it.each<[string, Json, unknown]>([
    ['a bare condition is a group of one', named, { type: 'AND', conditions: [named] }],
    ['a group stays as it is', { type: 'OR', conditions: [named, { type: 'AND', conditions: [] }] }, undefined],
    ['an operator without a value needs none', { field: 'name', operator: 'is_null' }, undefined],
    ['null is a value', { field: 'name', operator: 'equals', value: null }, undefined],
    ['a list is a value', { field: 'name', operator: 'in', value: ['a', 1, true, null] }, undefined],
    ['twenty levels are taken', nested(20), undefined],
    ['five hundred conditions are taken', wide(500), undefined],
  ])('%s', (_, value, expected) => {
    const whole = typeof value === 'object' && value !== null && 'conditions' in value;
    expect(parseFilterGroup(value)).toEqual(expected ?? (whole ? value : { type: 'AND', conditions: [value] }));
  });

  it('drops the value of an operator that takes none', () => {
    const group = parseFilterGroup({ field: 'name', operator: 'is_null', value: 'x' });
    expect(group.conditions).toEqual([{ field: 'name', operator: 'is_null' }]);
  });

  it.each<[string, Json, string]>([
    ['text', 'name', 'filters must be an object'],
    ['an array', [named], 'filters must be an object'],
    ['a type of its own', { type: 'NOT', conditions: [] }, 'filters.type must be AND or OR'],
    ['no conditions', { type: 'AND' }, 'filters.conditions must be an array'],
    ['no type', { conditions: [] }, 'filters.type must be AND or OR'],
    [
      'a condition that is a number',
      { type: 'AND', conditions: [named, 3] },
      'filters.conditions[1] must be an object',
    ],
    ['an unknown key', { type: 'AND', conditions: [], not: true }, 'filters has an unknown key "not"'],
    ['a misspelt key', { ...named, valu: 1 }, 'did you mean "value"?'],
    ['no field', { operator: 'equals', value: 1 }, 'filters.field must be the name of a field'],
    ['a field that is a list', { ...named, field: ['name'] }, 'filters.field must be the name of a field'],
    ['no operator', { field: 'name', value: 1 }, 'filters.operator must be one of'],
    ['an operator of every object', { ...named, operator: 'constructor' }, 'filters.operator must be one of'],
    ['no value', { field: 'name', operator: 'equals' }, 'filters.value is required'],
    ['an object as the value', { ...named, value: { a: 1 } }, 'filters.value must be text'],
    ['a list in a list', { ...named, value: [['a']] }, 'filters.value must be text'],
    ['NUL in a value', { ...named, value: 'a\0b' }, 'filters.value contains a NUL character'],
    ['half a surrogate pair in a list', { ...named, value: ['a', '\ud800'] }, 'filters.value contains half'],
    ['twenty-one levels', nested(21), 'nested 20 deep'],
    ['five hundred and one conditions', wide(501), 'at most 500 conditions'],
    [
      'ten thousand and one values',
      { ...named, value: Array.from({ length: 10_001 }, () => 1) },
      'at most 10000 values',
    ],
  ])('refuses %s', (_, value, message) => {
    const error = refusal(() => parseFilterGroup(value));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toContain(message);
  });

  it('names the place of a misspelt operator, and what there is', () => {
    const group = { type: 'AND', conditions: [named, { type: 'OR', conditions: [{ ...named, operator: 'contain' }] }] };
    const error = refusal(() => parseFilterGroup(group));
    expect(error.message).toBe(
      'filters.conditions[1].conditions[0].operator must be one of the filter operators, not "contain" (did you mean "contains"?)',
    );
    expect(error.availableValues).toContain('date_this_month');
  });

  it.each(['{', '', 'undefined', '[1,', '['.repeat(60_000)])('refuses text that is not JSON (%#)', (text) => {
    const error = refusal(() => parseFilterText(text));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toMatch(/^filters is not valid JSON, such as \{/);
  });

  it('refuses text that is too long to be read at one go', () => {
    const error = refusal(() => parseFilterText('['.repeat(65_537)));
    expect(error.message).toBe('filters as text is longer than 65,536 characters; send an object');
  });

  it('keeps every digit of a number in JSON text', () => {
    const group = parseFilterText('{"field":"amount","operator":"equals","value":12345678901234567890.10}');
    expect(JSON.stringify(group.conditions[0])).toBe(
      '{"field":"amount","operator":"equals","value":12345678901234567890.10}',
    );
  });
});

describe('the simple filter', () => {
  it.each([
    ['is absent without a field', {}, undefined],
    [
      'is a group of one',
      { filter_field: 'name', filter_operator: 'in', filter_value: 'a,b' },
      { type: 'AND', conditions: [{ field: 'name', operator: 'in', value: 'a,b' }] },
    ],
    [
      'needs no value for is_null',
      { filter_field: 'name', filter_operator: 'is_null' },
      { type: 'AND', conditions: [{ field: 'name', operator: 'is_null' }] },
    ],
  ])('%s', (_, request, expected) => {
    expect(simpleFilter(request)).toEqual(expected);
  });

  it.each([
    [
      'an operator',
      { filter_field: 'name', filter_value: 'x' },
      'MISSING_REQUIRED_FIELD',
      'filter_operator is required',
    ],
    [
      'a value',
      { filter_field: 'name', filter_operator: 'equals' },
      'MISSING_REQUIRED_FIELD',
      'filter_value is required',
    ],
    ['a field', { filter_operator: 'equals' }, 'MISSING_REQUIRED_FIELD', 'filter_field is required'],
    ['a known operator', { filter_field: 'a', filter_operator: 'like', filter_value: '' }, 'VALIDATION_ERROR', 'ilike'],
  ])('needs %s', (_, request, code, message) => {
    const error = refusal(() => simpleFilter(request));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});
