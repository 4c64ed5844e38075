/** Whatever is wrong with the fields of one record is told at once: values that cannot be read, and references to what is not there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { apply, create, expectError } from './records.ts';

let kith: TestKith;
let admin: Client;
let company: string;
let thing: string;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
  const leads = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE', targetObjectName });
  const fields = [
    { name: 'name', type: 'TEXT', isRequired: true },
    { name: 'size', type: 'NUMBER' },
    { name: 'company_id', type: 'RELATION', relationConfig: leads('companies') },
    { name: 'contact_id', type: 'DEPENDENT_RELATION', relationConfig: leads('contacts'), dependsOn: 'company_id' },
    { name: 'friends', type: 'MANY_TO_MANY', relationConfig: { ...leads('contacts'), relationType: 'MANY_TO_MANY' } },
  ];
  await apply(admin, { objects: [{ name: 'things', fields }] });
  company = (await create(admin, 'companies', { name: 'Globex' })).id;
  thing = (await create(admin, 'things', { name: 'Thing', company_id: company })).id;
});
afterAll(() => kith.stop());

const namesOf = (errors: readonly { field: string }[] = []) => errors.map(({ field }) => field).toSorted();

function expectFields(reply: Reply, fields: readonly string[]) {
  expectError(reply, 'VALIDATION_ERROR');
  expect(namesOf(reply.json.field_errors)).toEqual(fields);
  for (const field of fields) expect(reply.json.message).toContain(field);
}

const everything = () => ({ nmae: 'x', size: 'many', company_id: newId(), friends: [newId()], owner: newId() });
const allOf = ['company_id', 'friends', 'nmae', 'owner', 'size'];

describe('RECO2-30, ERRO-09: all field errors at once', () => {
  it('in a create: values and references', async () => {
    expectFields(await admin.post('/records/things', { ...everything(), name: 'x' }), allOf);
    expectFields(
      await admin.post('/records/things', everything()),
      ['company_id', 'friends', 'name', 'nmae', 'owner', 'size'].toSorted(),
    );
    expectFields(await admin.post('/records/things', { name: 'x', size: 'many', company_id: newId() }), [
      'company_id',
      'size',
    ]);
    expectFields(await admin.post('/records/things', { name: 'x', size: 'many', company_id: company }), ['size']);
    expectFields(await admin.post('/records/things', { name: 'x', company_id: newId(), friends: [newId()] }), [
      'company_id',
      'friends',
    ]);
  });

  it('in an update: values and references', async () => {
    const path = `/records/things/${thing}`;
    expectFields(await admin.put(path, everything()), allOf);
    expectFields(await admin.put(path, { size: 'many', company_id: newId() }), ['company_id', 'size']);
    expectFields(await admin.put(path, { size: 'many', company_id: company }), ['size']);
    expectFields(await admin.put(path, { company_id: newId(), friends: [newId()] }), ['company_id', 'friends']);
    expect((await admin.get(path)).json.record).toMatchObject({ name: 'Thing', size: null, company_id: company });
  });

  it('an update may keep what leads into the trash, whatever else is wrong with it', async () => {
    const gone = (await create(admin, 'companies', { name: 'Gone' })).id;
    const { id } = await create(admin, 'things', { name: 'Left', company_id: gone });
    await admin.delete(`/records/companies/${gone}`);
    expectFields(await admin.put(`/records/things/${id}`, { size: 'many', company_id: gone }), ['size']);
    expectFields(await admin.put(`/records/things/${thing}`, { size: 'many', company_id: gone }), [
      'company_id',
      'size',
    ]);
  });

  it('a child is not judged by a parent that cannot be read', async () => {
    const contact = (await create(admin, 'contacts', { first_name: 'Ada', company_id: company })).id;
    const values = { name: 'x', company_id: 'Globex', contact_id: contact };
    expectFields(await admin.post('/records/things', values), ['company_id']);
    expectFields(await admin.post('/records/things', { ...values, company_id: company, size: 'many' }), ['size']);
    const other = (await create(admin, 'contacts', { first_name: 'Eve' })).id;
    const misfit = { name: 'x', company_id: company, contact_id: other, size: 'many' };
    expectFields(await admin.post('/records/things', misfit), ['contact_id', 'size']);
  });

  it('in a batch: of each record', async () => {
    const records = [
      { ...everything(), name: 'x' },
      { name: 'good' },
      { name: 'x', size: 'many' },
      { name: 'x', company_id: newId() },
    ];
    const { json } = await admin.post('/records/things/batch/create', { records });
    expect([json.created, json.failed]).toEqual([1, 3]);
    const told = json.errors.map(
      ({ index, field_errors: errors }: { index: number; field_errors: { field: string }[] }) => [
        index,
        namesOf(errors),
      ],
    );
    expect(told).toEqual([
      [0, allOf],
      [2, ['size']],
      [3, ['company_id']],
    ]);
  });

  it('in an import: of each row', async () => {
    const records = [{ name: 'x', size: 'many', company_id: newId() }, { name: 'good' }];
    const reply = await admin.post('/import/things', { records });
    expect(reply.json).toMatchObject({ created: 1, failed: 1 });
    expect(reply.text).toMatch(/size.*company_id|company_id.*size/);
  });
});

it('of a record that is not there nothing is told but its values', async () => {
  expectFields(await admin.put(`/records/things/${newId()}`, { size: 'many', company_id: newId() }), ['size']);
});
