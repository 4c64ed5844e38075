/** [spec: crm_manage_lists] Values that a list keeps of each record on it: of every type that stands for itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryFieldTypes } from '../../src/query/entry-fields.ts';
import { choiceSamples } from '../fields/samples/choices.ts';
import { numberSamples } from '../fields/samples/numbers.ts';
import { textSamples } from '../fields/samples/texts.ts';
import { timeSamples } from '../fields/samples/times.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let record: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ currency: 'USD', timezone: 'Europe/Berlin' });
  ({ admin } = organization);
  record = (await create(admin, 'companies', { name: 'On lists' })).id;
});
afterAll(() => kith.stop());

const samples = [...textSamples, ...numberSamples, ...timeSamples, ...choiceSamples].filter(({ field }) =>
  (entryFieldTypes as readonly string[]).includes(field.type),
);

async function newList(...fields: object[]): Promise<string> {
  const reply = await admin.post('/lists', { name: 'Values', object_types: ['companies'], fields });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.id;
}
const add = (list: string, entry_fields: object) =>
  admin.post(`/lists/${list}/entries`, { object_type: 'companies', record_id: record, entry_fields });
async function entryOf(list: string) {
  const { text, json } = await admin.get(`/lists/${list}/entries`);
  return { text, ...json.data[0] };
}
const change = (list: string, entry: string, entry_fields: object) =>
  admin.put(`/lists/${list}/entries/${entry}`, { entry_fields });

describe.each(samples.map((sample) => [sample.field.type, sample] as const))(
  '%s',
  (_type, { field, values, refused }) => {
    it('is read as a record reads it, whatever was written', async () => {
      const { name, type, options } = field;
      const list = await newList({ name, type, ...(options && { options }) });
      expect((await add(list, {})).json.added).toBe(1);
      const { entry_id: entry } = await entryOf(list);
      for (const { written, read } of values.filter((value) => value.read.length < 9_000)) {
        const reply = await change(list, entry, { [name]: written });
        expect(reply.status, reply.text).toBe(200);
        expect(reply.json.entry_fields[name], JSON.stringify(written)).toEqual(JSON.parse(read));
        const entryNow = await entryOf(list);
        expect(entryNow.entry_fields).toEqual(reply.json.entry_fields);
        // Every digit is kept.
        if (/^-?[\d.]+$/.test(read)) expect(entryNow.text).toContain(`"${name}":${read}`);
        const { lists } = (await admin.get(`/records/companies/${record}`)).json;
        expect(lists.find(({ list_id }: { list_id: string }) => list_id === list).entry_fields).toEqual(
          reply.json.entry_fields,
        );
      }
      // What is no number becomes null on its way.
      for (const [written] of refused.filter(([value]) => JSON.stringify(value) !== 'null'))
        expectError(await change(list, entry, { [name]: written }), 'VALIDATION_ERROR');
      await admin.delete(`/lists/${list}`);
    });
  },
);

it('has samples of every type that a list can have, but USERS, which is below', () => {
  expect([...new Set([...samples.map(({ field }) => field.type), 'USERS'])].toSorted()).toEqual(
    [...entryFieldTypes].toSorted(),
  );
});

it('USERS is the id of somebody who is there', async () => {
  const list = await newList({ name: 'caller', type: 'USERS' });
  const { workspaceUserId } = await organization.user('Member');
  const refused = await add(list, { caller: '01890000-0000-7000-8000-000000000000' });
  expectError(refused, 'VALIDATION_ERROR');
  expect(refused.json.field_errors).toEqual([
    { field: 'caller', message: 'caller must be the id of a workspace user' },
  ]);
  expect((await add(list, { caller: workspaceUserId })).json.added).toBe(1);
  expect((await entryOf(list)).entry_fields).toEqual({ caller: workspaceUserId });
});

it('tells all that is wrong at once, and keeps what is not given', async () => {
  const list = await newList(
    { name: 'amount', type: 'CURRENCY' },
    { name: 'stage', type: 'SELECT', options: [{ value: 'hot' }] },
    { name: 'why', type: 'TEXT', isRequired: true },
    { name: 'since', type: 'DATE' },
  );
  const refused = await add(list, { amount: 'many', stage: 'cold', sinse: '2026-01-01' });
  expectError(refused, 'VALIDATION_ERROR');
  expect(refused.json.field_errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
    'amount',
    'sinse',
    'stage',
    'why',
  ]);
  expect(refused.json.message).toContain('did you mean "since"');
  await add(list, { why: 'asked', amount: 5 });
  const { entry_id: entry } = await entryOf(list);
  const { json } = await change(list, entry, { stage: 'hot', amount: null });
  expect(json.entry_fields).toEqual({ amount: null, stage: 'hot', why: 'asked', since: null });
  expectError(await change(list, entry, { why: null }), 'VALIDATION_ERROR');
  expect(Object.keys((await entryOf(list)).entry_fields)).toEqual(['amount', 'stage', 'why', 'since']);
});

it('the values of one entry have a bound together', async () => {
  const list = await newList({ name: 'a', type: 'LONG_TEXT' }, { name: 'b', type: 'LONG_TEXT' });
  expectError(await add(list, { a: 'x'.repeat(10_001) }), 'VALIDATION_ERROR');
  expect((await add(list, { a: 'x'.repeat(6_000) })).json.added).toBe(1);
  const { entry_id: entry } = await entryOf(list);
  expectError(await change(list, entry, { b: 'x'.repeat(6_000) }), 'VALIDATION_ERROR');
  expect((await change(list, entry, { a: null, b: 'x'.repeat(6_000) })).status).toBe(200);
});
