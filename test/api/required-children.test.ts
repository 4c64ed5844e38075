/** A DEPENDENT_RELATION that is required: a changed parent does not clear it. [contract: Workspace manifest] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError } from './records.ts';
import { addObject, addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

const to = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE' as const, targetObjectName });

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await addObject(kith, organization, 'cards', {
    name: 'TEXT',
    contact_id: { type: 'RELATION', relationConfig: to('contacts') },
  });
});

afterAll(() => kith.stop());

async function pair(name: string) {
  const company = await create(admin, 'companies', { name });
  const contact = await create(admin, 'contacts', { first_name: name, company_id: company.id });
  return { company: company.id as string, contact: contact.id as string };
}

it('is never cleared: what would do so is refused, wherever it comes from', async () => {
  const object = 'orders';
  const reference = (dependsOn: string, target: string) =>
    ({ type: 'DEPENDENT_RELATION', dependsOn, relationConfig: to(target) }) as const;
  await addObject(kith, organization, object, {
    name: { type: 'TEXT', isUnique: true },
    company_id: { type: 'RELATION', relationConfig: to('companies') },
    contact_id: reference('company_id', 'contacts'),
    card_id: { ...reference('contact_id', 'cards'), isRequired: true },
  });
  const [a, b] = [await pair('P'), await pair('Q')];
  const card = async (contact_id: string) => (await create(admin, 'cards', { name: 'card', contact_id })).id as string;
  const [first, second] = [await card(a.contact), await card(b.contact)];
  const whole = { company_id: a.company, contact_id: a.contact, card_id: first };
  const { id } = await create(admin, object, { name: 'x', ...whole });
  const told = {
    field: 'card_id',
    message:
      'card_id is required, and the record that it names is not one of cards that belongs to the record that contact_id names',
  };
  const put = (values: object, user = admin) => user.put(`/records/${object}/${id}`, values);
  for (const values of [{ company_id: b.company }, { company_id: null }, { contact_id: null }]) {
    const refused = await put(values);
    expectError(refused, 'VALIDATION_ERROR');
    expect(refused.json.field_errors).toEqual([told]);
  }
  const record_ids = [id];
  const bulk = {
    action: 'update_field',
    object_name: object,
    record_ids,
    field_name: 'company_id',
    field_value: null,
  };
  expect((await admin.post('/bulk', bulk)).json.errors).toEqual([{ id, reason: told.message }]);
  const link = { action: 'add_relation', object_name: object, record_ids, relation_field: 'company_id' };
  const linked = await admin.post('/bulk', { ...link, target_ids: [b.company] });
  expect(linked.json.errors, linked.text).toEqual([{ id, reason: told.message }]);
  const upsert = { match: 'name', records: [{ name: 'x', company_id: b.company }] };
  const upserted = await admin.post(`/records/${object}/batch/upsert`, upsert);
  expect(upserted.json.errors[0].field_errors, upserted.text).toEqual([told]);
  expect((await admin.get(`/records/${object}/${id}`)).json.record).toMatchObject(whole);

  expect((await put({ name: 'x', company_id: a.company })).status).toBe(200);
  const other = { company_id: b.company, contact_id: b.contact, card_id: second };
  expect((await put(other)).json.record).toMatchObject(other);
  await addRole(kith, organization, 'Without cards', {
    '*': { view: 'all', create: true, update: 'all' },
    [object]: { fields: { card_id: 'none' } },
  });
  const refused = await put({ company_id: a.company }, await organization.user('Without cards'));
  expectError(refused, 'VALIDATION_ERROR');
  expect(refused.json.message).toBe('A record of orders needs a value that your role may not give');
  expect(refused.json.field_errors).toBeUndefined();
  expect((await admin.get(`/records/${object}/${id}`)).json.record).toMatchObject(other);
});

it('that was empty when it became required keeps no other change from its record', async () => {
  const { admin: other } = await kith.organization();
  const child = { name: 'contact_id', type: 'DEPENDENT_RELATION', dependsOn: 'company_id' };
  const apply = async (isRequired: boolean) => {
    const fields = [
      { name: 'name', type: 'TEXT' },
      { name: 'company_id', type: 'RELATION', relationConfig: to('companies') },
      { ...child, relationConfig: to('contacts'), isRequired },
    ];
    const applied = await other.post('/manifest', { objects: [{ name: 'parcels', displayField: 'name', fields }] });
    expect(applied.status, applied.text).toBe(200);
  };
  await apply(false);
  const [a, b] = [await create(other, 'companies', { name: 'R' }), await create(other, 'companies', { name: 'S' })];
  const { id } = await create(other, 'parcels', { name: 'x', company_id: a.id });
  await apply(true);
  const moved = await other.put(`/records/parcels/${id}`, { company_id: b.id });
  expect(moved.json.record, moved.text).toMatchObject({ company_id: b.id, contact_id: null });
});
