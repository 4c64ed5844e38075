/** [spec: Export] */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, list } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ adminName: 'Ada Admin' });
  admin = organization.admin;
  const [acme] = await createAll(admin, 'companies', [
    {
      name: 'Acme, "Inc"',
      industry: 'software',
      employees: 5,
      annual_revenue: { amount: 1200.5, currency: 'EUR' },
      description: 'two\nlines',
    },
    { name: '=1+1', employees: 7, phones: ['+1 2', '+3 4'] },
    { name: 'Ünï 日本 😀', employees: 6, address: { street: 'Main St 1', city: 'Ulm' } },
  ]);
  const ada = await create(admin, 'contacts', {
    first_name: 'Ada',
    emails: ['a@x.test', 'b@x.test'],
    tags: ['vip', 'press'],
    company_id: acme.id,
  });
  await create(admin, 'opportunities', {
    name: 'Deal',
    amount: 5,
    contacts: [{ id: ada.id, role: 'Buyer' }],
    company_id: acme.id,
  });
});
afterAll(() => kith.stop());

const names = (reply: Reply): string[] => reply.json.records.map((record: { name: string }) => record.name);
const byEmployees = { sort_by: 'employees' };

describe('JSON', () => {
  it('EXPO-02, EXPO-07: is the default: format, records, total', async () => {
    const reply = await admin.get('/export/companies');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(reply.json)).toEqual(['format', 'records', 'total']);
    expect(reply.json.format).toBe('json');
    expect(reply.json.total).toBe(3);
    expect(names(reply).toSorted()).toEqual(['=1+1', 'Acme, "Inc"', 'Ünï 日本 😀']);
    expect((await admin.get('/export/companies', { format: 'json' })).json.total).toBe(3);
  });

  it('EXPO-06: relations, users and steps are their displays, and have no sibling', async () => {
    const [deal] = (await admin.get('/export/opportunities')).json.records;
    expect(deal).toMatchObject({
      company_id: 'Acme, "Inc"',
      owner: 'Ada Admin',
      created_by: 'Ada Admin',
      pipeline_id: 'Sales',
      pipeline_step_id: 'Lead',
      amount: { amount: 5, currency: 'USD' },
    });
    expect(deal.contacts).toEqual([{ id: expect.any(String), display: 'Ada', role: 'Buyer' }]);
    expect(Object.keys(deal).filter((key) => key.endsWith('_display'))).toEqual([]);
  });

  it('EXPO-03: without fields all of them are there, and no internal column', async () => {
    const [record] = await list(admin, 'contacts');
    const [exported] = (await admin.get('/export/contacts')).json.records;
    expect(Object.keys(exported)).toEqual(Object.keys(record).filter((key) => !key.endsWith('_display')));
  });

  it('EXPO-04: an explicit list is honoured verbatim, in its order', async () => {
    const [exported] = (await admin.get('/export/contacts', { fields: 'company_id,first_name,company_id.employees' }))
      .json.records;
    expect(JSON.stringify(exported)).toBe(
      JSON.stringify({ company_id: 'Acme, "Inc"', first_name: 'Ada', 'company_id.employees': 5 }),
    );
    const refused = await admin.get('/export/contacts', { fields: 'first_name,nothing' });
    expectError(refused, 'INVALID_FIELD');
    expectError(await admin.get('/export/contacts', { fields: 'search_text' }), 'INVALID_FIELD');
  });
});

