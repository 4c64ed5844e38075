/** Cells that lead nowhere, rows that are there already, and fields and defaults that are meant by name. [spec: crm_import_records] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { create, expectError, list } from './records.ts';

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
});
afterAll(() => kith.stop());

async function analyzed(object: string, data: readonly object[]): Promise<Reply['json']> {
  const reply = await admin.post('/import-jobs', { object_name: object, data });
  expect(reply.status, reply.text).toBe(201);
  return reply.json;
}

async function act(id: string, action: 'preview' | 'execute', body: object = {}): Promise<Reply['json']> {
  const reply = await admin.post(`/import-jobs/${id}/${action}`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

it('CIR-12: takes a field that is there for the new one only where it is of that type and no other column goes there', async () => {
  const job = await analyzed('contacts', [{ Vorname: 'Ada', 'Fav Color': 'red', Since: '2020-01-01' }]);
  const entry = (column: string, new_field_name: string, new_field_type?: string) => ({
    column,
    action: 'new_field',
    new_field_name,
    ...(new_field_type && { new_field_type }),
  });
  const refusal = async (...mapping: object[]) => {
    const reply = await admin.post(`/import-jobs/${job.import_job_id}/preview`, { mapping });
    expectError(reply, 'VALIDATION_ERROR');
    return reply.json.message;
  };
  const isThere = (column: string, name: string) =>
    `Column "${column}" cannot become a new field ${name}: there is one`;
  expect(await refusal(entry('Fav Color', 'first_name', 'TEXT'))).toBe(
    `${isThere('Fav Color', 'first_name')}, to which the column "Vorname" goes`,
  );
  expect(await refusal(entry('Since', 'emails', 'DATE'))).toBe(
    `${isThere('Since', 'emails')} of type EMAILS, not DATE`,
  );
  expect(await refusal(entry('Fav Color', 'created_at'))).toContain('created_at');
  const mapping = [entry('Fav Color', 'fav_color'), entry('Since', 'since', 'DATE')];
  expect(await act(job.import_job_id, 'execute', { mapping })).toMatchObject({ new_fields: ['fav_color', 'since'] });
  const again = await analyzed('contacts', [{ Vorname: 'Ben', 'Fav Color': 'blue', Since: '2021-01-01' }]);
  expect(await act(again.import_job_id, 'execute', { mapping })).toMatchObject({ created: 1, new_fields: [] });
  const [ben] = (await list(admin, 'contacts', { search: 'Ben' })).filter(({ first_name }) => first_name === 'Ben');
  expect(ben).toMatchObject({ fav_color: 'blue', since: '2021-01-01' });
});

it('CIR-18: makes the links of a cell that lead somewhere, and tells those that do not', async () => {
  for (const last_name of ['Linked One', 'Linked Two', 'Twin', 'Twin']) await create(admin, 'contacts', { last_name });
  const job = await analyzed('opportunities', [
    { name: 'Some', people: 'Linked One; Nobody Here; Linked Two; No One; Twin' },
    { name: 'None', people: 'Nobody Here' },
  ]);
  const relation = { column: 'people', action: 'relation', target_object: 'contacts', relation_type: 'MANY_TO_MANY' };
  const done = await act(job.import_job_id, 'execute', { mapping: [relation] });
  expect(done).toMatchObject({ created: 2, failed: 0, warnings: 3, many_to_many: ['contacts'] });
  expect(done.notes).toMatchObject([
    { message: 'contacts names no record', count: 2, first: 'contacts names no record: "Nobody Here", "No One"' },
    { message: 'contacts names several records', count: 1, first: 'contacts names several records: "Twin"' },
  ]);
  const deals = await list(admin, 'opportunities', { sort_by: 'name', sort_dir: 'desc' });
  const linked = deals.map(({ name, contacts }) => [name, contacts.map((link: { display: string }) => link.display)]);
  expect(linked).toEqual([
    ['Some', ['Linked One', 'Linked Two']],
    ['None', []],
  ]);
  const strict = await analyzed('opportunities', [{ name: 'Strict', people: 'Linked One; Nobody Here' }]);
  const refused = { mapping: [relation], import_options: { bad_cells: 'fail' } };
  expect(await act(strict.import_job_id, 'execute', refused)).toMatchObject({ created: 0, failed: 1 });
});

it('CIR-16: counts rows that are records already whatever becomes of them, and shows what would stand in the records', async () => {
  await create(admin, 'contacts', { last_name: 'There', emails: ['there@double.test'] });
  const job = await analyzed('contacts', [
    { last_name: 'Double', emails: 'THERE@double.test; bad-mail', birthday: '31.31.1980', company_id: 'NewCo' },
    { last_name: 'Fresh', emails: 'fresh@double.test', birthday: '1980-01-31', company_id: '' },
    { last_name: 'Fresher', emails: 'fresh@double.test; bad', birthday: '', company_id: '' },
    { last_name: 'Other', emails: 'bad-mail', birthday: '', company_id: '' },
  ]);
  const mapping = ['emails', 'birthday', 'company_id'].map((field) => ({ column: field, action: 'map', field }));
  const shown = async (import_options: object) =>
    act(job.import_job_id, 'preview', {
      mapping: mapping.map((entry) => (entry.field === 'birthday' ? { ...entry, date_format: 'DMY' } : entry)),
      import_options,
    });
  const by = { duplicate_fields: ['emails'] };
  const created = await shown(by);
  expect(created).toMatchObject({ created: 4, duplicates: { existing: 2 } });
  expect(created.sample_rows.map(({ values }: { values: object }) => values)).toEqual([
    { last_name: 'Double', emails: ['THERE@double.test'] },
    { last_name: 'Fresh', emails: ['fresh@double.test'], birthday: '1980-01-31' },
    { last_name: 'Fresher', emails: ['fresh@double.test'] },
    { last_name: 'Other' },
  ]);
  expect(await shown({ ...by, duplicate_strategy: 'skip' })).toMatchObject({
    skipped: 2,
    duplicates: { existing: 2 },
  });
  expect(await shown({})).toMatchObject({ created: 4, duplicates: { existing: 0 } });
});

it('CIR-14: refuses a default of a field that there is not', async () => {
  const { import_job_id: id } = await analyzed('contacts', [{ last_name: 'Default' }]);
  const preview = (default_values: object) =>
    admin.post(`/import-jobs/${id}/preview`, { import_options: { default_values } });
  const refused = await preview({ job_titel: 'x' });
  expectError(refused, 'INVALID_FIELD');
  expect(refused.json.message).toMatch(
    /^There is no field "job_titel" on contacts \(did you mean "job_title"\?\): default_values/,
  );
  expect((await preview({ job_title: 'Boss' })).json).toMatchObject({ created: 1, failed: 0 });
});

it('finds what a relation names by its name, also where that is computed, and says which fields tell no record', async () => {
  await create(admin, 'contacts', { first_name: 'Named', last_name: 'Whole' });
  const job = await analyzed('opportunities', [{ name: 'By name', who: 'Named Whole' }]);
  const relation = { column: 'who', action: 'relation', target_object: 'contacts' };
  const done = { mapping: [{ ...relation, lookup_field: 'full_name' }] };
  const wrong = { mapping: [{ ...relation, lookup_field: 'created_at' }] };
  const refused = await admin.post(`/import-jobs/${job.import_job_id}/preview`, wrong);
  expectError(refused, 'INVALID_FIELD');
  expect(refused.json.message).toMatch(
    /^Records of contacts cannot be matched by "created_at": records can be matched by text/,
  );
  expect(await act(job.import_job_id, 'execute', done)).toMatchObject({ created: 1, warnings: 0 });
  const [deal] = (await list(admin, 'opportunities')).filter(({ name }) => name === 'By name');
  expect(deal.contacts).toMatchObject([{ display: 'Named Whole' }]);
});
