/** A record as it was at an earlier time: rebuilt from history, and seen by whoever may see it now and could see it then. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError } from './records.ts';
import { addComputedField, addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await addComputedField(kith, organization, 'opportunities', 'doubled', {
    type: 'CALCULATED',
    isReadonly: true,
    calculation: { expression: 'amount * 2', outputType: 'NUMBER' },
  });
  await addComputedField(kith, organization, 'companies', 'deals', {
    type: 'ROLLUP',
    isReadonly: true,
    rollup: { objectName: 'opportunities', relationField: 'company_id', function: 'COUNT' },
  });
  await addComputedField(kith, organization, 'companies', 'half_deals', {
    type: 'CALCULATED',
    isReadonly: true,
    calculation: { expression: 'deals / 2', outputType: 'NUMBER' },
  });
});
afterAll(() => kith.stop());

/** The times of a record's entries, oldest first. */
const timesOf = async (object: string, id: string): Promise<string[]> =>
  (await admin.get(`/records/${object}/${id}/history`)).json.data.map(({ at }: { at: string }) => at).toReversed();

const asOf = (client: Client, object: string, id: string, time: string, query = {}): Promise<Reply> =>
  client.get(`/records/${object}/${id}`, { as_of: time, ...query });

describe('the record as of an entry', () => {
  it('is what the change left, with links and computed values of then', async () => {
    const [a, b] = await createAll(admin, 'contacts', [{ first_name: 'A' }, { first_name: 'B' }]);
    const company = await create(admin, 'companies', { name: 'Co' });
    const { id } = await create(admin, 'opportunities', {
      name: 'V0',
      amount: 1,
      contacts: [{ id: a.id, role: 'Buyer' }, b.id],
    });
    const versions = [(await admin.get(`/records/opportunities/${id}`)).json.record];
    const changes = [
      { name: 'V1', amount: { amount: 2.5, currency: 'EUR' } },
      { contacts: [b.id] },
      { contacts: [{ id: b.id, role: 'Seller' }, a.id], close_date: '2026-05-01' },
      { company_id: company.id, amount: null },
      { pipeline_step_id: 'Won' },
    ];
    for (const change of changes) versions.push((await admin.put(`/records/opportunities/${id}`, change)).json.record);
    const times = await timesOf('opportunities', id);
    expect(times.length).toBe(versions.length);
    for (const [at, version] of versions.entries()) {
      const { record } = (await asOf(admin, 'opportunities', id, times[at] ?? '')).json;
      expect({ ...record, updated_at: '' }, `version ${at}`).toEqual({ ...version, updated_at: '' });
      expect(record.updated_at <= (times[at] ?? '')).toBe(true);
    }
    const [first, last] = [versions[0], versions.at(-1)];
    expect((await asOf(admin, 'opportunities', id, first.created_at)).json.record.name).toBe('V0');
    expect((await asOf(admin, 'opportunities', id, '2999-01-01')).json.record).toEqual(last);
  });

  it('leaves out what is made of other records, and takes fields', async () => {
    const { id } = await create(admin, 'companies', { name: 'Old' });
    await admin.put(`/records/companies/${id}`, { name: 'New' });
    const [time = ''] = await timesOf('companies', id);
    const { record } = (await asOf(admin, 'companies', id, time)).json;
    expect(record).toMatchObject({ id, name: 'Old' });
    expect(Object.keys(record).filter((key) => key.includes('deals'))).toEqual([]);
    expect((await asOf(admin, 'companies', id, time, { fields: 'name' })).json).toEqual({
      record: { id, name: 'Old' },
    });
    for (const fields of ['deals', 'half_deals']) {
      expectError(await asOf(admin, 'companies', id, time, { fields }), 'VALIDATION_ERROR');
    }
    expectError(await asOf(admin, 'companies', id, time, { fields: 'nothing' }), 'INVALID_FIELD');
  });
});