describe('which and in what order', () => {
  it('EXPO-05: sort_dir is asc by default', async () => {
    expect(names(await admin.get('/export/companies', byEmployees))).toEqual(['Acme, "Inc"', 'Ünï 日本 😀', '=1+1']);
    expect(names(await admin.get('/export/companies', { ...byEmployees, sort_dir: 'desc' }))).toEqual([
      '=1+1',
      'Ünï 日本 😀',
      'Acme, "Inc"',
    ]);
  });

  it('EXPO-04: filters and the simple filter are combined by AND', async () => {
    const filters = { field: 'employees', operator: 'greater_than', value: 5 };
    const simple = { filter_field: 'employees', filter_operator: 'less_than', filter_value: 7 };
    expect(names(await admin.get('/export/companies', { filters, ...byEmployees }))).toEqual(['Ünï 日本 😀', '=1+1']);
    expect(names(await admin.get('/export/companies', { ...simple, ...byEmployees }))).toEqual([
      'Acme, "Inc"',
      'Ünï 日本 😀',
    ]);
    expect(names(await admin.get('/export/companies', { filters, ...simple }))).toEqual(['Ünï 日本 😀']);
  });

  it('EXPO-05: filters that is not JSON is ignored, with a warning; the simple filter still counts', async () => {
    const reply = await admin.get('/export/companies', {
      filters: '{"type":',
      filter_field: 'employees',
      filter_operator: 'equals',
      filter_value: 7,
    });
    expect(names(reply)).toEqual(['=1+1']);
    expect(reply.headers.get('warning')).toMatch(/^299 - ".*filters.*"$/);
    expect((await admin.get('/export/companies')).headers.get('warning')).toBe(null);
  });

  it.each([
    [1, 1],
    [0, 1],
    [2, 2],
    [100_000, 3],
  ])('PSL-10: limit=%s gives %s', async (limit, count) => {
    expect((await admin.get('/export/companies', { limit })).json.records).toHaveLength(count);
  });

  it('PSL-10: 5,000 by default, never more than 10,000', async () => {
    const { admin } = await kith.organization();
    const records = Array.from({ length: 10_000 }, (_, at) => ({ first_name: `n${at}` }));
    expect((await admin.post('/import/contacts', { records })).json.created).toBe(10_000);
    expect((await admin.post('/import/contacts', { records: records.slice(0, 5) })).json.created).toBe(5);
    const count = async (query: object) =>
      (await admin.get('/export/contacts', { fields: 'first_name', ...query })).json.total;
    expect(await count({})).toBe(5000);
    expect(await count({ limit: 20_000 })).toBe(10_000);
    const csv = await admin.get('/export/contacts', { fields: 'first_name', format: 'csv', limit: 9999 });
    expect(csv.text.split('\r\n')).toHaveLength(1 + 9999 + 1);
  });
});

