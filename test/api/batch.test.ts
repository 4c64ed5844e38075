/** [contract: batch create] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, makeUnique } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  admin = organization.admin;
});
afterAll(() => kith.stop());

const path = '/records/companies/batch/create';

describe('batch create', () => {
  it('RECO2-07: each record stands on its own, with its index, code and field errors', async () => {
    const records = [
      { name: 'a', employees: 1 },
      { employees: 'many' },
      'no object',
      { name: 'b', nme: 1 },
      { name: 'c' },
    ];
    const reply = await admin.post(path, { records });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json).toSorted()).toEqual(['action', 'created', 'errors', 'failed', 'records']);
    expect(reply.json).toMatchObject({ action: 'created', created: 2, failed: 3 });
    expect(reply.json.records.map((record: { name: string }) => record.name)).toEqual(['a', 'c']);
    const fields = (at: number) => reply.json.errors[at].field_errors.map((error: { field: string }) => error.field);
    expect(reply.json.errors.map((error: { index: number; code: string }) => [error.index, error.code])).toEqual([
      [1, 'VALIDATION_ERROR'],
      [2, 'VALIDATION_ERROR'],
      [3, 'VALIDATION_ERROR'],
    ]);
    expect([fields(0), fields(2)]).toEqual([['employees', 'name'], ['nme']]);
    expect(reply.json.errors[1]).not.toHaveProperty('field_errors');
  });

  it('records are as a get shows them, with owner, defaults, links and step', async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Ada' });
    const reply = await admin.post('/records/opportunities/batch/create', {
      records: [
        { name: 'x', contacts: [{ id, role: 'r' }] },
        { name: 'y', amount: 3 },
      ],
    });
    for (const record of reply.json.records)
      expect((await admin.get(`/records/opportunities/${record.id}`)).json).toEqual({ record });
    expect(reply.json.records[0]).toMatchObject({
      contacts: [{ id, display: 'Ada', role: 'r' }],
      pipeline_step_id_display: 'Lead',
      owner: admin.workspaceUserId,
    });
  });

  it('values are taken as a create takes them: a word for true and a label for an id are refused', async () => {
    const reply = await admin.post('/records/contacts/batch/create', {
      records: [{ do_not_contact: 'yes' }, { company_id: 'Acme' }],
    });
    expect(reply.json).toMatchObject({ created: 0, failed: 2 });
  });

  it('where every record failed it is still 200 with the counts', async () => {
    const reply = await admin.post(path, { records: [{}, {}] });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ action: 'created', created: 0, failed: 2, records: [] });
  });

  it('a unique value that is taken, or twice in the batch, fails its record alone', async () => {
    const other = await kith.organization();
    await makeUnique(kith, other, 'companies', 'domain');
    await create(other.admin, 'companies', { name: 'Has it', domain: 'a.test' });
    const records = ['a.test', 'b.test', 'b.test', 'c.test'].map((domain) => ({ name: 'x', domain }));
    const reply = await other.admin.post(path, { records });
    expect(reply.json).toMatchObject({ created: 2, failed: 2 });
    expect(reply.json.errors.map((error: { index: number; code: string }) => [error.index, error.code])).toEqual([
      [0, 'DUPLICATE_RECORD'],
      [2, 'DUPLICATE_RECORD'],
    ]);
  });

  it('1,000 records are taken, 1,001 are not', async () => {
    const records = Array.from({ length: 1001 }, (_, at) => ({ name: `n${at}` }));
    const before = (await admin.get('/records/companies')).json.total;
    const refused = await admin.post(path, { records });
    expectError(refused, 'VALIDATION_ERROR');
    expect(refused.json.message).toContain('1000');
    expect((await admin.post(path, { records: records.slice(1) })).json).toMatchObject({ created: 1000, failed: 0 });
    expect((await admin.get('/records/companies')).json.total).toBe(before + 1000);
  });

  it.each<[string, unknown, string]>([
    ['no records', {}, 'MISSING_REQUIRED_FIELD'],
    ['records of nothing', { records: [] }, 'MISSING_REQUIRED_FIELD'],
    ['records that are an object', { records: {} }, 'VALIDATION_ERROR'],
    ['another key', { records: [{}], recrods: [] }, 'VALIDATION_ERROR'],
    ['an array', [{}], 'VALIDATION_ERROR'],
  ])('%s is refused', async (_name, body, code) => {
    expectError(await admin.post(path, body), code);
  });

  it('a role without create is PERMISSION_DENIED before anything is written', async () => {
    const viewer = await organization.user('Viewer');
    const { total } = (await admin.get('/records/companies')).json;
    expectError(await viewer.post(path, { records: [{ name: 'x' }] }), 'PERMISSION_DENIED');
    expect((await admin.get('/records/companies')).json.total).toBe(total);
  });
});