it('has the fields of links by what they are, wherever they stood and whatever they were called', async () => {
  const declare = async (junctionFields: object[]) => {
    const relationConfig = { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' };
    const people = { name: 'people', label: 'People', type: 'MANY_TO_MANY', relationConfig, junctionFields };
    const projects = { name: 'projects', label: 'Projects', labelSingular: 'Project', fields: [title, people] };
    const reply = await admin.post('/manifest?allow_destroy=true&allow_lock=true', { objects: [projects] });
    expect(reply.status, reply.text).toBe(200);
  };
  const title = { name: 'title', label: 'Title', type: 'TEXT' };
  const since = { name: 'since', type: 'DATE' };
  const role = { name: 'role', type: 'TEXT' };
  await declare([role, since, { name: 'share', type: 'TEXT' }]);
  const { id: person } = await create(admin, 'contacts', { first_name: 'A' });
  const link = { id: person, role: 'Buyer', since: '2026-01-02', share: 'half' };
  const { id } = await create(admin, 'projects', { title: 'P', people: [link] });
  await admin.put(`/records/projects/${id}`, { people: [] });
  const [linked = ''] = await timesOf('projects', id);
  // The first is gone, the second has a new name, the third cannot hold what it was.
  const kept = { name: 'joined', renamedFrom: 'since', type: 'DATE' };
  await declare([{ ...role, absent: true }, kept, { name: 'share', type: 'NUMBER' }]);
  const { record } = (await asOf(admin, 'projects', id, linked)).json;
  expect(record.people).toEqual([{ id: person, display: 'A', joined: '2026-01-02', share: null }]);
});

describe('what is not there', () => {
  it('is a record before it was made, and while it was in the trash', async () => {
    const { id, created_at } = await create(admin, 'companies', { name: 'T' });
    await admin.delete(`/records/companies/${id}`);
    await admin.post(`/records/companies/${id}/restore`);
    await admin.put(`/records/companies/${id}`, { name: 'U' });
    const [made = '', deleted = '', restored = ''] = await timesOf('companies', id);
    const before = new Date(Date.parse(created_at) - 1).toISOString();
    expectError(await asOf(admin, 'companies', id, before), 'RECORD_NOT_FOUND');
    expect((await asOf(admin, 'companies', id, made)).json.record.name).toBe('T');
    expectError(await asOf(admin, 'companies', id, deleted), 'RECORD_NOT_FOUND');
    expect((await asOf(admin, 'companies', id, restored)).json.record.name).toBe('T');
    await admin.delete(`/records/companies/${id}`);
    expect((await asOf(admin, 'companies', id, restored)).json.record.name).toBe('T');
    expectError(await asOf(admin, 'companies', id, '2999-01-01'), 'RECORD_NOT_FOUND');
  });

  it.each(['', 'yesterday', '2026-13-01', '10000-01-01', 'infinity'])('%j is no time', async (time) => {
    const { id } = await create(admin, 'companies', { name: 'x' });
    expectError(await asOf(admin, 'companies', id, time), 'VALIDATION_ERROR');
  });
});

describe('who may see it', () => {
  it('must see the record now, and could have seen it then', async () => {
    await addRole(kith, organization, 'Retail', {
      '*': { view: 'all' },
      companies: {
        view: { type: 'AND', conditions: [{ field: 'industry', operator: 'equals', value: 'retail' }] },
        fields: { employees: 'none' },
      },
    });
    const reader = await organization.user('Retail');
    const { id } = await create(admin, 'companies', { name: 'A', industry: 'energy', employees: 1 });
    await admin.put(`/records/companies/${id}`, { industry: 'retail', employees: 2 });
    await admin.put(`/records/companies/${id}`, { name: 'B', employees: 3 });
    const [first = '', second = '', third = ''] = await timesOf('companies', id);
    expectError(await asOf(reader, 'companies', id, first), 'RECORD_NOT_FOUND');
    const { record } = (await asOf(reader, 'companies', id, second)).json;
    expect(record.name).toBe('A');
    expect(record).not.toHaveProperty('employees');
    expectError(await asOf(reader, 'companies', id, third, { fields: 'employees' }), 'INVALID_FIELD');
    await admin.put(`/records/companies/${id}`, { industry: 'energy' });
    expectError(await asOf(reader, 'companies', id, second), 'RECORD_NOT_FOUND');
    await admin.put(`/records/companies/${id}`, { industry: 'retail' });
    await admin.delete(`/records/companies/${id}`);
    expectError(await asOf(reader, 'companies', id, second), 'RECORD_NOT_FOUND');
  });

  it('is not told of hidden changes by updated_at', async () => {
    await addRole(kith, organization, 'Blind', { '*': { view: 'all' }, contacts: { fields: { job_title: 'none' } } });
    const blind = await organization.user('Blind');
    const { id } = await create(admin, 'contacts', { first_name: 'A' });
    await admin.put(`/records/contacts/${id}`, { first_name: 'B' });
    await admin.put(`/records/contacts/${id}`, { job_title: 'x' });
    await admin.put(`/records/contacts/${id}`, { first_name: 'C' });
    const [, second = '', third = ''] = await timesOf('contacts', id);
    expect((await asOf(admin, 'contacts', id, third)).json.record.updated_at).toBe(third);
    expect((await asOf(blind, 'contacts', id, third)).json.record.updated_at).toBe(second);
  });
});
