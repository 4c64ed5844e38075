/** [spec: Import job (tool `crm_import_records`), crm_import_records] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweep } from '../../src/operations/background/sweep.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, list } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith({ KITH_JOBS: 'on' });
  organization = await kith.organization({ adminName: 'Ada Admin', currency: 'EUR' });
  admin = organization.admin;
});
afterAll(() => kith.stop());

async function analyzed(object: string, data: unknown, more: object = {}): Promise<Reply['json']> {
  const reply = await admin.post('/import-jobs', { object_name: object, data, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.json;
}

/** A request whose body is the file itself. */
function send(path: string, body: Uint8Array | string, type: string): Promise<Response> {
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': type };
  return fetch(`${kith.url}/api/v1${path}`, { method: 'POST', headers, body });
}

async function act(id: string, action: 'preview' | 'execute' | 'cancel', body: object = {}): Promise<Reply['json']> {
  const reply = await admin.post(`/import-jobs/${id}/${action}`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

const nobody = 'a contact needs a name, an e-mail address or a phone number';
const google = `First Name,Last Name,Organization Name,Organization Title,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - City
Grace,Hopper,Eckert Mauchly,Admiral,* myContacts ::: VIP,* Work,grace@navy.test,Home,grace@home.test,Mobile,+1 555 0100,Arlington
Alan,Turing,,,* myContacts,,,,,,,
,,,,* myContacts,,,,,,,Nowhere
`;

describe('an import', () => {
  it('CIR-16, CIR-17, CIR-18: proposes a mapping, shows what it would do, does that, and is taken back', async () => {
    const job = await analyzed('contacts', google, { format: 'csv', file_name: 'exports/google.csv' });
    expect(job).toMatchObject({ status: 'analyzed', object_name: 'contacts', source: 'google_contacts', rows: 3 });
    const of = (name: string) => job.columns.find((column: { column: string }) => column.column === name);
    expect(of('E-mail 1 - Value')).toMatchObject({
      suggestion: { action: 'map', field: 'emails' },
      confidence: 0.98,
      sample_values: ['grace@navy.test'],
    });
    expect(job.target_fields).toContainEqual({ name: 'emails', label: 'Emails', type: 'EMAILS', required: false });

    const preview = await act(job.import_job_id, 'preview');
    expect(preview).toMatchObject({ created: 2, updated: 0, skipped: 0, failed: 1, records_made: { companies: 1 } });
    expect(preview.problems).toEqual([{ message: nobody, count: 1, first: nobody, rows: [2] }]);
    expect(preview.sample_rows[0].values.emails).toEqual([
      { email: 'grace@navy.test', label: 'work' },
      { email: 'grace@home.test', label: 'home' },
    ]);
    expect(await list(admin, 'contacts')).toEqual([]);
    expect((await admin.get(`/import-jobs/${job.import_job_id}`)).json).toMatchObject({
      status: 'previewed',
      preview: { preview_hash: preview.preview_hash },
    });

    const done = await act(job.import_job_id, 'execute', { preview_hash: preview.preview_hash });
    expect(done).toMatchObject({ mode: 'completed', status: 'completed_with_errors', created: 2, failed: 1 });
    const contacts = await list(admin, 'contacts');
    const grace = contacts.find(({ first_name: name }) => name === 'Grace');
    expect(grace).toMatchObject({
      tags: ['vip'],
      company_id_display: 'Eckert Mauchly',
      address: { city: 'Arlington' },
    });

    const failed = await admin.get(`/import-jobs/${job.import_job_id}/failed-rows`);
    expect(failed.text.split('\r\n')[1]).toBe(
      ',,,,* myContacts,,,,,,,Nowhere,"a contact needs a name, an e-mail address or a phone number"',
    );
    expect((await admin.get(`/change-sets/${done.change_set}`)).json).toMatchObject({
      change_set: { means: 'import', agent: 'google.csv' },
    });
    const undone = await admin.post('/undo', { change_set: done.change_set });
    expect(undone.json, undone.text).toMatchObject({ undone: 3, left_count: 0 });
    expect(await list(admin, 'contacts')).toEqual([]);
    expect(await list(admin, 'companies')).toEqual([]);
  });

  it('CIR-14, CIR-15: updates what is there, field by field, and skips it; sets grow, rows alike are one record', async () => {
    await create(admin, 'contacts', { first_name: 'Ada', emails: ['ada@x.test'], phones: ['+1 555 0101'] });
    const csv = 'email,job title,phone\nada@x.test,Countess,+1 555 0102\nnew@x.test,Clerk,\nNEW@x.test,Chief,\n';
    const job = await analyzed('contacts', csv, { format: 'csv' });
    const options = {
      duplicate_strategy: 'update',
      duplicate_fields: ['emails'],
      default_values: { last_name: 'Doe' },
    };
    const preview = await act(job.import_job_id, 'preview', { import_options: options });
    expect(preview).toMatchObject({ created: 1, updated: 2, skipped: 0, failed: 0 });
    expect(preview.changes[0].fields.job_title).toEqual({ before: null, after: 'Countess' });
    await act(job.import_job_id, 'execute');
    const contacts = await list(admin, 'contacts');
    const named = (email: string) => contacts.find(({ emails }) => (emails as { email: string }[])[0]?.email === email);
    expect(named('ada@x.test')).toMatchObject({
      job_title: 'Countess',
      phones: [
        { phone: '+1 555 0101', is_primary: true },
        { phone: '+1 555 0102', is_primary: false },
      ],
    });
    expect(named('new@x.test')).toMatchObject({ job_title: 'Chief', last_name: 'Doe' });
    const again = await analyzed('contacts', csv, { format: 'csv' });
    const skip = { duplicate_strategy: 'skip', duplicate_fields: ['emails'] };
    expect(await act(again.import_job_id, 'execute', { import_options: skip })).toMatchObject({
      created: 0,
      skipped: 3,
    });
  });

  it('says what has moved since the preview, and does nothing then', async () => {
    const job = await analyzed('companies', [{ name: 'Moving', domain: 'moving.test' }]);
    const options = { duplicate_strategy: 'skip', duplicate_fields: ['domain'] };
    const preview = await act(job.import_job_id, 'preview', { import_options: options });
    const { id } = await create(admin, 'companies', { name: 'Other', domain: 'moving.test' });
    const reply = await admin.post(`/import-jobs/${job.import_job_id}/execute`, { preview_hash: preview.preview_hash });
    expectError(reply, 'CONFLICT');
    expect(reply.json.message).toMatch(/row 1 was to be created, and would be skipped/);
    const done = await act(job.import_job_id, 'execute');
    expect(done).toMatchObject({ skipped: 1, moved: [{ index: 0, previewed: 'created', now: 'skipped' }] });
    await admin.delete(`/records/companies/${id}`);
  });

  it('leaves a field empty whose cell it cannot take, with a warning; a required one fails its row', async () => {
    const csv =
      'name,employees,industry,domain\nGood,12,software,a.test\nOdd,many,wizardry,b.test\n,5,software,c.test\n';
    const job = await analyzed('companies', csv, { format: 'csv' });
    const done = await act(job.import_job_id, 'execute');
    expect(done).toMatchObject({ created: 2, failed: 1, warnings: 2 });
    expect(done.notes.map(({ message }: { message: string }) => message).join()).toMatch(/employees.*industry/);
    const [odd] = (await list(admin, 'companies')).filter(({ name }) => name === 'Odd');
    expect(odd).toMatchObject({ employees: null, industry: null, domain: 'b.test' });
    const strict = await analyzed('companies', csv, { format: 'csv' });
    expect(await act(strict.import_job_id, 'execute', { import_options: { bad_cells: 'fail' } })).toMatchObject({
      created: 1,
      failed: 2,
    });
  });

  it('fails the row of a cell that names nothing, also beside columns that are guessed', async () => {
    const csv = 'company_id,Vorname,Geburtstag\nNowhere,Eva,1990-01-31\n';
    const direct = await send('/import/contacts', csv, 'text/csv');
    expect(await direct.json()).toMatchObject({
      created: 0,
      failed: 1,
      errors: [{ index: 0, error: expect.stringContaining('company_id names no record') }],
    });
    const job = await analyzed('contacts', csv, { format: 'csv' });
    const strict = await act(job.import_job_id, 'preview', { import_options: { bad_cells: 'fail' } });
    expect(strict).toMatchObject({ created: 0, failed: 1, problems: [{ message: 'company_id names no record' }] });
    const lenient = await act(job.import_job_id, 'preview', { import_options: { bad_cells: 'empty' } });
    expect(lenient).toMatchObject({ created: 1, failed: 0, notes: [{ message: 'company_id names no record' }] });
  });

  it('leaves a guessed column empty, with a word; one that somebody has said fails its row', async () => {
    const csv = 'Vorname,Firma\nEva,Nowhere\n';
    const direct = await send('/import/contacts', csv, 'text/csv');
    expect(await direct.json()).toMatchObject({ created: 1, failed: 0 });
    expect(direct.headers.get('warning')).toMatch(/1 cell was left empty.*company_id names no record/);
    const job = await analyzed('contacts', csv, { format: 'csv' });
    const import_options = { bad_cells: 'fail' };
    expect(await act(job.import_job_id, 'preview', { import_options })).toMatchObject({ created: 1, warnings: 1 });
    const mapping = [{ column: 'Firma', action: 'map', field: 'company_id' }];
    const said = await act(job.import_job_id, 'preview', { mapping, import_options });
    expect(said).toMatchObject({ created: 0, failed: 1, problems: [{ message: 'company_id names no record' }] });
    const done = await act(job.import_job_id, 'execute');
    expect(done).toMatchObject({ created: 0, failed: 1, problems: [{ message: 'company_id names no record' }] });
  });

  it('CIR-10, CIR-12: makes the fields that are asked for, with their options, in the same execute', async () => {
    const csv = `name,Tier,Score\n${Array.from({ length: 24 }, (_, at) => `T${at},${at % 2 ? 'Gold' : 'Silver'},"1.234,${at}"`).join('\n')}\n`;
    const job = await analyzed('companies', csv, { format: 'csv' });
    const of = (name: string) => job.columns.find((column: { column: string }) => column.column === name);
    expect(of('Tier')).toMatchObject({ suggestion: { action: 'ignore' }, could_be: { new_field_type: 'SELECT' } });
    const mapping = [of('Tier').could_be, of('Score').could_be];
    expect(await act(job.import_job_id, 'preview', { mapping })).toMatchObject({ new_fields: ['tier', 'score'] });
    const done = await act(job.import_job_id, 'execute', { mapping });
    expect(done).toMatchObject({ created: 24, warnings: 0, new_fields: ['tier', 'score'] });
    const [one] = (await list(admin, 'companies', { search: 'T3' })).filter(({ name }) => name === 'T3');
    expect(one).toMatchObject({ tier: 'gold', score: 1234.3 });
  });

  it('CIR-12: makes one option of labels that differ in case, and tells values alike apart', async () => {
    const job = await analyzed('companies', [
      { name: 'H1', heat: 'Hot', mood: '???' },
      { name: 'H2', heat: 'hot', mood: '!!!' },
    ]);
    const select = (column: string, new_field_name: string, enum_options: string[]) => ({
      column,
      action: 'new_field',
      new_field_name,
      new_field_type: 'SELECT',
      enum_options,
    });
    const twice = [select('heat', 'heat', ['Hot']), select('mood', 'heat', ['???'])];
    const refused = await admin.post(`/import-jobs/${job.import_job_id}/preview`, { mapping: twice });
    expectError(refused, 'VALIDATION_ERROR');
    expect(refused.json.message).toBe('The columns "heat" and "mood" have the same new_field_name "heat"');
    const mapping = [select('heat', 'heat', ['Hot', 'hot']), select('mood', 'mood', ['???', '!!!'])];
    const done = await act(job.import_job_id, 'execute', { mapping });
    expect(done).toMatchObject({ created: 2, warnings: 0, enum_options: { heat: ['Hot'], mood: ['???', '!!!'] } });
    const companies = (await list(admin, 'companies')).filter(({ heat }) => heat !== null);
    expect(companies.map(({ name, heat, mood }) => [name, heat, mood])).toEqual(
      expect.arrayContaining([
        ['H1', 'hot', 'other'],
        ['H2', 'hot', 'other_2'],
      ]),
    );
  });

  it('tells a name of ten million characters shortened', async () => {
    const long = 'x'.repeat(10_000_000);
    const job = await analyzed('contacts', [{ first_name: 'Eva', company_id: long }]);
    const preview = await act(job.import_job_id, 'preview', { import_options: { bad_cells: 'fail' } });
    const first = `company_id names no record: "${'x'.repeat(80)}…"`;
    expect(preview).toMatchObject({
      created: 0,
      failed: 1,
      problems: [{ message: 'company_id names no record', first }],
    });
  });

  it('has failed when its job is not there any more: says so, cannot be executed, and is swept', async () => {
    const job = await analyzed('companies', [{ name: 'Lost' }]);
    const { database } = kith.database;
    const { id, schema } = organization;
    const table = identifier(schema, '_import_jobs');
    await database.run(
      id,
      statement(sql`update ${table} set status = 'running', job_id = ${job.import_job_id}::uuid
        where id = ${job.import_job_id}::uuid`),
    );
    const told = async () => (await admin.get(`/import-jobs/${job.import_job_id}`)).json;
    expect(await told()).toMatchObject({ status: 'failed', finished_at: expect.any(String) });
    for (const action of ['execute', 'cancel']) {
      const reply = await admin.post(`/import-jobs/${job.import_job_id}/${action}`, {});
      expectError(reply, 'CONFLICT');
      expect(reply.json.message).toMatch(/^The import is failed/);
    }
    const twoDays = 2 * 86_400_000;
    await sweep(database, organization, Date.now() + twoDays, new AbortController().signal);
    const { rows } = await database.run(
      id,
      statement(sql`select status, error, finished_at is not null, has_rows from ${table}
        where id = ${job.import_job_id}::uuid`),
    );
    expect(rows).toEqual([['failed', expect.stringMatching(/ended before/), 't', 'f']]);
  });

  it('CIR-13: finds related records by any field, makes those that are missing when asked, and names ambiguous ones', async () => {
    await create(admin, 'companies', { name: 'Found', domain: 'found.test' });
    for (const name of ['Twin A', 'Twin B']) await create(admin, 'companies', { name, domain: 'twin.test' });
    const rows = ['found.test', 'twin.test', 'lost.test'].map((site, at) => ({ first_name: `R${at}`, site }));
    const relation = {
      column: 'site',
      action: 'relation',
      target_object: 'companies',
      lookup_field: 'domain',
      relation_type: 'BELONGS_TO_ONE',
    };
    const job = await analyzed('contacts', rows);
    const done = await act(job.import_job_id, 'execute', { mapping: [relation] });
    expect(done).toMatchObject({ created: 3, warnings: 2, records_made: {} });
    expect(done.notes.map((note: { message: string; example: string }) => [note.message, note.example])).toEqual([
      ['company_id names several records', '"twin.test"'],
      ['company_id names no record', '"lost.test"'],
    ]);
    const made = await analyzed('contacts', rows.slice(2));
    expect(
      await act(made.import_job_id, 'execute', {
        mapping: [{ column: 'site', action: 'map', field: 'company_id.domain', create_missing: true }],
      }),
    ).toMatchObject({ created: 1, warnings: 0, records_made: { companies: 1 } });
  });

  it('asks how dates are written that can be read in several ways', async () => {
    const job = await analyzed('contacts', 'First name,Birthday\nA,03/04/1990\nB,05/06/1991\n', { format: 'csv' });
    expect(job.columns[1].questions).toEqual([{ kind: 'date_format', options: ['DMY', 'MDY'], example: '03/04/1990' }]);
    const reply = await admin.post(`/import-jobs/${job.import_job_id}/preview`, {});
    expectError(reply, 'VALIDATION_ERROR');
    const mapping = [{ column: 'Birthday', action: 'map', field: 'birthday', date_format: 'DMY' }];
    const preview = await act(job.import_job_id, 'preview', { mapping });
    expect(preview.sample_rows[0].values.birthday).toBe('1990-04-03');
  });

  it('IJ-03, CIR-19: more than 2,000 rows are a job, of which each row has one fate', async () => {
    const rows = Array.from({ length: 2_101 }, (_, at) => (at % 100 === 7 ? `,${at}` : `Many ${at},${at}`));
    const job = await analyzed('companies', `name,employees\n${rows.join('\n')}\n`, { format: 'csv' });
    const queued = await act(job.import_job_id, 'execute', { create_list_name: 'Not made' });
    expect(queued).toMatchObject({ mode: 'queued', status: 'queued', lists_note: expect.any(String) });
    const status = async () => (await admin.get(`/import-jobs/${job.import_job_id}`)).json;
    await expect
      .poll(async () => (await status()).status, { timeout: 25_000, interval: 20 })
      .toBe('completed_with_errors');
    expect(await status()).toMatchObject({
      done: 2_101,
      outcome: { created: 2_080, updated: 0, skipped: 0, failed: 21 },
    });
    const again = await admin.post(`/import-jobs/${job.import_job_id}/execute`, {});
    expectError(again, 'CONFLICT');
    expect((await admin.post('/undo', { change_set: queued.change_set })).json).toMatchObject({ undone: 2_080 });
  });

  it('is cancelled: the rows that are not in are skipped', async () => {
    const job = await analyzed('companies', [{ name: 'Never' }]);
    expect(await act(job.import_job_id, 'cancel')).toMatchObject({
      status: 'cancelled',
      outcome: { skipped: 1, created: 0 },
    });
    expectError(await admin.post(`/import-jobs/${job.import_job_id}/execute`, {}), 'CONFLICT');
  });

  it('takes the file itself as the body, of an import that is reviewed and of the specified one', async () => {
    const csv = Buffer.from('\ufeffName;Mitarbeiter;Umsatz\r\nMüller;1.200;"1.234,50 €"\r\n', 'utf16le');
    const reply = await send('/import-jobs?object_name=companies', csv, 'text/csv');
    const job = (await reply.json()) as { import_job_id: string };
    expect(job, JSON.stringify(job)).toMatchObject({ rows: 1, format: 'csv', status: 'analyzed' });
    expect((await act(job.import_job_id, 'preview')).sample_rows[0].values).toEqual({
      name: 'Müller',
      employees: '1200',
      annual_revenue: '1234.50 EUR',
    });
    const direct = await send(
      '/import/companies',
      'Name,Mitarbeiter\nDirect,5\n,6\nRagged,1,2\n',
      'text/csv; charset=utf-8',
    );
    expect(await direct.json()).toMatchObject({ created: 1, failed: 2, errors: [{ index: 1 }, { index: 2 }] });
    expect((await send('/records/companies', 'name\nx\n', 'text/csv')).status).toBe(400);
  });

  it('refuses what is no table, by its kind, and mappings that cannot be', async () => {
    const refused: [data: unknown, message: RegExp][] = [
      ['<!DOCTYPE html><html></html>', /web page/],
      ['%PDF-1.7', /PDF/],
      ['', /data/],
      ['name\n', /no rows/],
    ];
    for (const [data, message] of refused) {
      const reply = await admin.post('/import-jobs', { object_name: 'contacts', data });
      expect([reply.status, reply.json.message]).toEqual([400, expect.stringMatching(message)]);
    }
    const job = await analyzed('companies', [{ name: 'x', y: 1 }]);
    const wrong: [object, string][] = [
      [{ mapping: [{ column: 'z', action: 'ignore' }] }, 'VALIDATION_ERROR'],
      [{ mapping: [{ column: 'y', action: 'map', field: 'created_at' }] }, 'VALIDATION_ERROR'],
      [{ import_options: { duplicate_strategy: 'update' } }, 'MISSING_REQUIRED_FIELD'],
      [{ import_options: { duplicate_strategy: 'skip', duplicate_fields: ['nope'] } }, 'INVALID_FIELD'],
    ];
    for (const [body, code] of wrong)
      expectError(await admin.post(`/import-jobs/${job.import_job_id}/preview`, body), code);
  });
});
