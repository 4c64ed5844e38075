/** The typed client on a real service: calls, pages, files, what headers tell, errors. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type KithClient } from '../../client/index.js';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { refusal, typed } from '../support/typed.ts';

let kith: TestKith;
let organization: TestOrganization;
let client: KithClient;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  client = typed(kith, organization.admin);
});
afterAll(() => kith.stop());

describe('calls', () => {
  it('create, read, change and delete a record', async () => {
    const { id, record } = await client.records.create('companies', { name: 'Acme', employees: 12 });
    expect(record).toMatchObject({ id, name: 'Acme', employees: 12 });
    expect((await client.records.update('companies', id, { employees: 13 })).record?.['employees']).toBe(13);
    expect((await client.records.get('companies', id, { fields: ['name', 'employees'] })).record).toEqual({
      id,
      name: 'Acme',
      employees: 13,
    });
    expect(await client.records.delete('companies', id)).toEqual({ deleted: true });
    expect((await client.records.restore('companies', id)).action).toBe('restored');
  });

  it('give filters, sorts and lists as what they are', async () => {
    const names = ['Filter, Inc.', 'Filter "2"', 'Filter 3'];
    await client.records.batchCreate('companies', { records: names.map((name) => ({ name })) });
    const { data } = await client.records.list('companies', {
      filters: { type: 'AND', conditions: [{ field: 'name', operator: 'starts_with', value: 'Filter' }] },
      sort: [{ field: 'name', direction: 'desc' }],
      fields: ['name'],
    });
    expect(data.map(({ name }) => name)).toEqual(['Filter, Inc.', 'Filter 3', 'Filter "2"']);
    const value = names.slice(0, 2);
    const some = { filter_field: 'name', filter_operator: 'in', filter_value: value } as const;
    expect((await client.records.list('companies', some)).total).toBe(2);
    const grouped = await client.records.list('companies', { group_by: 'name', search: 'filter' });
    expect(grouped.counts['Filter 3']).toBe(1);
  });

  it('keep nothing of a dry run, and undo what belongs together', async () => {
    const trial = await client.records.create('companies', { name: 'Trial' }, { dryRun: true }).withResponse();
    expect([trial.isDryRun, trial.data.record?.['name']]).toEqual([true, 'Trial']);
    expect((await client.records.list('companies', { search: 'Trial' })).total).toBe(0);
    const changeSet = randomUUID();
    const made = await client.records.create('companies', { name: 'Together' }, { changeSet }).withResponse();
    expect(made.changeSet).toBe(changeSet);
    await client.changeSets.undo({ change_set: changeSet });
    expect((await refusal(client.records.get('companies', made.data.id))).code).toBe('RECORD_NOT_FOUND');
  });

  it('are those of other groups too', async () => {
    expect((await client.me.get()).isAdmin).toBe(true);
    const task = await client.tasks.create({ title: 'Call back' });
    expect((await client.tasks.complete(task.task_id)).action).toBe('completed');
    expect((await client.tasks.complete(task.task_id, { completed: false })).action).toBe('reopened');
    const { pipelines } = await client.pipelines.list();
    expect(pipelines.map(({ name }) => name)).toEqual(['Sales']);
    const applied = await client.manifest.apply(
      { objects: [{ name: 'companies', fields: [{ name: 'nickname', label: 'Nickname', type: 'TEXT' }] }] },
      { dry_run: true },
    );
    expect(applied.changes).toHaveLength(1);
  });

  it('ask for a day in the zone of the settings, unless they say another', async () => {
    const asked: (string | null)[] = [];
    const noted = createClient({
      baseUrl: kith.url,
      token: async () => organization.admin.token,
      timeZone: 'Pacific/Auckland',
      headers: { 'X-Request-Id': 'of-the-client' },
      fetch: (url, init) => {
        asked.push(new Headers(init.headers).get('time-zone'));
        return fetch(url, init);
      },
    });
    const { requestId } = await noted.me.get().withResponse();
    await noted.me.get({ timeZone: 'Europe/Berlin' });
    expect([requestId, ...asked]).toEqual(['of-the-client', 'Pacific/Auckland', 'Europe/Berlin']);
  });
});

describe('pages', () => {
  beforeAll(async () => {
    const records = Array.from({ length: 25 }, (_, at) => ({ last_name: `Page ${String(at).padStart(2, '0')}` }));
    await client.records.batchCreate('contacts', { records });
  });
  const asked = { search: 'page', sort: [{ field: 'last_name', direction: 'asc' as const }], limit: 10 };

  it('are gone through one after the other, as often as wanted', async () => {
    const all = client.records.listAll('contacts', asked);
    for (let loop = 0; loop < 2; loop++) {
      const names: unknown[] = [];
      for await (const contact of all) names.push(contact['last_name']);
      expect(names).toHaveLength(25);
      expect(names).toEqual(names.map(String).toSorted((a, b) => (a < b ? -1 : 1)));
    }
  });

  it('are read as far as somebody takes them, and come as pages too', async () => {
    let requests = 0;
    const counting = createClient({
      baseUrl: kith.url,
      token: organization.admin.token,
      fetch: (url, init) => {
        requests++;
        return fetch(url, init);
      },
    });
    for await (const contact of counting.records.listAll('contacts', asked))
      if (contact['last_name'] === 'Page 12') break;
    expect(requests).toBe(2);
    const sizes: number[] = [];
    for await (const { data, total } of counting.records.listAll('contacts', asked).pages())
      sizes.push(data.length, total);
    expect(sizes).toEqual([10, 25, 10, 25, 5, 25]);
  });

  it('are also those of the feed of changes, and of exports', async () => {
    // Any transaction at work on the server holds events back.
    const seen = async () => (await client.events.list({ object: ['contacts'] })).events.length;
    await expect.poll(seen, { timeout: 20_000 }).toBe(25);
    const types = new Set<string>();
    let events = 0;
    for await (const event of client.events.listAll({ object: ['contacts'], limit: 7 })) {
      types.add(event.type);
      events++;
    }
    expect([events, ...types]).toEqual([25, 'record.created']);
    let exported = 0;
    for await (const _ of client.records.exportAll('contacts', { limit: 10, fields: 'last_name' })) exported++;
    expect(exported).toBe(25);
  });
});

describe('files', () => {
  const csv = 'name,employees\nFile One,5\nFile Two,6\n';

  it('are imported as they are, and exported', async () => {
    const imported = await client.records.importFile('companies', csv, { file_name: 'two.csv' }, { type: 'text/csv' });
    expect(imported).toMatchObject({ created: 2, failed: 0 });
    const asked = { format: 'csv', fields: ['name', 'employees'], sort_by: 'name', filter_field: 'name' } as const;
    const query = { ...asked, filter_operator: 'starts_with', filter_value: 'File' } as const;
    const file = await client.records.exportFile('companies', query);
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect((await file.text()).replaceAll('\r\n', '\n')).toBe(csv);
  });

  it('are analyzed, and their failed rows come back', async () => {
    const bytes = new TextEncoder().encode('name,employees\nAnalyzed,5\n,77\n');
    const query = { object_name: 'companies', file_name: 'bad.csv' };
    const job = await client.imports.analyzeFile(new Blob([bytes]), query, { type: 'text/csv' });
    expect(job.columns.map(({ column }) => column)).toEqual(['name', 'employees']);
    await client.imports.preview(job.import_job_id);
    await client.imports.execute(job.import_job_id);
    const failed = await client.imports.failedRows(job.import_job_id);
    expect(await failed.text()).toContain('77');
  });
});

describe('what an answer tells', () => {
  it('is its state, by which changes of others are noticed', async () => {
    const { id } = await client.records.create('companies', { name: 'State' });
    const read = await client.records.get('companies', id).withResponse();
    expect(read.etag).toMatch(/^"/);
    await client.records.update('companies', id, { employees: 1 }, { ifMatch: read.etag });
    const stale = await refusal(client.records.update('companies', id, { employees: 2 }, { ifMatch: read.etag }));
    expect(stale).toMatchObject({ code: 'CONFLICT', status: 412 });
    expect(stale.fieldErrors.map(({ field }) => field)).toContain('employees');
  });

  it('is what it warns of, and its total', async () => {
    const told = await client.records.list('companies', { limit: 1_000, sort: 'Jürgen' }).withResponse();
    expect(told.warnings.join()).toContain('limit goes from 1 to 100');
    expect(told.total).toBe(told.data.total);
    expect(told.headers.get('x-total-count')).toBe(String(told.total));
  });
});

describe('errors', () => {
  it('are of one type, with what is wrong', async () => {
    const invalid = await refusal(client.records.create('companies', { name: 'A', employees: 'many' }));
    expect(invalid).toMatchObject({ code: 'VALIDATION_ERROR', status: 400, name: 'KithError' });
    expect(invalid.fieldErrors).toEqual([{ field: 'employees', message: expect.any(String) }]);
    expect(invalid.requestId).toBe(invalid.headers?.get('x-request-id'));
    const nowhere = await refusal(client.records.list('company'));
    expect([nowhere.code, nowhere.availableValues]).toEqual([
      'INVALID_OBJECT',
      expect.arrayContaining(['companies', 'contacts']),
    ]);
    expect(nowhere.message).toContain('did you mean');
    const stranger = createClient({ baseUrl: kith.url, token: 'svc_nonsense' });
    expect(await refusal(stranger.me.get())).toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });

  it.each(['', '.', '..'])('refuse the id %j, which would lead to another path', async (id) => {
    expect(await refusal(client.records.delete('companies', id))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      status: undefined,
    });
  });

  it('keep an id in its place, whatever it holds', async () => {
    const error = await refusal(client.records.get('companies', '../contacts?x=1#y'));
    expect(error.code).toBe('RECORD_NOT_FOUND');
  });

  it('refuse settings that cannot be, without a word of the token', async () => {
    expect(() => createClient({ baseUrl: 'crm.example', token: 'svc_x' })).toThrow('baseUrl must look like');
    const error = await refusal(createClient({ baseUrl: kith.url, token: 'svc_secret\nx' }).me.get());
    expect([error.code, error.message.includes('secret')]).toEqual(['INVALID_ARGUMENT', false]);
  });
});
