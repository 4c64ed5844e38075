/** What an import makes before its rows come in, and files that are linked by the ids of their source. [spec: crm_import_records] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { randomFrom } from '../query/random.ts';
import { expectError, list } from './records.ts';

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization({ currency: 'EUR' }));
});
afterAll(() => kith.stop());

async function analyzed(object: string, data: unknown): Promise<Reply['json']> {
  const format = typeof data === 'string' ? 'csv' : 'json';
  const reply = await admin.post('/import-jobs', { object_name: object, data, format });
  expect(reply.status, reply.text).toBe(201);
  return reply.json;
}

async function act(id: string, action: 'preview' | 'execute', body: object = {}): Promise<Reply['json']> {
  const reply = await admin.post(`/import-jobs/${id}/${action}`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

const columnOf = (job: Reply['json'], name: string) =>
  job.columns.find(({ column }: { column: string }) => column === name);

async function optionsOf(object: string, field: string): Promise<string[]> {
  const { json } = await admin.get(`/schema/${object}`);
  const found = json.fields.find(({ name }: { name: string }) => name === field);
  return found.options.map(({ value }: { value: string }) => value);
}

describe('options that a field lacks', () => {
  const csv = [
    'name,industry,domain',
    'A,Tea Trade,a.test',
    'B,tea trade,b.test',
    'C,software,c.test',
    'D,Wizardry!,d.test',
    '',
  ].join('\n');

  it('CIR-16 to 18: are named with their rows, tried and added when asked, and stay when the records are taken back', async () => {
    const job = await analyzed('companies', csv);
    const missing = [
      { label: 'Tea Trade', rows: 2 },
      { label: 'Wizardry!', rows: 1 },
    ];
    expect(columnOf(job, 'industry')).toMatchObject({ missing_options: missing });
    expect(columnOf(job, 'name').missing_options).toBeUndefined();
    const before = await optionsOf('companies', 'industry');
    const plain = await act(job.import_job_id, 'preview');
    expect(plain).toMatchObject({ created: 4, warnings: 3 });
    expect(plain.missing_options).toEqual([{ column: 'industry', field: 'industry', options: missing, adds: false }]);

    const asked = { import_options: { add_options: true, bad_cells: 'fail' } };
    const preview = await act(job.import_job_id, 'preview', asked);
    expect(preview).toMatchObject({ created: 4, failed: 0, warnings: 0, missing_options: [{ adds: true }] });
    expect(await optionsOf('companies', 'industry')).toEqual(before);
    const tried = await admin.post(`/import-jobs/${job.import_job_id}/execute?dry_run=true`, {});
    expectError(tried, 'NOT_SUPPORTED');

    const done = await act(job.import_job_id, 'execute', { preview_hash: preview.preview_hash });
    expect(done).toMatchObject({
      created: 4,
      failed: 0,
      warnings: 0,
      enum_options: { industry: ['Tea Trade', 'Wizardry!'] },
    });
    expect(await optionsOf('companies', 'industry')).toEqual([...before, 'tea_trade', 'wizardry']);
    const industries = new Map((await list(admin, 'companies')).map(({ name, industry }) => [name, industry]));
    expect(industries).toEqual(
      new Map([
        ['A', 'tea_trade'],
        ['B', 'tea_trade'],
        ['C', 'software'],
        ['D', 'wizardry'],
      ]),
    );
    expect((await admin.post('/undo', { change_set: done.change_set })).json).toMatchObject({ undone: 4 });
    expect(await optionsOf('companies', 'industry')).toEqual([...before, 'tea_trade', 'wizardry']);
  });

  it('are added for one column alone, of a list of them too, beside a new field in the same step', async () => {
    const job = await analyzed('contacts', 'first_name,tags,Team\nEva,VIP; Boss; Gold,Red\nIda,boss,Blue\n');
    expect(columnOf(job, 'tags').missing_options).toEqual([
      { label: 'Boss', rows: 2 },
      { label: 'Gold', rows: 1 },
    ]);
    const mapping = [
      { column: 'tags', action: 'map', field: 'tags', add_options: true },
      { ...columnOf(job, 'Team').could_be, new_field_type: 'SELECT', enum_options: ['Red', 'Blue'] },
    ];
    const done = await act(job.import_job_id, 'execute', { mapping });
    expect(done).toMatchObject({
      created: 2,
      warnings: 0,
      new_fields: ['team'],
      enum_options: { team: ['Red', 'Blue'], tags: ['Boss', 'Gold'] },
    });
    const [eva] = (await list(admin, 'contacts')).filter(({ first_name: name }) => name === 'Eva');
    expect(eva).toMatchObject({ tags: ['vip', 'boss', 'gold'], team: 'red' });
  });

  it.each([1, 2, 3, 4])('are such that each cell means the one of its own name: seed %i', async (seed) => {
    const random = randomFrom(seed);
    const signs = ['a', 'a', 'A', 'b', '-', ' ', '_', '_', 'é', 'Б'];
    const cells = Array.from({ length: 90 }, () =>
      Array.from({ length: 1 + random.below(4) }, () => random.pick(signs))
        .join('')
        .trim(),
    ).filter((cell) => cell !== '' && !cell.includes('  '));
    const lines = cells.map((cell, at) => `S${seed} ${at},${cell}`);
    const job = await analyzed('companies', `name,industry\n${lines.join('\n')}\n`);
    const there = new Set(await optionsOf('companies', 'industry'));
    const asked = { import_options: { add_options: true, bad_cells: 'fail' } };
    const preview = await act(job.import_job_id, 'preview', asked);
    expect(preview).toMatchObject({ created: cells.length, failed: 0 });
    const done = await act(job.import_job_id, 'execute', { preview_hash: preview.preview_hash });
    expect(done).toMatchObject({ created: cells.length, failed: 0, warnings: 0 });
    const { json: schema } = await admin.get('/schema/companies');
    const { options } = schema.fields.find(({ name }: { name: string }) => name === 'industry');
    const labels = new Map(options.map(({ value, label }: { value: string; label: string }) => [value, label]));
    const made = new Map(
      (await list(admin, 'companies', { search: `S${seed}` })).map((one) => [one['name'], one['industry']]),
    );
    for (const [at, cell] of cells.entries()) {
      const value = String(made.get(`S${seed} ${at}`));
      const label = String(labels.get(value)).toLowerCase();
      expect(there.has(value) ? [value, label] : [label], cell).toContain(cell.toLowerCase());
    }
    await admin.post('/undo', { change_set: done.change_set });
  });

  it('reads options between commas, and one that has a comma itself', async () => {
    const job = await analyzed(
      'contacts',
      'first_name,tags\nEva,"VIP, Chief"\nIda,"press, partner"\nUma,"Smith, Jones"\n',
    );
    expect(columnOf(job, 'tags').missing_options).toEqual([
      { label: 'Chief', rows: 1 },
      { label: 'Smith, Jones', rows: 1 },
    ]);
  });

  it('are not those of rows that are left out', async () => {
    const rows = ['001,false,Sail,Main St 1,Yachts', '002,true,Gone,Side St 2,Gone Trade'];
    const job = await analyzed('companies', `Id,IsDeleted,Name,BillingStreet,Industry\n${rows.join('\n')}\n`);
    expect(columnOf(job, 'Industry').missing_options).toEqual([{ label: 'Yachts', rows: 1 }]);
  });

  it('are none of a column whose cells are numbers or long texts', async () => {
    const long = 'word '.repeat(30);
    const text = await analyzed('companies', `name,industry\nA,${long}\n`);
    expect(columnOf(text, 'industry').missing_options).toBeUndefined();
    const reply = await admin.post('/import-jobs', { object_name: 'companies', data: [{ name: 'A', industry: 5 }] });
    expect(columnOf(reply.json, 'industry').missing_options).toBeUndefined();
  });
});

describe('files that are linked by the ids of their source', () => {
  const companies = 'Record ID,Company name,Company Domain Name\n901,Globex,globex.test\n902,Initech,initech.test\n';
  const contacts = [
    'Record ID,First Name,Last Name,Email,Associated Company,Associated Company IDs',
    '11,Eva,Maier,eva@x.test,Other Name,901',
    '12,Ida,Roth,ida@x.test,Initech;Globex,902;901',
    '13,Bo,Li,bo@x.test,Gone,999',
    '',
  ].join('\n');
  const deals = [
    'Record ID,Deal Name,Deal Stage,Associated Company IDs,Associated Contact IDs',
    '71,Big,Won,901,11;12',
    '72,Small,Won,902,12',
    '',
  ].join('\n');

  it('a field is offered for the ids; what has the ids of others links to them, and comes again as an update', async () => {
    const early = await analyzed('contacts', contacts);
    expect(early.warnings).toEqual([
      '"Associated Company IDs" has ids of companies, which have no hubspot_id: import their file first, and keep their ids',
    ]);
    expect(columnOf(early, 'Associated Company').suggestion).toMatchObject({ field: 'company_id' });

    const first = await analyzed('companies', companies);
    const { suggestion, could_be: offered } = columnOf(first, 'Record ID');
    expect([suggestion.action, offered]).toEqual([
      'ignore',
      {
        column: 'Record ID',
        action: 'new_field',
        new_field_name: 'hubspot_id',
        new_field_label: 'HubSpot id',
        new_field_type: 'TEXT',
        new_field_unique: true,
      },
    ]);
    const options = { duplicate_strategy: 'update', duplicate_fields: ['hubspot_id'] };
    const made = await act(first.import_job_id, 'execute', { mapping: [offered], import_options: options });
    expect(made).toMatchObject({ created: 2, new_fields: ['hubspot_id'] });

    const second = await analyzed('contacts', contacts);
    expect(columnOf(second, 'Associated Company IDs').suggestion).toMatchObject({ field: 'company_id.hubspot_id' });
    expect(columnOf(second, 'Associated Company').suggestion).toMatchObject({ action: 'ignore' });
    expect([second.warnings, second.suggested_options]).toEqual([[], undefined]);
    const mapping = [columnOf(second, 'Record ID').could_be];
    const people = await act(second.import_job_id, 'execute', { mapping, import_options: options });
    expect(people).toMatchObject({
      created: 3,
      warnings: 1,
      records_made: {},
      notes: [{ message: 'company_id names no record', example: '"999"', rows: [2] }],
    });
    const companyOf = (await list(admin, 'contacts')).map((one) => [one['hubspot_id'], one['company_id_display']]);
    expect(companyOf).toEqual(
      expect.arrayContaining([
        ['11', 'Globex'],
        ['12', 'Initech'],
        ['13', null],
      ]),
    );

    const third = await analyzed('opportunities', deals);
    const sold = await act(third.import_job_id, 'execute', { mapping: [columnOf(third, 'Record ID').could_be] });
    expect(sold).toMatchObject({ created: 2, warnings: 0, many_to_many: ['contacts'] });
    const [big] = (await list(admin, 'opportunities')).filter(({ name }) => name === 'Big');
    expect(big).toMatchObject({ company_id_display: 'Globex', hubspot_id: '71' });
    expect(big?.['contacts']).toHaveLength(2);
    expect(big?.['contacts']).toEqual(
      expect.arrayContaining(['Eva Maier', 'Ida Roth'].map((display) => expect.objectContaining({ display }))),
    );

    for (const [object, data, count] of [
      ['companies', companies.replace('Globex', 'Globex AG'), 2],
      ['contacts', contacts, 3],
      ['opportunities', deals, 2],
    ] as const) {
      const again = await analyzed(object, data);
      expect(again.suggested_options).toEqual(options);
      const done = await act(again.import_job_id, 'execute', { import_options: again.suggested_options });
      expect(done, object).toMatchObject({ created: 0, updated: count, failed: 0 });
    }
    expect((await list(admin, 'companies', { search: 'Globex AG' })).length).toBe(1);
    const undone = await admin.post('/undo', { change_set: people.change_set });
    expect(undone.status, undone.text).toBe(200);
    expect((await analyzed('contacts', contacts)).suggested_options).toEqual(options);
  });

  it('an id that two rows have is refused, or the one record of both', async () => {
    const job = await analyzed('companies', 'Record ID,Company name,Company Domain Name\n950,One,\n950,Two,\n');
    const refused = await act(job.import_job_id, 'preview');
    expect(refused).toMatchObject({ created: 1, failed: 1, duplicates: { refused: 1 } });
    const done = await act(job.import_job_id, 'execute', { import_options: job.suggested_options });
    expect(done).toMatchObject({ created: 1, updated: 1, failed: 0 });
  });

  it('Pipedrive and Salesforce have their own ids, which Salesforce writes in two ways', async () => {
    const id = '001x0000002xLCV';
    const files: [object: string, csv: string, column: string, field: string][] = [
      ['companies', 'Organization - ID,Organization - Name\n5,Acme\n', 'Organization - ID', 'pipedrive_id'],
      ['companies', `Id,Name,BillingStreet\n${id},Umbrella,Main St 1\n`, 'Id', 'salesforce_id'],
    ];
    for (const [object, csv, column, field] of files) {
      const job = await analyzed(object, csv);
      const { could_be: offered } = columnOf(job, column);
      expect(offered).toMatchObject({ new_field_name: field, new_field_unique: true });
      expect(await act(job.import_job_id, 'execute', { mapping: [offered] })).toMatchObject({ created: 1 });
    }
    const people = await analyzed(
      'contacts',
      'Person - ID,Person - Name,Person - Organization,Organization - ID\n6,Anna Adams,Wrong,5\n',
    );
    expect(await act(people.import_job_id, 'execute')).toMatchObject({ created: 1, warnings: 0 });
    const sold = await analyzed(
      'opportunities',
      `Id,Name,StageName,CloseDate,AccountId\n006x0000001YtCr,Deal of Umbrella,Won,2024-01-31,${id}AA2\n`,
    );
    expect(await act(sold.import_job_id, 'execute')).toMatchObject({ created: 1, warnings: 0 });
    const companyOf = async (object: string, search: string) => (await list(admin, object, { search }))[0];
    expect(await companyOf('contacts', 'Adams')).toMatchObject({ company_id_display: 'Acme' });
    expect(await companyOf('opportunities', 'Umbrella')).toMatchObject({ company_id_display: 'Umbrella' });
  });

  it('link nothing, and tell no record, where the field of their name is of a type that cannot', async () => {
    const { admin: other } = await kith.organization();
    const data = (await other.post('/import-jobs', { object_name: 'companies', data: companies, format: 'csv' })).json;
    const offered = { ...columnOf(data, 'Record ID').could_be, new_field_type: 'LONG_TEXT', new_field_unique: false };
    const made = await other.post(`/import-jobs/${data.import_job_id}/execute`, { mapping: [offered] });
    expect(made.json, made.text).toMatchObject({ created: 2, new_fields: ['hubspot_id'] });
    const again = await other.post('/import-jobs', { object_name: 'companies', data: companies, format: 'csv' });
    expect(columnOf(again.json, 'Record ID').suggestion).toMatchObject({ field: 'hubspot_id' });
    expect(again.json.suggested_options).toBeUndefined();
    const people = await other.post('/import-jobs', { object_name: 'contacts', data: contacts, format: 'csv' });
    expect(columnOf(people.json, 'Associated Company').suggestion).toMatchObject({ field: 'company_id' });
    const done = await other.post(`/import-jobs/${people.json.import_job_id}/execute`);
    expect(done.json, done.text).toMatchObject({ created: 3, failed: 0 });
  });

  it('also where they are numbers in JSON, one or several', async () => {
    const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const companies = await analyzed('companies', [{ 'Record ID': 980, 'Company name': 'Numbers Ltd' }]);
    expect(await act(companies.import_job_id, 'execute')).toMatchObject({ created: 1, warnings: 0 });
    const people = [981, 982].map((id) => ({ 'Record ID': id, 'First Name': `N${id}`, Email: `n${id}@x.test` }));
    const contacts = await analyzed('contacts', people);
    expect(await act(contacts.import_job_id, 'execute')).toMatchObject({ created: 2, warnings: 0 });
    const deal = { 'Record ID': 983, 'Deal Name': 'N', 'Associated Company IDs': 980 };
    const reply = await admin.post('/import-jobs', {
      object_name: 'opportunities',
      data: lines([{ ...deal, 'Associated Contact IDs': [981, 982] }]),
      format: 'jsonl',
    });
    expect(await act(reply.json.import_job_id, 'execute')).toMatchObject({ created: 1, warnings: 0 });
    const [made] = (await list(admin, 'opportunities')).filter(({ hubspot_id: id }) => id === '983');
    expect(made).toMatchObject({ company_id_display: 'Numbers Ltd' });
    expect(made?.['contacts']).toHaveLength(2);
  });

  it('is refused a relation by a field that is not there, and one of a column that was said goes before what is proposed', async () => {
    const job = await analyzed('contacts', contacts);
    const wrong = [{ column: 'Associated Company', action: 'map', field: 'company_id.nothing' }];
    expectError(await admin.post(`/import-jobs/${job.import_job_id}/preview`, { mapping: wrong }), 'INVALID_FIELD');
    const mapping = [{ column: 'Associated Company', action: 'map', field: 'company_id' }];
    const preview = await act(job.import_job_id, 'preview', { mapping });
    const entry = (name: string) => preview.effective_mapping.find(({ column }: { column: string }) => column === name);
    expect([entry('Associated Company').field, entry('Associated Company IDs').action]).toEqual([
      'company_id',
      'ignore',
    ]);
  });
});

it('a step that another program calls closed is the one of that kind, unless a step is called so', async () => {
  const { admin: other } = await kith.organization();
  const rows = [
    ['Id', 'Name', 'StageName', 'CloseDate'],
    ['0061', 'Won deal', 'Closed Won', '2026-01-05'],
    ['0062', 'Lost deal', 'Closed Lost', '2026-01-06'],
    ['0063', 'Odd deal', 'Closed Forever', '2026-01-07'],
  ];
  const data = rows.map((row) => row.join(',')).join('\n');
  const job = (await other.post('/import-jobs', { object_name: 'opportunities', data, format: 'csv' })).json;
  const told = (await other.post(`/import-jobs/${job.import_job_id}/execute`, {})).json;
  expect(told).toMatchObject({ created: 3, warnings: 1 });
  const { data: deals } = (
    await other.get('/records/opportunities', { fields: 'name,pipeline_step_id', sort_by: 'name', sort_dir: 'asc' })
  ).json;
  expect(deals.map((deal: Reply['json']) => [deal.name, deal.pipeline_step_id_display])).toEqual([
    ['Lost deal', 'Lost'],
    ['Odd deal', 'Lead'],
    ['Won deal', 'Won'],
  ]);
});