describe('cut by its limit', () => {
  const total = 12;
  let admin: Client;
  beforeAll(async () => {
    ({ admin } = await kith.organization());
    const records = Array.from({ length: total }, (_, at) => ({
      name: `c${at}`,
      employees: at % 3 === 0 ? null : at % 5,
    }));
    await admin.post('/import/companies', { records });
  });

  it.each<[string, object]>([
    ['without a sort', {}],
    ['sorted by what some lack', { sort_by: 'employees', sort_dir: 'desc' }],
    ['filtered', { filter_field: 'name', filter_operator: 'starts_with', filter_value: 'c', sort_by: 'name' }],
  ])('%s: says so, and goes on with the cursor until all are there once', async (_name, query) => {
    const all = names(await admin.get('/export/companies', { ...query }));
    const parts: string[][] = [];
    let cursor: string | undefined;
    do {
      const reply = await admin.get('/export/companies', { ...query, limit: 5, cursor });
      parts.push(names(reply));
      cursor = reply.json.nextCursor;
      const { headers } = reply;
      expect([reply.json.total, headers.get('x-total-count')]).toEqual([parts.at(-1)?.length, String(total)]);
      if (cursor === undefined) expect([headers.get('warning'), headers.get('link')]).toEqual([null, null]);
      else
        expect(headers.get('warning')).toBe(
          '299 - "The answer has 5 of 12 records: the cursor in Link, and nextCursor, goes on with the others"',
        );
    } while (cursor !== undefined);
    expect(parts.map((part) => part.length)).toEqual([5, 5, 2]);
    expect(parts.flat()).toEqual(all);
  });

  it('a file goes on by its Link', async () => {
    const lines: string[] = [];
    let path: string | undefined = '/api/v1/export/companies?format=csv&fields=name&limit=7';
    while (path !== undefined) {
      const reply: Reply = await admin.send(path);
      const [head, ...rest] = reply.text.trimEnd().split('\r\n');
      expect([head, reply.headers.get('x-total-count')]).toEqual(['name', String(total)]);
      lines.push(...rest);
      path = /^<(.*)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    expect(new Set(lines).size).toBe(total);
    expect(lines).toHaveLength(total);
  });

  it('exactly as many as there are is whole', async () => {
    const reply = await admin.get('/export/companies', { limit: total });
    expect([reply.json.total, reply.headers.get('x-total-count'), reply.headers.get('warning')]).toEqual([
      12,
      '12',
      null,
    ]);
    expect(reply.json).not.toHaveProperty('nextCursor');
  });

  it('the cursor of another export is refused', async () => {
    const { nextCursor: cursor } = (await admin.get('/export/companies', { limit: 5 })).json;
    expectError(await admin.get('/export/companies', { cursor, sort_by: 'name' }), 'VALIDATION_ERROR');
    expectError(await admin.get('/export/contacts', { cursor }), 'VALIDATION_ERROR');
  });
});

describe('JSON lines', () => {
  it.each([
    ['by its name', { format: 'ndjson' }, {}],
    ['by Accept', {}, { accept: 'application/x-ndjson' }],
  ])('%s: a record a line', async (_name, query, headers) => {
    const reply = await admin.get('/export/companies', { fields: 'name', ...byEmployees, ...query }, headers);
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename=companies_export.ndjson');
    expect(reply.text).toBe('{"name":"Acme, \\"Inc\\""}\n{"name":"Ünï 日本 😀"}\n{"name":"=1+1"}\n');
  });

  it('are not what a browser gets', async () => {
    const reply = await admin.get('/export/companies', {}, { accept: 'text/html, */*' });
    expect(reply.json.format).toBe('json');
  });
});

describe('CSV', () => {
  it('EXPO-08, EXPO-09, EXPO-10: is a download of its own type and name', async () => {
    const reply = await admin.get('/export/companies', { format: 'csv' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename=companies_export.csv');
  });

  it('EXPO-11 to EXPO-14: cells hold displays, amount and code, the formatted address, and values joined by a semicolon and a space', async () => {
    const fields = 'name,industry,annual_revenue,phones,address,description,owner';
    const reply = await admin.get('/export/companies', { format: 'csv', fields, ...byEmployees });
    expect(reply.text).toBe(
      [
        'name,industry,annual_revenue,phones,address,description,owner',
        '"Acme, ""Inc""",software,1200.5 EUR,,,"two\nlines",Ada Admin',
        'Ünï 日本 😀,,,,"Main St 1, Ulm",,Ada Admin',
        "'=1+1,,,+1 2; +3 4,,,Ada Admin",
        '',
      ].join('\r\n'),
    );
    const contacts = await admin.get('/export/contacts', {
      format: 'csv',
      fields: 'full_name,emails,tags,company_id,do_not_contact',
    });
    expect(contacts.text).toBe(
      'full_name,emails,tags,company_id,do_not_contact\r\nAda,a@x.test; b@x.test,vip; press,"Acme, ""Inc""",false\r\n',
    );
    const deals = await admin.get('/export/opportunities', { format: 'csv', fields: 'contacts,pipeline_step_id' });
    expect(deals.text).toBe('contacts,pipeline_step_id\r\nAda,Lead\r\n');
  });

  it('of nothing is the header alone', async () => {
    const query = {
      format: 'csv',
      fields: 'name,owner',
      filter_field: 'name',
      filter_operator: 'equals',
      filter_value: 'nobody',
    };
    expect((await admin.get('/export/companies', query)).text).toBe('name,owner\r\n');
  });
});

describe('round trip', () => {
  it('what was exported imports into another organization as the same records', async () => {
    const other = await kith.organization({ adminName: 'Ada Admin' });
    for (const object of ['companies', 'contacts', 'opportunities']) {
      const { records } = (await admin.get(`/export/${object}`)).json;
      const reply = await other.admin.post(`/import/${object}`, { records });
      expect(reply.json, reply.text).toMatchObject({ created: records.length, failed: 0 });
      const again = (await other.admin.get(`/export/${object}`)).json.records;
      const bare = (record: Reply['json']) => {
        const {
          id: _id,
          created_at: _created,
          updated_at: _updated,
          pipeline_step_entered_at: _entered,
          contacts,
          ...rest
        } = record;
        return JSON.stringify({
          ...rest,
          contacts: contacts?.map(({ display, role }: { display: string; role: string }) => ({ display, role })),
        });
      };
      expect(again.map(bare).toSorted()).toEqual(records.map(bare).toSorted());
    }
  });

  it('leaves out links to records that are in the trash', async () => {
    const [first, other] = await Promise.all([kith.organization(), kith.organization()]);
    const { id } = (await first.admin.post('/records/contacts', { first_name: 'Gone' })).json;
    await first.admin.post('/records/opportunities', { name: 'Deal', contacts: [id] });
    await first.admin.delete(`/records/contacts/${id}`);
    const { records } = (await first.admin.get('/export/opportunities')).json;
    expect((await other.admin.post('/import/opportunities', { records })).json).toMatchObject({
      created: 1,
      failed: 0,
    });
    expect((await other.admin.get('/records/opportunities')).json.data[0].contacts).toEqual([]);
  });
});

it('shows the label of each relation, however many there are; a record in the trash has none', async () => {
  const { admin: other } = await kith.organization();
  const relations = Array.from({ length: 12 }, (_, at) => `company_${at}`);
  const relationConfig = { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' };
  const fields = ['name', ...relations].map((name) =>
    name === 'name' ? { name, type: 'TEXT' } : { name, type: 'RELATION', relationConfig },
  );
  expect((await other.post('/manifest', { objects: [{ name: 'plants', displayField: 'name', fields }] })).status).toBe(
    200,
  );
  const companies = await createAll(
    other,
    'companies',
    relations.map((name) => ({ name: `Owner of ${name}` })),
  );
  await create(other, 'plants', {
    name: 'All',
    ...Object.fromEntries(relations.map((name, at) => [name, companies[at].id])),
  });
  await create(other, 'plants', { name: 'None' });
  await other.delete(`/records/companies/${companies[0].id}`);
  const query = { fields: ['name', ...relations].join(','), sort_by: 'name' };
  const labels = Object.fromEntries(relations.map((name) => [name, `Owner of ${name}`]));
  const nothing = Object.fromEntries(relations.map((name) => [name, null]));
  expect((await other.get('/export/plants', query)).json.records).toEqual([
    { name: 'All', ...labels, company_0: null },
    { name: 'None', ...nothing },
  ]);
});

describe('refused', () => {
  it.each<[string, string, object, string]>([
    ['ERRO-26: an unknown object', 'nothing', {}, 'INVALID_OBJECT'],
    ['an unknown direction', 'contacts', { sort_by: 'id', sort_dir: 'up' }, 'VALIDATION_ERROR'],
    ['an unknown sort', 'contacts', { sort_by: 'nothing' }, 'INVALID_FIELD'],
    [
      'a filter that is JSON and wrong',
      'contacts',
      { filters: { field: 'nothing', operator: 'is_null' } },
      'INVALID_FIELD',
    ],
    ['an unknown parameter', 'contacts', { search: 'x' }, 'VALIDATION_ERROR'],
  ])('%s', async (_name, object, query, code) => {
    expectError(await admin.get(`/export/${object}`, { ...query }), code);
  });

  it('an unknown format, with those that there are', async () => {
    const reply = await admin.get('/export/contacts', { format: 'xls' });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json).toMatchObject({
      message: 'format must be json, csv, ndjson or xlsx, not "xls" (did you mean "xlsx"?)',
      available_values: ['json', 'csv', 'ndjson', 'xlsx'],
    });
  });

  it.each(['Member', 'Viewer'])('EXPO-01: %s is PERMISSION_DENIED', async (role) => {
    const user = await organization.user(role);
    expectError(await user.get('/export/contacts'), 'PERMISSION_DENIED');
    expectError(await user.get('/export/contacts', { format: 'csv' }), 'PERMISSION_DENIED');
    expectError(await user.get('/export/contacts', { nonsense: 1 }), 'PERMISSION_DENIED');
  });
});

it.each(['csv', 'ndjson'])('%s of long records is sent in pieces that are short work', async (format) => {
  const { admin: other } = await kith.organization();
  const description = 'é'.repeat(45_000);
  await createAll(
    other,
    'companies',
    Array.from({ length: 25 }, (_, at) => ({ name: `Company ${at}`, description })),
  );
  const { hostname, port } = new URL(kith.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /api/v1/export/companies?format=${format} HTTP/1.1\r\nHost: x\r\n`);
  socket.write(`Authorization: Bearer ${other.token}\r\nConnection: close\r\n\r\n`);
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  await once(socket, 'close');
  const answer = Buffer.concat(received).toString('latin1');
  const lengths = [...answer.matchAll(/\r\n([0-9a-f]+)\r\n/g)].map(([, hex = '']) => Number.parseInt(hex, 16));
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(25 * 90_000);
  expect(Math.max(...lengths)).toBeLessThan(600_000);
});
