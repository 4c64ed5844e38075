/** Filters in words: every operator has its own, every FilterGroup can be read back, and none is changed by being edited. */
import { describe, expect, it } from 'vitest';
import type { FilterGroup } from '../../client/index.js';
import { filters as english } from '../../web/src/i18n/en/filters.ts';
import { filters as german } from '../../web/src/i18n/de/filters.ts';
import { filterIn, addressOf } from '../../web/src/records/list-state.ts';
import { operatorsOf, valuesOf, type Kind } from '../../web/src/records/filter/operators.ts';
import { added, countOf, replaced, valueList, wholeOf, withOperator } from '../../web/src/records/filter/tree.ts';
import { sentence, type FilterLabels } from '../../web/src/records/filter/words.ts';

const kinds: Readonly<Record<string, Kind>> = {
  owner: 'user',
  amount: 'number',
  tags: 'option',
  close_date: 'date',
  do_not_contact: 'yes',
  'company_id.industry': 'option',
};
const filterLabels: FilterLabels = {
  texts: english,
  formats: { number: String, day: String },
  field: (path) => ({ label: path, kind: kinds[path] ?? 'text' }),
  value: (_, value) => ({ u1: 'Diego', u2: 'Emma', software: 'Software' })[String(value)],
};

const nested: FilterGroup = {
  type: 'AND',
  conditions: [
    { field: 'owner', operator: 'in', value: ['u1', 'u2'] },
    { field: 'close_date', operator: 'date_before', value: '2026-01-31' },
    {
      type: 'OR',
      conditions: [
        { field: 'amount', operator: 'greater_than', value: 0 },
        {
          type: 'AND',
          conditions: [
            { field: 'tags', operator: 'is_not_empty' },
            { field: 'do_not_contact', operator: 'is_false' },
          ],
        },
      ],
    },
    { field: 'company_id.industry', operator: 'equals', value: 'software' },
  ],
};

describe('filters in words', () => {
  it('reads a nested filter back', () => {
    expect(sentence(nested, 'Contacts', filterLabels)).toBe(
      'Contacts where owner is any of Diego or Emma and close_date is before 2026-01-31 and ' +
        '(amount is more than 0 or (tags is not empty and do_not_contact is no)) and company_id.industry is Software.',
    );
    expect(sentence({ type: 'AND', conditions: [] }, 'Contacts', filterLabels)).toBe('All contacts.');
  });

  it('keeps every FilterGroup as it is on the way through the address and the edits', () => {
    const parts = addressOf({ filter: nested });
    expect(filterIn(parts['f'])).toEqual(nested);
    expect(wholeOf(nested)).toEqual(nested);
    expect(countOf(nested)).toBe(6);
    const inner = replaced(nested, [2, 1, 0], { field: 'tags', operator: 'is_empty' });
    expect(replaced(inner, [2, 1, 0], { field: 'tags', operator: 'is_not_empty' })).toEqual(nested);
    expect(replaced(added(nested, [2, 1], { field: 'a', operator: 'is_true' }), [2, 1, 2], undefined)).toEqual(nested);
  });

  it('takes deep nesting, and nothing that is no filter', () => {
    let deep: FilterGroup = { type: 'OR', conditions: [{ field: 'name', operator: 'is_null' }] };
    for (let depth = 0; depth < 19; depth++) deep = { type: 'AND', conditions: [deep] };
    expect(filterIn(JSON.stringify(deep))).toEqual(deep);
    for (const text of ['', '{', '[]', 'null', '{"type":"XOR","conditions":[]}', '{"type":"AND","conditions":[7]}'])
      expect(filterIn(text)).toBeUndefined();
  });

  it('leaves out what is not filled yet', () => {
    const half: FilterGroup = {
      type: 'AND',
      conditions: [
        { field: 'name', operator: 'contains', value: '' },
        { field: 'amount', operator: 'between', value: [1] },
        { type: 'OR', conditions: [{ field: 'tags', operator: 'in', value: [] }] },
        { field: 'name', operator: 'is_empty' },
      ],
    };
    expect(wholeOf(half)).toEqual({ type: 'AND', conditions: [{ field: 'name', operator: 'is_empty' }] });
    expect(wholeOf({ type: 'OR', conditions: [] })).toBeUndefined();
  });

  it('has words of its own for all 26 operators, in both languages, and offers each somewhere', () => {
    const all: Kind[] = ['text', 'number', 'yes', 'date', 'option', 'entry', 'record', 'user', 'step', 'pipeline'];
    const offered = new Set(all.flatMap((kind) => operatorsOf(kind)));
    for (const { operators } of [english, german]) {
      expect(Object.keys(operators).toSorted()).toEqual([...offered].toSorted());
      expect(new Set(Object.values(operators)).size).toBe(26);
    }
  });

  it('keeps values where another operator takes as many', () => {
    const one = { field: 'name', operator: 'equals', value: 'a, b' } as const;
    expect(withOperator(one, 'in')).toEqual({ field: 'name', operator: 'in', value: ['a, b'] });
    expect(withOperator(withOperator(one, 'in'), 'equals')).toEqual(one);
    expect(withOperator(one, 'is_null')).toEqual({ field: 'name', operator: 'is_null' });
    expect(valueList({ field: 'x', operator: 'in', value: 'a,b,"c, d"' })).toEqual(['a', 'b', 'c, d']);
    expect(valuesOf('date_between')).toBe('two');
  });
});
