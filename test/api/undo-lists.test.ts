/** [decisions: Writing] Undo of lists and of what is on them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { setOf, together, undo } from './change-sets.ts';
import { create, createAll, expectError } from './records.ts';

let kith: TestKith;
let admin: Client;
let member: Client;

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  ({ admin } = organization);
  member = await organization.user('Member');
});
afterAll(() => kith.stop());

describe('POST /undo of lists', () => {
  const entriesOf = async (list: string) =>
    (await admin.get(`/lists/${list}/entries`)).json.data.map(({ record_id, entry_fields }: Reply['json']) => [
      record_id,
      entry_fields,
    ]);
  let list: string;
  let company: Reply['json'];
  const fields = [{ name: 'rank', label: 'Rank', type: 'INTEGER' }];
  beforeEach(async () => {
    company = await create(admin, 'companies', { name: 'Acme' });
    const reply = await admin.post('/lists', { name: 'A', object_types: ['companies'], fields });
    list = reply.json.id;
  });
  const put = (client: Pick<Client, 'post'>, id: string, rank: number) =>
    client.post(`/lists/${list}/entries`, { object_type: 'companies', record_ids: [id], entry_fields: { rank } });

  it('takes off what was put on, puts on what was taken off, and gives values back', async () => {
    const [b, c] = await createAll(admin, 'companies', [{ name: 'B' }, { name: 'C' }]);
    await put(admin, company.id, 1);
    await put(admin, b.id, 2);
    const before = await entriesOf(list);
    const entry = (await admin.get(`/lists/${list}/entries`)).json.data[0];
    const set = together(admin);
    await set.post(`/lists/${list}/entries`, { object_type: 'companies', record_id: c.id });
    await set.post(`/lists/${list}/entries/remove`, { object_type: 'companies', record_id: company.id });
    await set.put(`/lists/${list}`, { name: 'B' });
    if (entry.record_id !== company.id)
      await set.put(`/lists/${list}/entries/${entry.entry_id}`, { entry_fields: { rank: 9 } });
    expect(await undo(admin, set.id)).toMatchObject({ undone: 1, left: [] });
    expect(await entriesOf(list)).toEqual(before);
    expect((await admin.get(`/lists/${list}`)).json.name).toBe('A');
  });

  it('leaves what others have changed since', async () => {
    const added = await put(admin, company.id, 1);
    const entry = (await admin.get(`/lists/${list}/entries`)).json.data[0];
    await member.put(`/lists/${list}/entries/${entry.entry_id}`, { entry_fields: { rank: 5 } });
    expect(await undo(admin, setOf(added))).toMatchObject({
      undone: 0,
      left: [{ object: 'lists', id: list, reason: 'changed_since', fields: ['entries'] }],
    });
    expect(await entriesOf(list)).toEqual([[company.id, { rank: 5 }]]);
  });

  it('makes a deleted list again, with its entries, and deletes one that was made', async () => {
    await put(admin, company.id, 3);
    const before = [(await admin.get(`/lists/${list}`)).json, await entriesOf(list)];
    const gone = await admin.delete(`/lists/${list}`);
    const { undone, left, change_set: again } = await undo(admin, setOf(gone));
    expect([undone, left]).toEqual([1, []]);
    const after = [(await admin.get(`/lists/${list}`)).json, await entriesOf(list)];
    expect(after).toEqual([{ ...before[0], updated_at: after[0].updated_at }, before[1]]);
    await undo(admin, again);
    expectError(await admin.get(`/lists/${list}`), 'RECORD_NOT_FOUND');
  });

  it('takes a new record off its list and puts it into the trash, and both back', async () => {
    const made = await admin.post('/records/companies', { name: 'New', add_to_list_ids: [list] });
    const before = await entriesOf(list);
    const first = await undo(admin, setOf(made));
    expect([before[0][0], first.undone, await entriesOf(list)]).toEqual([made.json.id, 2, []]);
    expect(await undo(admin, first.change_set)).toMatchObject({ undone: 2, left: [] });
    expect(await entriesOf(list)).toEqual(before);
  });
});
