/** [contract: delete of one record; decisions: Writing] Delete and restore. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, list } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  admin = organization.admin;
});
afterAll(() => kith.stop());

const deletedAgo = (id: string, days: number) =>
  kith.database.database.run(organization.id, {
    text: `update "${organization.schema}".companies set deleted_at = now() - $1::int * interval '1 day' where id = $2::uuid`,
    values: [days, id],
  });

describe('delete', () => {
  it('answers { deleted: true }, and the record is gone from every read and write', async () => {
    const { id } = await create(admin, 'companies', { name: 'Goner' });
    const reply = await admin.delete(`/records/companies/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ deleted: true });
    expectError(await admin.get(`/records/companies/${id}`), 'RECORD_NOT_FOUND');
    expectError(await admin.put(`/records/companies/${id}`, { name: 'x' }), 'RECORD_NOT_FOUND');
    expectError(await admin.delete(`/records/companies/${id}`), 'RECORD_NOT_FOUND');
    expect((await admin.get('/records/companies')).json).toEqual({ data: [], total: 0 });
    expect(await list(admin, 'companies', { filter_field: 'id', filter_operator: 'equals', filter_value: id })).toEqual(
      [],
    );
    expect(await list(admin, 'companies', { search: 'goner' })).toEqual([]);
    expect((await admin.get('/export/companies')).json.records).toEqual([]);
    expectError(await admin.post('/records/contacts', { company_id: id }), 'VALIDATION_ERROR');
  });

  it('a relation to a trashed record keeps its id, with a null display, and can be written back', async () => {
    const firm = await create(admin, 'companies', { name: 'Left' });
    const contact = await create(admin, 'contacts', { first_name: 'Stays', company_id: firm.id });
    await admin.delete(`/records/companies/${firm.id}`);
    const { record } = (await admin.get(`/records/contacts/${contact.id}`)).json;
    expect(record).toMatchObject({ company_id: firm.id, company_id_display: null });
    expect(
      (await admin.put(`/records/contacts/${contact.id}`, { ...record, job_title: 'CEO' })).json.record,
    ).toMatchObject({ company_id: firm.id, job_title: 'CEO' });
    const behind = { filter_field: 'company_id.name', filter_operator: 'equals', filter_value: 'Left' };
    expect(await list(admin, 'contacts', behind)).toEqual([]);
    await admin.post(`/records/companies/${firm.id}/restore`);
    expect((await list(admin, 'contacts', behind)).map((found) => found.company_id_display)).toEqual(['Left']);
  });

  it('a link to a trashed record stays, with a null display, and can be written back', async () => {
    const ada = await create(admin, 'contacts', { first_name: 'Ada' });
    const deal = await create(admin, 'opportunities', { name: 'D', contacts: [{ id: ada.id, role: 'Buyer' }] });
    const links = async () => (await admin.get(`/records/opportunities/${deal.id}`)).json.record.contacts;
    await admin.delete(`/records/contacts/${ada.id}`);
    expect(await links()).toEqual([{ id: ada.id, display: null, role: 'Buyer' }]);
    expect((await admin.put(`/records/opportunities/${deal.id}`, { contacts: await links() })).status).toBe(200);
    await admin.post(`/records/contacts/${ada.id}/restore`);
    expect(await links()).toEqual([{ id: ada.id, display: 'Ada', role: 'Buyer' }]);
  });
});

describe('restore', () => {
  it('brings the record back as it was', async () => {
    const record = await create(admin, 'companies', { name: 'Back', employees: 3, phones: ['1'], industry: 'retail' });
    await admin.delete(`/records/companies/${record.id}`);
    const reply = await admin.post(`/records/companies/${record.id}/restore`);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ id: record.id, action: 'restored', record });
    expect((await admin.get(`/records/companies/${record.id}`)).json).toEqual({ record });
  });

  it('a record that is in no trash is RECORD_NOT_FOUND', async () => {
    const { id } = await create(admin, 'companies', { name: 'Here' });
    expectError(await admin.post(`/records/companies/${id}/restore`), 'RECORD_NOT_FOUND');
  });

  it('is possible within 30 days, not after', async () => {
    const { id } = await create(admin, 'companies', { name: 'Old' });
    await admin.delete(`/records/companies/${id}`);
    await deletedAgo(id, 31);
    expectError(await admin.post(`/records/companies/${id}/restore`), 'RECORD_NOT_FOUND');
    await deletedAgo(id, 29);
    expect((await admin.post(`/records/companies/${id}/restore`)).json.action).toBe('restored');
  });
});
