/** [spec: crm_import_records] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuid } from '../api/records.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';
import { importRecords } from '../../src/tools/import-records.ts';

let kith: TestKith;
let ada: Agent;
let ben: Agent;
beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  const agentOf = agents(kith);
  [ada, ben] = [agentOf(organization.admin), agentOf(await organization.user('Member'))];
});
afterAll(() => kith.stop());

const imports = (agent: Agent, args: object) => agent.call('crm_import_records', { ...args });
const csv = 'Vorname,Firma,Stufe\nAnna,Globex,Gold\nBob,Globex,Silver\n';

it('CIR-01, CIR-02: is for admins, whatever is asked', async () => {
  for (const args of [{ action: 'analyze' }, { action: 'execute' }, { action: 'status', import_job_id: 'x' }]) {
    expect((await imports(ben, args)).code).toBe('PERMISSION_DENIED');
  }
  expect((await imports(ada, {})).code).toBe('MISSING_REQUIRED_FIELD');
  expect((await imports(ada, { action: 'try' })).json.available_values).toEqual(
    expect.arrayContaining(['analyze', 'preview', 'execute', 'status']),
  );
});

it('CIR-03, CIR-04: needs what each step needs, and takes JSON unless told', async () => {
  for (const [action, name] of Object.entries({
    analyze: 'object_name',
    preview: 'import_job_id',
    execute: 'import_job_id',
  })) {
    const { code, json } = await imports(ada, { action });
    expect([code, json.message]).toEqual(['MISSING_REQUIRED_FIELD', expect.stringContaining(name)]);
  }
  const rows = [{ name: 'Acme' }];
  for (const data of [JSON.stringify(rows), rows]) {
    const { json } = await imports(ada, { action: 'analyze', object_name: 'companies', data });
    expect(json).toMatchObject({ import_job_id: expect.stringMatching(uuid), rows: 1, format: 'json' });
  }
});

it('IJ-01: goes on with what was analyzed alone, and says that the person confirms it before', async () => {
  expect(importRecords.description).toContain('execute does it, once the person has confirmed');
  for (const action of ['preview', 'execute', 'status']) {
    const { code } = await imports(ada, { action, import_job_id: '0190f6c1-0000-7000-8000-000000000000' });
    expect([action, code]).toEqual([action, 'RECORD_NOT_FOUND']);
  }
});

it('CIR-05 to 18, CIR-20: proposes, previews and carries out a mapping, onto lists', async () => {
  const analyzed = (await imports(ada, { action: 'analyze', object_name: 'contacts', data: csv, format: 'csv' })).json;
  const { import_job_id, columns, target_fields } = analyzed;
  expect(columns.map(({ column }: { column: string }) => column)).toEqual(['Vorname', 'Firma', 'Stufe']);
  expect(columns[0]).toMatchObject({
    suggestion: expect.anything(),
    sample_values: ['Anna', 'Bob'],
    confidence: expect.any(Number),
  });
  expect(target_fields.map(({ name }: { name: string }) => name)).toContain('first_name');
  const mapping = [
    { column: 'Vorname', action: 'map', field: 'first_name' },
    { column: 'Firma', action: 'ignore' },
    {
      column: 'Stufe',
      action: 'new_field',
      new_field_name: 'tier',
      new_field_label: 'Tier',
      new_field_type: 'SELECT',
      enum_options: ['Gold', 'Silver'],
    },
  ];
  const options = { duplicate_strategy: 'create', default_values: { job_title: 'Guest' } };
  const chosen = { import_job_id, mapping, import_options: JSON.stringify(options) };
  const preview = (await imports(ada, { action: 'preview', ...chosen })).json;
  expect(preview).toMatchObject({
    created: 2,
    effective_mapping: expect.any(Array),
    sample_rows: expect.any(Array),
    column_diagnostics: expect.any(Array),
    duplicates: expect.anything(),
  });
  expect((await ada.ask('crm_find_records', { object_name: 'contacts' })).total).toBe(0);
  const done = (await imports(ada, { action: 'execute', ...chosen, create_list_name: 'Guests' })).json;
  expect(done).toMatchObject({
    mode: 'completed',
    created: 2,
    updated: 0,
    skipped: 0,
    failed: 0,
    new_fields: ['tier'],
  });
  expect(done.created_list).toMatchObject({ name: 'Guests' });
  const { data } = await ada.ask('crm_find_records', {
    object_name: 'contacts',
    fields: ['first_name', 'tier', 'job_title'],
    sort_by: 'first_name',
    sort_dir: 'asc',
  });
  expect(data).toMatchObject([{ first_name: 'Anna', job_title: 'Guest' }, { first_name: 'Bob' }]);
  expect((await imports(ada, { action: 'status', import_job_id })).json).toMatchObject({ status: 'completed' });
  const wrong = { action: 'preview', import_job_id, import_options: { duplicate_strategy: 'update' } };
  expect((await imports(ada, wrong)).code).toMatch(/^(CONFLICT|MISSING_REQUIRED_FIELD|VALIDATION_ERROR)$/);
});

it('CIR-12, CIR-17, CIR-18: tells the options that fields lack, and adds them when asked', async () => {
  const data = 'name,industry\nAcme,Tea Trade\nBosch,Tea Trade\n';
  const { import_job_id } = (await imports(ada, { action: 'analyze', object_name: 'companies', data, format: 'csv' }))
    .json;
  const chosen = { import_job_id, import_options: { add_options: true } };
  const { missing_options } = (await imports(ada, { action: 'preview', ...chosen })).json;
  expect(missing_options).toEqual([
    { column: 'industry', field: 'industry', options: [{ label: 'Tea Trade', rows: 2 }], adds: true },
  ]);
  const done = (await imports(ada, { action: 'execute', ...chosen })).json;
  expect(done).toMatchObject({ created: 2, warnings: 0, enum_options: { industry: ['Tea Trade'] } });
});

it('PSL-12: 2,000 rows are in when the call is answered', async () => {
  const data = `first_name\n${Array.from({ length: 2_000 }, (_, at) => `Guest ${at}\n`).join('')}`;
  const { import_job_id } = (await imports(ada, { action: 'analyze', object_name: 'contacts', data, format: 'csv' }))
    .json;
  const done = (await imports(ada, { action: 'execute', import_job_id })).json;
  expect(done).toMatchObject({ created: 2_000, failed: 0 });
  expect(done.mode).not.toBe('queued');
});

it('CIR-07, CIR-19: queues more than 2,000 rows, without lists', async () => {
  const data = `first_name\n${Array.from({ length: 2_001 }, (_, at) => `Guest ${at}\n`).join('')}`;
  const { import_job_id } = (await imports(ada, { action: 'analyze', object_name: 'contacts', data, format: 'csv' }))
    .json;
  const queued = (await imports(ada, { action: 'execute', import_job_id, create_list_name: 'Many' })).json;
  expect(queued).toMatchObject({ mode: 'queued', lists_note: expect.any(String) });
  expect((await imports(ada, { action: 'status', import_job_id })).json).toMatchObject({
    status: 'queued',
    rows: 2_001,
  });
  expect((await imports(ada, { action: 'cancel', import_job_id })).json).toMatchObject({ status: 'cancelled' });
});
