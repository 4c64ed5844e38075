/** [contract: delete of one record; decisions: Writing] Delete and restore. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KithClient, RecordsListQuery } from '../../client/index.js';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { refusal, typed } from '../support/typed.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: KithClient;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  admin = typed(kith, organization.admin);
});
afterAll(() => kith.stop());

const deletedAgo = (id: string, days: number) =>
  kith.database.database.run(organization.id, {
    text: `update "${organization.schema}".companies set deleted_at = now() - $1::int * interval '1 day' where id = $2::uuid`,
    values: [days, id],
  });

async function create(object: string, values: Record<string, unknown>) {
  const { id, record } = await admin.records.create(object, values);
  return { ...record, id };
}

async function list(object: string, query: RecordsListQuery = {}) {
  return (await admin.records.list(object, query)).data;
}

async function expectRefused(call: PromiseLike<unknown>, code: string): Promise<void> {
  expect(await refusal(call)).toMatchObject({ code, status: 400 });
}

describe('delete', () => {
  it('answers { deleted: true }, and the record is gone from every read and write', async () => {
    const { id } = await create('companies', { name: 'Goner' });
    const { status, data } = await admin.records.delete('companies', id).withResponse();
    expect([status, data]).toEqual([200, { deleted: true }]);
    await expectRefused(admin.records.get('companies', id), 'RECORD_NOT_FOUND');
    await expectRefused(admin.records.update('companies', id, { name: 'x' }), 'RECORD_NOT_FOUND');
    await expectRefused(admin.records.delete('companies', id), 'RECORD_NOT_FOUND');
    expect(await admin.records.list('companies')).toEqual({ data: [], total: 0 });
    expect(await list('companies', { filter_field: 'id', filter_operator: 'equals', filter_value: id })).toEqual([]);
    expect(await list('companies', { search: 'goner' })).toEqual([]);
    expect((await admin.records.export('companies')).records).toEqual([]);
    await expectRefused(admin.records.create('contacts', { company_id: id }), 'VALIDATION_ERROR');
  });

  it('a relation to a trashed record keeps its id, with a null display, and can be written back', async () => {
    const firm = await create('companies', { name: 'Left' });
    const contact = await create('contacts', { first_name: 'Stays', company_id: firm.id });
    await admin.records.delete('companies', firm.id);
    const { record } = await admin.records.get('contacts', contact.id);
    expect(record).toMatchObject({ company_id: firm.id, company_id_display: null });
    const written = await admin.records.update('contacts', contact.id, { ...record, job_title: 'CEO' });
    expect(written.record).toMatchObject({ company_id: firm.id, job_title: 'CEO' });
    const behind = { filter_field: 'company_id.name', filter_operator: 'equals', filter_value: 'Left' } as const;
    expect(await list('contacts', behind)).toEqual([]);
    await admin.records.restore('companies', firm.id);
    expect((await list('contacts', behind)).map((found) => found['company_id_display'])).toEqual(['Left']);
  });

  it('a link to a trashed record stays, with a null display, and can be written back', async () => {
    const ada = await create('contacts', { first_name: 'Ada' });
    const deal = await create('opportunities', { name: 'D', contacts: [{ id: ada.id, role: 'Buyer' }] });
    const links = async () => (await admin.records.get('opportunities', deal.id)).record['contacts'];
    await admin.records.delete('contacts', ada.id);
    expect(await links()).toEqual([{ id: ada.id, display: null, role: 'Buyer' }]);
    await admin.records.update('opportunities', deal.id, { contacts: await links() });
    await admin.records.restore('contacts', ada.id);
    expect(await links()).toEqual([{ id: ada.id, display: 'Ada', role: 'Buyer' }]);
  });
});

describe('restore', () => {
  it('brings the record back as it was', async () => {
    const record = await create('companies', { name: 'Back', employees: 3, phones: ['1'], industry: 'retail' });
    await admin.records.delete('companies', record.id);
    const { status, data } = await admin.records.restore('companies', record.id).withResponse();
    expect([status, data]).toEqual([200, { id: record.id, action: 'restored', record }]);
    expect(await admin.records.get('companies', record.id)).toEqual({ record });
  });

  it('a record that is in no trash is RECORD_NOT_FOUND', async () => {
    const { id } = await create('companies', { name: 'Here' });
    await expectRefused(admin.records.restore('companies', id), 'RECORD_NOT_FOUND');
  });

  it('is possible within 30 days, not after', async () => {
    const { id } = await create('companies', { name: 'Old' });
    await admin.records.delete('companies', id);
    await deletedAgo(id, 31);
    await expectRefused(admin.records.restore('companies', id), 'RECORD_NOT_FOUND');
    await deletedAgo(id, 29);
    expect((await admin.records.restore('companies', id)).action).toBe('restored');
  });
});
