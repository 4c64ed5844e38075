/** [issue: Following] What was changed, in the order of commits, as far as the caller may see it. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/kith.ts';
import { follow, positionNow, settled, told } from './following.ts';
import { create, uuid } from './records.ts';
import { admin, kith, organization, useStage } from './stage.ts';
import { addRole } from './workspace.ts';

const owners = { view: 'own', create: true, update: 'all', delete: 'all' } as const;
const all = { view: 'all', create: true, update: 'all', delete: 'all' } as const;

let own: Client;
let blind: Client;
let member: Client;
let after: string;

useStage(async () => {
  await addRole(kith, organization, 'Own', { '*': owners });
  await addRole(kith, organization, 'Blind', {
    '*': { ...all, fields: { owner: 'none', domain: 'none', created_at: 'none' } },
    notes: { view: 'all', create: true },
    opportunities: { view: 'none' },
  });
  await addRole(kith, organization, 'By domain', {
    '*': {
      ...all,
      view: { type: 'AND', conditions: [{ field: 'domain', operator: 'equals', value: 'zoo.example' }] },
      fields: { domain: 'none' },
    },
    contacts: { view: { type: 'AND', conditions: [{ field: 'company_id.owner', operator: 'equals', value: '$me' }] } },
  });
  [own, blind, member] = [
    await organization.user('Own'),
    await organization.user('Blind'),
    await organization.user('Member'),
  ];
});

/** What `work` makes the client be told of. */
async function toldOf(client: Client, work: () => Promise<unknown>): Promise<string[]> {
  await settled(kith);
  const before = await positionNow(client);
  await work();
  await settled(kith);
  return told((await follow(client, before)).events);
}

const company = (values: object = {}) => create(admin, 'companies', { name: 'Acme', ...values });
const put = (id: string, values: object, client = admin) => client.put(`/records/companies/${id}`, values);

describe('what is told', () => {
  it('is each change with the record as it is now', async () => {
    await settled(kith);
    after = await positionNow(admin);
    const { id } = await company();
    await put(id, { name: 'Acme 2' });
    await settled(kith);
    const { events } = await follow(admin, after);
    const { record } = (await admin.get(`/records/companies/${id}`)).json;
    const [made] = (await admin.get(`/records/companies/${id}/history`)).json.data.slice(-1);
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        type: 'record.created',
        object_name: 'companies',
        record_id: id,
        at: made.at,
        actor: made.actor,
        means: 'api',
        agent: null,
        change_set: expect.stringMatching(uuid),
        record: expect.objectContaining({ id, name: 'Acme 2', updated_at: record.updated_at }),
      },
      expect.objectContaining({ type: 'record.updated', fields: ['name'], record_id: id }),
    ]);
    const [first] = (await follow(admin, after, { limit: 1 })).events;
    expect(first.id).toBe(events[0].id);
    expect((await follow(member, await positionNow(member))).events).toEqual([]);
  });

  it('is the trash, and what comes out of it; what is gone for good', async () => {
    const { id } = await company();
    expect(await toldOf(admin, () => admin.delete(`/records/companies/${id}`))).toEqual([
      `record.deleted companies ${id}`,
    ]);
    expect(await toldOf(admin, () => admin.post(`/records/companies/${id}/restore`))).toEqual([
      'record.restored companies Acme',
    ]);
    // Who may not delete has no trash to look into.
    expect(await toldOf(member, () => admin.delete(`/records/companies/${id}`))).toEqual([
      `record.removed companies ${id}`,
    ]);
    const gone = await toldOf(admin, () => admin.delete(`/trash/companies/${id}`));
    expect(gone).toEqual([`record.removed companies ${id}`]);
    expect(await toldOf(own, () => admin.get('/me'))).toEqual([]);
  });

  it('is not what a role hides', async () => {
    const { id } = await company({ domain: 'zoo.example' });
    expect(await toldOf(blind, () => put(id, { domain: 'bar.example' }))).toEqual([]);
    expect(await toldOf(blind, () => put(id, { domain: 'zoo.example', name: 'B' }))).toEqual([
      'record.updated companies B name',
    ]);
    expect(await toldOf(blind, () => create(admin, 'opportunities', { name: 'x' }))).toEqual([]);
    await settled(kith);
    const before = await positionNow(blind);
    await company({ name: 'C' });
    await settled(kith);
    const [made] = (await follow(blind, before)).events;
    expect(made).toMatchObject({ at: null, actor: null, change_set: null });
    expect(made.record).not.toHaveProperty('domain');
  });
});

describe('a record that comes into view or leaves it', () => {
  it('arrives as an update, and as a removal that says nothing else', async () => {
    const { id } = await company();
    expect(await toldOf(own, () => put(id, { name: 'D' }))).toEqual([]);
    expect(await toldOf(own, () => put(id, { owner: own.workspaceUserId }))).toEqual([
      'record.updated companies D owner',
    ]);
    await settled(kith);
    const before = await positionNow(own);
    await put(id, { owner: admin.workspaceUserId, name: 'E' });
    await put(id, { name: 'F' });
    await settled(kith);
    const { events } = await follow(own, before);
    expect(events).toEqual([
      { id: expect.any(String), type: 'record.removed', object_name: 'companies', record_id: id },
    ]);
    expect(await toldOf(own, () => admin.delete(`/records/companies/${id}`))).toEqual([]);
  });
});
