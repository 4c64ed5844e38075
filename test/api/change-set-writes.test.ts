/** What a change set wrote: records, fields before and after, as far as the caller sees them. */
import { expect, it } from 'vitest';
import { together, undo } from './change-sets.ts';
import { apply, create, createAll, expectError } from './records.ts';
import { admin, organization, useStage } from './stage.ts';
import type { Client, Reply } from '../support/kith.ts';

useStage(() =>
  apply(admin, {
    roles: [
      {
        name: 'Narrow',
        permissions: {
          '*': { view: 'own', create: true, update: 'own', delete: 'own' },
          companies: {
            view: { type: 'AND', conditions: [{ field: 'name', operator: 'starts_with', value: 'Mine' }] },
            fields: { employees: 'none' },
          },
        },
      },
    ],
  }),
);

const writes = async (client: Client, id: string, query: object = {}): Promise<Reply['json']> => {
  const reply = await client.get(`/change-sets/${id}/writes`, { ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};

it('tells of each write in its order, with what was there before and after, whatever came between and since', async () => {
  const before = await create(admin, 'companies', { name: 'Old', employees: 1 });
  const set = together(admin);
  const { id } = await set.post('/records/companies', { name: 'Made' });
  await set.put(`/records/companies/${before.id}`, { name: 'First' });
  await admin.put(`/records/companies/${before.id}`, { name: 'Between' });
  await set.put(`/records/companies/${before.id}`, { name: 'Second', employees: 2 });
  await admin.put(`/records/companies/${before.id}`, { name: 'Since' });
  const list = await set.post('/lists', { name: 'Chosen', object_types: ['companies'] });
  await set.delete(`/records/companies/${id}`);
  const { data, total } = await writes(admin, set.id);
  const one = { object: 'companies', id: before.id, display: 'Since', action: 'update' };
  expect(total).toBe(5);
  expect(data.slice(1)).toEqual([
    { ...one, changes: [{ field: 'name', before: 'Old', after: 'First' }] },
    {
      ...one,
      changes: [
        { field: 'name', before: 'Between', after: 'Second' },
        { field: 'employees', before: 1, after: 2 },
      ],
    },
    { object: 'lists', id: list.id, display: 'Chosen', action: 'create', changes: [] },
    { object: 'companies', id, display: 'Made', action: 'delete', changes: [] },
  ]);
  expect(data[0]).toMatchObject({ object: 'companies', id, display: 'Made', action: 'create' });
  expect(data[0].changes).toContainEqual({ field: 'name', before: null, after: 'Made' });
});

it('has links that were made and taken away', async () => {
  const contacts = await createAll(admin, 'contacts', [{ first_name: 'A' }, { first_name: 'B' }]);
  const [a, b] = contacts.map(({ id }) => id);
  const deal = await create(admin, 'opportunities', { name: 'Deal', contacts: [a] });
  const set = together(admin);
  await set.put(`/records/opportunities/${deal.id}`, { contacts: [b] });
  const { data } = await writes(admin, set.id);
  expect(data[0].changes).toEqual([{ field: 'contacts', added: [b], removed: [a] }]);
});

it('comes in pages, also where one record was written again and again', async () => {
  const set = together(admin);
  const record = await set.post('/records/companies', { name: '0' });
  for (let at = 1; at <= 24; at++) await set.put(`/records/companies/${record.id}`, { name: `${at}` });
  const first = await writes(admin, set.id, { limit: 10 });
  const second = await writes(admin, set.id, { limit: 10, cursor: first.nextCursor });
  const third = await writes(admin, set.id, { limit: 10, cursor: second.nextCursor });
  expect([first, second, third].map(({ total }) => total)).toEqual([25, 25, 25]);
  expect(third.nextCursor).toBeUndefined();
  const named = [first, second, third].flatMap(({ data }) =>
    data.map(({ changes }: Reply['json']) => changes.find(({ field }: Reply['json']) => field === 'name').after),
  );
  expect(named).toEqual(Array.from({ length: 25 }, (_, at) => `${at}`));
  const other = together(admin);
  await other.put(`/records/companies/${record.id}`, { name: 'other' });
  expectError(await admin.get(`/change-sets/${other.id}/writes`, { cursor: first.nextCursor }), 'VALIDATION_ERROR');
});

it('shows nothing of hidden fields, of hidden records, or of what others wrote', async () => {
  const narrow = await organization.user('Narrow');
  const company = await create(narrow, 'companies', { name: 'Mine' });
  const set = together(narrow);
  await set.put(`/records/companies/${company.id}`, { name: 'Mine still' });
  const others = together(admin);
  await others.put(`/records/companies/${company.id}`, { employees: 7 });
  const gone = await set.post('/records/companies', { name: 'Mine no more' });
  await admin.put(`/records/companies/${gone.id}`, { name: 'Theirs', employees: 3 });
  const { data, total } = await writes(narrow, set.id);
  expect(data).toEqual([
    {
      object: 'companies',
      id: company.id,
      display: 'Mine still',
      action: 'update',
      changes: [{ field: 'name', before: 'Mine', after: 'Mine still' }],
    },
  ]);
  expect(total).toBe(1);
  expect((await writes(admin, set.id)).total).toBe(2);
  expectError(await narrow.get(`/change-sets/${others.id}/writes`), 'RECORD_NOT_FOUND');
  expect((await writes(admin, others.id)).data[0].changes).toEqual([{ field: 'employees', before: null, after: 7 }]);
});

it('is there after an undo, and tells of records that were removed for good by their action alone', async () => {
  const set = together(admin);
  const [undone, purged] = [
    await set.post('/records/companies', { name: 'Undone' }),
    await set.post('/records/companies', { name: 'Purged' }),
  ];
  const put = together(admin);
  await put.put(`/records/companies/${undone.id}`, { name: 'Again' });
  await undo(admin, put.id);
  expect((await writes(admin, put.id)).data[0].changes).toEqual([{ field: 'name', before: 'Undone', after: 'Again' }]);
  await admin.delete(`/records/companies/${purged.id}`);
  expect((await admin.delete(`/trash/companies/${purged.id}`)).status).toBe(200);
  const { data } = await writes(admin, set.id);
  expect(data[1]).toEqual({ object: 'companies', id: purged.id, display: null, action: 'create', changes: [] });
});

it('is not there for ids that are none', async () => {
  for (const id of ['nothing', crypto.randomUUID()])
    expectError(await admin.get(`/change-sets/${id}/writes`), 'RECORD_NOT_FOUND');
});
