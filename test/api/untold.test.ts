/** Who may not see who made, owns or when was made a record, is not told it by what became of the record either. */
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import type { Client } from '../support/kith.ts';
import { create, createAll, expectError, list } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { addRole, run } from './workspace.ts';

const rights = { view: 'all', create: true, update: 'all', delete: 'all' } as const;

useStage(async () => {
  const relationConfig = {
    relationType: 'HAS_MANY',
    targetObjectName: 'contacts',
    inverseField: 'company_id',
  } as const;
  for (const field of ['created_by', 'owner', 'created_at']) {
    await addRole(kith, organization, `No ${field}`, { '*': { ...rights, fields: { [field]: 'none' } } });
  }
  const unseen = { industry: 'none' } as const;
  await addRole(kith, organization, 'No industry', { '*': { ...rights, fields: unseen } });
  await addRole(kith, organization, 'No times', { '*': { ...rights, fields: { ...unseen, updated_at: 'none' } } });
  await admin.post('/manifest', {
    objects: [{ name: 'companies', fields: [{ name: 'staff', type: 'RELATION', relationConfig }] }],
  });
});

/** The part of a tag that is the record's state. */
const stateOf = (tag: string | null): string | undefined => tag?.split('-')[0];

/** A company that was made, changed, put into the trash and taken out again. */
async function changedCompany(): Promise<{ id: string; created_at: string; first: string }> {
  const { id, created_at } = await create(admin, 'companies', { name: 'First' });
  await admin.put(`/records/companies/${id}`, { name: 'Second' });
  await admin.delete(`/records/companies/${id}`);
  await admin.post(`/records/companies/${id}/restore`);
  const { data } = (await admin.get(`/records/companies/${id}/history`)).json;
  return { id, created_at, first: data.at(-1).at };
}

describe.each(['created_by', 'owner'])('a role that does not see %s', (field) => {
  it('is told nobody by history and trash', async () => {
    const client = await organization.user(`No ${field}`);
    const { id } = await changedCompany();
    const reply = await client.get(`/records/companies/${id}/history`);
    expect(reply.json.data).toHaveLength(4);
    for (const entry of reply.json.data) {
      expect(entry).toMatchObject({ actor: null, agent: null, change_set: null, at: expect.stringMatching(/Z$/) });
    }
    await admin.delete(`/records/companies/${id}`);
    const trash = await client.get('/trash/companies');
    expect(trash.json.data[0]).toMatchObject({ id, deleted_by: null, deleted_at: expect.stringMatching(/Z$/) });
    for (const { text } of [reply, trash]) expect(text).not.toContain('Ada Admin');
    expect((await admin.get('/trash/companies')).json.data[0].deleted_by.id).toBe(admin.workspaceUserId);
  });
});

describe('a role that does not see created_at', () => {
  const asOf = (client: Client, id: string, as_of: string) => client.get(`/records/companies/${id}`, { as_of });

  it('is told of every change when it was, but not when the record was made', async () => {
    const client = await organization.user('No created_at');
    const { id, created_at, first } = await changedCompany();
    const { json, text } = await client.get(`/records/companies/${id}/history`);
    const [, , update, made] = json.data;
    expect(made).toMatchObject({ action: 'create', at: null, change_set: null, actor: { display: 'Ada Admin' } });
    expect(update).toMatchObject({ action: 'update', at: expect.stringMatching(/Z$/), change_set: expect.any(String) });
    for (const time of [created_at, first]) expect(text).not.toContain(time);
  });

  it('cannot search for it by reading earlier times', async () => {
    const client = await organization.user('No created_at');
    const { id, created_at } = await changedCompany();
    const before = await asOf(client, id, '2001-01-01');
    const after = await asOf(client, id, created_at);
    expect([before.status, before.json.record.name]).toEqual([200, 'First']);
    expect(after.text).toBe(before.text);
    expect(before.json.record.updated_at).toBe(null);
    expectError(await asOf(admin, id, '2001-01-01'), 'RECORD_NOT_FOUND');
    const fresh = await create(admin, 'companies', { name: 'Fresh' });
    expect((await asOf(client, fresh.id, '2001-01-01')).json.record.name).toBe('Fresh');
  });

  it('gets records in the order of their ids', async () => {
    const client = await organization.user('No created_at');
    const company = await create(admin, 'companies', { name: 'Co' });
    const names = ['a', 'b', 'c'];
    const contacts = await createAll(
      admin,
      'contacts',
      names.map((first_name) => ({ first_name, company_id: company.id })),
    );
    const [a, b, c] = contacts.map(({ id }) => id);
    // The other way about than the ids say, a constant each: Citus takes no function of a column here.
    for (const [index, id] of [a, b, c].entries()) {
      const madeAt = new Date(Date.parse(contacts[0].created_at) - index * 86_400_000).toISOString();
      await run(
        kith,
        organization,
        sql`update ${table('contacts')} set created_at = ${madeAt}::timestamptz where id = ${id}::uuid`,
      );
    }
    const ids = async (of: Client) => (await list(of, 'contacts')).map(({ id }) => id);
    expect([await ids(admin), await ids(client)]).toEqual([
      [a, b, c],
      [c, b, a],
    ]);
    const staff = async (of: Client) =>
      (await of.get(`/records/companies/${company.id}`)).json.record.staff.map(({ id }: { id: string }) => id);
    expect([await staff(admin), await staff(client)]).toEqual([
      [a, b, c],
      [c, b, a],
    ]);
  });
});

describe('a write of what a role does not see', () => {
  const look = async (client: Client, id: string) => {
    const [read, history] = [
      await client.get(`/records/companies/${id}`),
      await client.get(`/records/companies/${id}/history`),
    ];
    return { text: read.text, record: read.json.record, tag: read.headers.get('etag'), history: history.text };
  };

  it('moves updated_at, as decided, and nothing else', async () => {
    const client = await organization.user('No industry');
    const { id } = await create(admin, 'companies', { name: 'Quiet' });
    const before = await look(client, id);
    await admin.put(`/records/companies/${id}`, { industry: 'software' });
    const after = await look(client, id);
    expect(after.record.updated_at > before.record.updated_at).toBe(true);
    expect({ ...after.record, updated_at: '' }).toEqual({ ...before.record, updated_at: '' });
    expect(after.history).toBe(before.history);
    expect(stateOf(after.tag)).toBe(stateOf(before.tag));
    const { json } = await client.get(`/records/companies/${id}`, { as_of: before.record.updated_at });
    expect(json.record).toMatchObject({ name: 'Quiet', updated_at: after.record.updated_at });
  });

  it('is not told at all to a role without updated_at', async () => {
    const client = await organization.user('No times');
    const { id } = await create(admin, 'companies', { name: 'Silent' });
    const before = await look(client, id);
    await admin.put(`/records/companies/${id}`, { industry: 'software' });
    expect(await look(client, id)).toEqual(before);
    for (const query of [
      { fields: 'updated_at' },
      { sort_by: 'updated_at' },
      { filter_field: 'updated_at', filter_operator: 'is_not_null' },
    ]) {
      expectError(await client.get('/records/companies', query), 'INVALID_FIELD');
    }
  });
});
