/** A write that would leave a record as it was leaves nothing behind: no entry of history, no later `updated_at`, no other state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, expectError } from './records.ts';
import { addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, {
    objects: [
      {
        name: 'offers',
        displayField: 'name',
        fields: [
          { name: 'name', type: 'TEXT', isUnique: true, isSearchable: true },
          { name: 'mails', type: 'EMAILS', isUnique: true },
          { name: 'text', type: 'RICH_TEXT' },
          { name: 'price', type: 'CURRENCY' },
          { name: 'day', type: 'DATE' },
          { name: 'at', type: 'DATETIME' },
          { name: 'tags', type: 'MULTI_SELECT', options: [{ value: 'a' }, { value: 'b' }] },
          { name: 'company_id', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } },
          { name: 'people', type: 'MANY_TO_MANY', relationConfig: { targetObjectName: 'contacts' } },
          { name: 'place', type: 'PIPELINE' },
        ],
      },
    ],
    pipelines: [{ name: 'Offers', objectName: 'offers', steps: [{ name: 'New' }, { name: 'Old' }] }],
  });
});

afterAll(() => kith.stop());

let made = 0;

/** A record with a value in each field, and what was given. */
async function offer() {
  made++;
  const company = await create(admin, 'companies', { name: `C${made}` });
  const person = await create(admin, 'contacts', { first_name: `P${made}` });
  const values = {
    name: `Offer ${made}`,
    mails: [`o${made}@x.test`],
    text: '<p>Soft <b>and</b> wide</p>',
    price: { amount: 12.5, currency: 'EUR' },
    day: '2026-03-01',
    at: '2026-03-01T10:00:00+02:00',
    tags: ['a', 'b'],
    company_id: company.id as string,
    people: [person.id as string],
  };
  const { id } = await create(admin, 'offers', values);
  return { id: id as string, values };
}

/** All that tells that a record was written. */
async function traces(id: string) {
  const record = await admin.get(`/records/offers/${id}`);
  const history = await admin.get(`/records/offers/${id}/history`);
  expect([record.status, history.status]).toEqual([200, 200]);
  return { record: record.json.record, tag: record.headers.get('etag'), entries: history.json.data };
}

type Offer = Awaited<ReturnType<typeof offer>>;

const ways: Record<string, (offer: Offer) => Promise<Reply>> = {
  'one value': ({ id, values }) => admin.put(`/records/offers/${id}`, { name: values.name }),
  'every value': ({ id, values }) => admin.put(`/records/offers/${id}`, values),
  'the record as it is read': async ({ id }) => admin.put(`/records/offers/${id}`, (await traces(id)).record),
  'its state named': async ({ id, values }) =>
    admin.put(`/records/offers/${id}`, { day: values.day }, { 'if-match': (await traces(id)).tag ?? '' }),
  'its step': async ({ id }) =>
    admin.put(`/records/offers/${id}`, {
      pipeline_step_id: (await traces(id)).record.pipeline_step_id,
      day: '2026-03-01',
    }),
  'an upsert': ({ values }) => admin.put('/records/offers?match=name', values),
  'a batch of upserts': ({ values }) =>
    admin.post('/records/offers/batch/upsert', { match: 'mails', records: [values] }),
  'a bulk request': ({ id }) =>
    admin.post('/bulk', {
      action: 'update_field',
      object_name: 'offers',
      record_ids: [id],
      field_name: 'tags',
      field_value: ['a', 'b'],
    }),
  'a relation in bulk': ({ id, values }) =>
    admin.post('/bulk', {
      action: 'add_relation',
      object_name: 'offers',
      record_ids: [id],
      relation_field: 'company_id',
      target_ids: [values.company_id],
    }),
};

describe('a write of what is there', () => {
  it.each(Object.entries(ways))('leaves nothing: %s', async (_, write) => {
    const given = await offer();
    const before = await traces(given.id);
    const reply = await write(given);
    expect(reply.status, reply.text).toBe(200);
    expect([reply.json.errors ?? [], reply.json.failed ?? 0], reply.text).toEqual([[], 0]);
    if (reply.json.record) {
      expect(reply.json).toEqual({ id: given.id, action: 'updated', record: withoutLists(before.record) });
      // What a read shows beside the state is in its tag, too.
      expect(before.tag).toContain(reply.headers.get('etag')?.slice(0, -1));
    }
    expect(await traces(given.id)).toEqual(before);
  });

  it('leaves an entry of those records alone that change', async () => {
    const [one, other] = [await offer(), await offer()];
    const [before, otherBefore] = [await traces(one.id), await traces(other.id)];
    await admin.put(`/records/offers/${other.id}`, { day: '2026-04-01' });
    const bulk = { action: 'update_field', object_name: 'offers', field_name: 'day', field_value: '2026-03-01' };
    const reply = await admin.post('/bulk', { ...bulk, record_ids: [one.id, other.id] });
    expect(reply.json, reply.text).toMatchObject({ updated: 2, failed: 0 });
    expect(await traces(one.id)).toEqual(before);
    const after = await traces(other.id);
    expect(after.entries).toHaveLength(otherBefore.entries.length + 2);
    expect(after.record.updated_at > otherBefore.record.updated_at).toBe(true);
  });

  it('is judged as any other', async () => {
    const { id, values } = await offer();
    await addRole(kith, organization, 'Own', { '*': { view: 'all', create: true, update: 'own' } });
    const stranger = await organization.user('Own');
    expectError(await stranger.put(`/records/offers/${id}`, { name: values.name }), 'PERMISSION_DENIED');
    const stale = await admin.put(`/records/offers/${id}`, { name: values.name }, { 'if-match': '"old"' });
    expectError(stale, 'CONFLICT', 412);
  });

  it('is a write again once the record has changed', async () => {
    const { id, values } = await offer();
    const before = await traces(id);
    for (const name of ['Another', values.name, values.name]) await admin.put(`/records/offers/${id}`, { name });
    const after = await traces(id);
    expect(after.entries).toHaveLength(before.entries.length + 2);
    expect(after.record.updated_at > before.record.updated_at).toBe(true);
  });

  it('of a task leaves nothing, either', async () => {
    const task = { title: 'Call', priority: 'urgent', due_date: '2026-03-01' };
    const { task_id: id } = (await admin.post('/tasks', task)).json;
    const stored = async () => (await admin.get('/tasks')).json.data.find((one: { id: string }) => one.id === id);
    const before = await stored();
    expect((await admin.put(`/tasks/${id}`, task)).json).toEqual({ task_id: id, action: 'updated' });
    expect(await stored()).toEqual(before);
    await admin.put(`/tasks/${id}`, { ...task, priority: 'low' });
    expect((await stored()).updated_at > before.updated_at).toBe(true);
  });
});

/** An answer to a write has no lists. */
function withoutLists({ lists: _lists, ...record }: Reply['json']): object {
  return record;
}
