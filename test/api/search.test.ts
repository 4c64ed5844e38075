/** [spec: Records, `search`] What a list is searched by, and how words are compared. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { create, createAll, expectError, list, walk } from './records.ts';

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
  await createAll(admin, 'contacts', [
    { first_name: 'Zoë', last_name: 'Łódźka', job_title: 'Head of Straße' },
    { first_name: 'Bob', last_name: 'Brown', emails: ['bob.brown@globex.test'], phones: ['+49 (30) 123-456'] },
    {
      first_name: 'Ann',
      last_name: 'Brownstone',
      address: { city: 'Zürich', country: 'CH' },
      linkedin_url: 'https://linkedin.test/secret',
    },
    { first_name: '100%', last_name: 'under_score', tags: ['vip'] },
  ]);
});
afterAll(() => kith.stop());

const scenarios: [search: string, firstNames: string[]][] = [
  ['zoe', ['Zoë']],
  ['ZOË', ['Zoë']],
  ['lodz', ['Zoë']],
  ['STRASSE', ['Zoë']],
  ['straße', ['Zoë']],
  ['brown', ['Ann', 'Bob']],
  ['rown', ['Ann', 'Bob']],
  ['brown ann', ['Ann']],
  ['ann brown', ['Ann']],
  ['  brown   bob ', ['Bob']],
  ['brown zoe', []],
  ['globex', ['Bob']],
  ['bob.brown@globex.test', ['Bob']],
  ['+49 (30) 123', ['Bob']],
  ['4930123456', ['Bob']],
  ['zurich', ['Ann']],
  ['o', ['Ann', 'Bob', 'Zoë', '100%']],
  ['%', ['100%']],
  ['_', ['100%']],
  ['linkedin', []],
  ['vip', []],
  ["'; drop table contacts; --", []],
  ['', ['Ann', 'Bob', 'Zoë', '100%']],
  ['   ', ['Ann', 'Bob', 'Zoë', '100%']],
];

it.each(scenarios)('RECO2-17: %j finds %j', async (search, firstNames) => {
  const reply = await admin.get('/records/contacts', { search });
  expect(reply.json.data.map((record: { first_name: string }) => record.first_name).toSorted()).toEqual(
    firstNames.toSorted(),
  );
  expect(reply.json.total).toBe(firstNames.length);
});

it('RECO2-17: is combined with filters, sort and cursor', async () => {
  const filters = { field: 'first_name', operator: 'not_equals', value: 'Zoë' };
  const { total, records } = await walk(admin, 'contacts', {
    search: 'o',
    filters,
    sort_by: 'first_name',
    sort_dir: 'asc',
    limit: 1,
  });
  expect(records.map((record) => record.first_name)).toEqual(['100%', 'Ann', 'Bob']);
  expect(total).toBe(3);
});

it('follows a change, the trash and a restore', async () => {
  const { id } = await create(admin, 'contacts', { first_name: 'Quirin', last_name: 'Stays' });
  const ids = async (search: string) => (await list(admin, 'contacts', { search })).map((record) => record.id);
  expect(await ids('quirin')).toEqual([id]);
  await admin.put(`/records/contacts/${id}`, { first_name: 'Xaver' });
  expect([await ids('quirin'), await ids('xaver'), await ids('xaver stays')]).toEqual([[], [id], [id]]);
  await admin.delete(`/records/contacts/${id}`);
  expect(await ids('xaver')).toEqual([]);
  await admin.post(`/records/contacts/${id}/restore`);
  expect(await ids('xaver')).toEqual([id]);
});

it('a search of more than 500 characters is VALIDATION_ERROR', async () => {
  expectError(await admin.get('/records/contacts', { search: 'x'.repeat(501) }), 'VALIDATION_ERROR');
  expect((await admin.get('/records/contacts', { search: 'x'.repeat(500) })).json).toEqual({ data: [], total: 0 });
});
