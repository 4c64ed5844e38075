/** The specification's table over REST: every function on a field of every type, of all records and by groups. [spec: Aggregate] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateNames, type AggregateName } from '../../src/fields/aggregates.ts';
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import { allTypes, fillWorkspace } from '../describe/all-types.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { create, createAll, expectError } from './records.ts';

// The CALCULATED field gives a DECIMAL, the ROLLUP a count.
const numeric = ['NUMBER', 'INTEGER', 'DECIMAL', 'PERCENT', 'CURRENCY', 'CALCULATED', 'ROLLUP'];
const seconds = ['DURATION', 'ELAPSED_TIME'];
const ordered = [...numeric, ...seconds, 'RATING', 'DATE', 'DATETIME'];
const table: Partial<Record<AggregateName, readonly string[]>> = {
  COUNT_DISTINCT: fieldTypeNames.filter((type) => !['MANY_TO_MANY', 'PIPELINE', 'ADDRESS'].includes(type)),
  SUM: [...numeric, ...seconds],
  AVG: [...numeric, ...seconds, 'RATING'],
  MEDIAN: ordered,
  MIN: ordered,
  MAX: ordered,
  RANGE: ordered.filter((type) => type !== 'RATING'),
  STDDEV: numeric,
  VARIANCE: numeric,
  COUNT_TRUE: ['BOOLEAN'],
  COUNT_FALSE: ['BOOLEAN'],
  PERCENT_TRUE: ['BOOLEAN'],
  PERCENT_FALSE: ['BOOLEAN'],
  AVG_LENGTH: ['TEXT', 'LONG_TEXT', 'RICH_TEXT', 'EMAIL'],
};
const takes = (type: string, name: AggregateName) => table[name]?.includes(type) ?? true;

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
  const full = await fillWorkspace(admin);
  const { id } = await create(admin, 'things', full);
  await createAll(admin, 'things', [{ ...full, title: 'Second', f_boolean: false }, { title: 'Empty' }]);
  await create(admin, 'parts', { name: 'P', thing_id: id });
});
afterAll(() => kith.stop());

it('the workspace is the one that the table is about', () => {
  expect(allTypes.objects[0]?.fields.map((field) => field.type)).toEqual(expect.arrayContaining([...fieldTypeNames]));
});

describe.each(fieldTypeNames)('AGGR-07 to AGGR-18: %s', (type) => {
  const field = `f_${type.toLowerCase()}`;
  const valid = aggregateNames.filter((name) => takes(type, name));

  it('takes these functions', async () => {
    for (const name of valid) {
      const all = await admin.get('/aggregate/things', { field, function: name });
      expect(all.status, all.text).toBe(200);
      expect(all.json).toMatchObject({ object_name: 'things', field, function: name });
      expect(all.json.value, all.text).not.toBeNull();
      const grouped = await admin.get('/aggregate/things', { field, function: name, group_by: 'f_boolean' });
      expect(grouped.json.results, grouped.text).toHaveLength(3);
    }
  });

  it('refuses the others and says which there are', async () => {
    for (const name of aggregateNames.filter((other) => !valid.includes(other))) {
      const reply = await admin.get('/aggregate/things', { field, function: name });
      expectError(reply, 'INVALID_OPERATION');
      expect(reply.json.available_values.toSorted()).toEqual(valid.toSorted());
    }
  });
});
