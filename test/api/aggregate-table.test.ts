/** The specification's table over REST: every function on a field of every type, of all records and by groups. [spec: Aggregate] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateNames, type AggregateName } from '../../src/fields/aggregates.ts';
import { fieldTypeNames, type FieldTypeName } from '../../src/fields/field-def.ts';
import { allTypes, fillWorkspace } from '../describe/all-types.ts';
import { aggregateTable } from '../fields/aggregate-table.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { create, createAll, expectError } from './records.ts';

// The CALCULATED field gives a DECIMAL, the ROLLUP a count.
const given = (type: FieldTypeName) => (type === 'CALCULATED' || type === 'ROLLUP' ? 'DECIMAL' : type);
const takes = (type: FieldTypeName, name: AggregateName) => aggregateTable[name].includes(given(type));

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
