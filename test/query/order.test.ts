import { describe, expect, it } from 'vitest';
import { KithError } from '../../src/errors.ts';
import { parseSort, type SortKey } from '../../src/query/order.ts';

const usual: SortKey[] = [{ field: 'created_at', direction: 'desc' }];
const byName: SortKey[] = [{ field: 'name', direction: 'asc' }];
const nameText = JSON.stringify(byName);

describe('the sort of a request', () => {
  it.each([
    ['nothing: as usual', {}, usual],
    ['sort_by alone keeps the usual direction', { sort_by: 'name' }, [{ field: 'name', direction: 'desc' }]],
    ['sort_dir alone keeps the usual field', { sort_dir: 'asc' }, [{ field: 'created_at', direction: 'asc' }]],
    ['sort goes first', { sort: nameText, sort_by: 'size', sort_dir: 'desc' }, byName],
    ['sort as an array', { sort: [{ field: 'name', direction: 'asc' }] }, byName],
    ['a key without a direction ascends', { sort: '[{"field":"name"}]' }, byName],
    ['text that is not JSON: sort_by and sort_dir', { sort: '[{', sort_by: 'name', sort_dir: 'asc' }, byName],
    ['text that is not JSON, alone: as usual', { sort: 'name' }, usual],
    ['no keys: as usual', { sort: '[]', sort_by: 'name' }, usual],
    ['null is absent', { sort: null, sort_by: 'name', sort_dir: 'asc' }, byName],
  ])('%s', (_, request, expected) => {
    expect(parseSort(request, usual, () => {})).toEqual(expected);
  });

  it.each([
    ['{"field":"name"}', 'sort must be an array'],
    ['null', 'sort must be an array'],
    ['"name"', 'sort must be an array'],
    ['["name"]', 'sort[0] must be an object'],
    ['[{"direction":"asc"}]', 'sort[0].field must be the name of a field'],
    ['[{"field":"name","direction":"up"}]', 'sort[0].direction must be asc or desc'],
    ['[{"field":"name","dir":"asc"}]', 'sort[0] has an unknown key "dir"'],
    [JSON.stringify(Array.from({ length: 6 }, () => byName[0])), 'sort takes at most 5 fields'],
  ])('refuses %s', (sort, message) => {
    expect(() => parseSort({ sort }, usual, () => {})).toThrow(KithError);
    expect(() => parseSort({ sort }, usual, () => {})).toThrow(message);
  });

  it('refuses a direction that is none', () => {
    expect(() => parseSort({ sort_dir: 'ASC' }, usual, () => {})).toThrow('sort_dir must be asc or desc');
  });
});
