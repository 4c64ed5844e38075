/** [spec: Import] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, list, makeUnique, uuid } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ adminName: 'Ada Admin', currency: 'CHF' });
  admin = organization.admin;
});
afterAll(() => kith.stop());

/** The id of nothing. */
const nowhere = '01890000-0000-7000-8000-00000000abcd';

const importInto = (object: string, records: unknown[]): Promise<Reply> => admin.post(`/import/${object}`, { records });

/** Imports one row that must go in, and reads it back. */
async function imported(object: string, row: object): Promise<Reply['json']> {
  const reply = await importInto(object, [row]);
  expect(reply.json, reply.text).toMatchObject({ created: 1, failed: 0, duplicates: 0 });
  return (await admin.get(`/records/${object}/${reply.json.created_ids[0]}`)).json.record;
}

describe('answer', () => {
  it('IMPO-02, IMPO-07: counts, ids in the order of the rows, and errors by index', async () => {
    const reply = await importInto('companies', [
      { name: 'a' },
      {},
      { name: 'b', employees: 'many' },
      null,
      { name: 'c' },
    ]);
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json)).toEqual([
      'object_name',
      'created',
      'created_ids',
      'duplicates',
      'failed',
      'errors',
    ]);
    expect(reply.json).toMatchObject({ object_name: 'companies', created: 2, duplicates: 0, failed: 3 });
    expect(reply.json.created_ids).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
    const names = await Promise.all(
      reply.json.created_ids.map(async (id: string) => (await admin.get(`/records/companies/${id}`)).json.record.name),
    );
    expect(names).toEqual(['a', 'c']);
    expect(reply.json.errors.map((error: { index: number }) => error.index)).toEqual([1, 2, 3]);
    expect(reply.json.errors[0].error).toContain('name');
    expect(reply.json.errors[1].error).toContain('employees');
  });

  it('IMPO-09: errors have index and error alone', async () => {
    const reply = await importInto('companies', [{}]);
    expect(Object.keys(reply.json.errors[0])).toEqual(['index', 'error']);
  });

  it('PSL-11: errors holds at most 100 entries, failed counts all', async () => {
    const reply = await importInto(
      'companies',
      Array.from({ length: 130 }, () => ({})),
    );
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ created: 0, created_ids: [], failed: 130 });
    expect(reply.json.errors).toHaveLength(100);
  });

  it('IMPO-05, IMPO-06: a unique value that is taken counts as a duplicate, in the table or in the file', async () => {
    const other = await kith.organization();
    await makeUnique(kith, other, 'companies', 'domain');
    await create(other.admin, 'companies', { name: 'First', domain: 'a.test' });
    const records = ['a.test', 'b.test', 'b.test', null, null].map((domain) => ({ name: 'x', domain }));
    const reply = await other.admin.post('/import/companies', {
      records: [...records, {}],
      create_list_name: 'Imported',
    });
    expect(reply.json).toMatchObject({ created: 3, duplicates: 2, failed: 1 });
    expect(reply.json.errors.map((error: { index: number }) => error.index)).toEqual([5]);
    const lists = await Promise.all(
      (await list(other.admin, 'companies')).map(
        async ({ id }) => (await other.admin.get(`/records/companies/${id}`)).json.lists?.length ?? 0,
      ),
    );
    expect(lists).toEqual([1, 1, 1, 0]);
  });

  it('IMPO-04: rows take the normal path: owner, defaults, first step, computed fields', async () => {
    expect(await imported('opportunities', { name: 'Deal' })).toMatchObject({
      owner: admin.workspaceUserId,
      created_by: admin.workspaceUserId,
      pipeline_id_display: 'Sales',
      pipeline_step_id_display: 'Lead',
    });
    expect(await imported('contacts', { first_name: 'A', last_name: 'B' })).toMatchObject({
      full_name: 'A B',
      do_not_contact: false,
    });
  });
});

const scenarios: [object: string, field: string, cell: unknown, read: unknown][] = [
  ['companies', 'employees', '1,234', 1234],
  ['companies', 'employees', ' 12 ', 12],
  ['companies', 'employees', '', null],
  ['companies', 'annual_revenue', '1200.5 EUR', { amount: 1200.5, currency: 'EUR' }],
  ['companies', 'annual_revenue', '€1,200.50', { amount: 1200.5, currency: 'EUR' }],
  ['companies', 'annual_revenue', '99', { amount: 99, currency: 'CHF' }],
  ['companies', 'annual_revenue', { amount: 1, currency: 'USD' }, { amount: 1, currency: 'USD' }],
  ['companies', 'industry', 'Software', 'software'],
  ['contacts', 'birthday', '19081209', '1908-12-09'],
  ['contacts', 'birthday', '1990-05-04T00:00:00Z', '1990-05-04'],
  ['contacts', 'do_not_contact', 'yes', true],
  ['contacts', 'do_not_contact', '', false],
  ['contacts', 'tags', 'vip; Press', ['vip', 'press']],
  ['contacts', 'tags', 'vip, Press', ['vip', 'press']],
  ['contacts', 'tags', ['vip'], ['vip']],
  [
    'contacts',
    'emails',
    'a@x.test; b@x.test',
    [
      { email: 'a@x.test', label: 'work', is_primary: true },
      { email: 'b@x.test', label: 'work', is_primary: false },
    ],
  ],
  ['contacts', 'phones', '', []],
  ['contacts', 'company_id', '', null],
  ['opportunities', 'pipeline_step_id', 'Won', expect.stringMatching(uuid)],
  ['opportunities', 'probability', '12.5%', 12.5],
];

describe('values', () => {
  it.each(scenarios)('IMPO-03: %s.%s of %j is read as %j', async (object, field, cell, read) => {
    const record = await imported(object, { ...(object !== 'contacts' && { name: 'x' }), [field]: cell });
    expect(record[field]).toEqual(read);
  });

  it('a relation is taken by id or by unique display; an ambiguous or unknown one fails its row', async () => {
    const [acme] = await createAll(admin, 'companies', [{ name: 'Unique Inc' }, { name: 'Twin' }, { name: 'Twin' }]);
    const rows = [acme.id, 'Unique Inc', 'Twin', 'Nobody Ltd'].map((company_id) => ({ company_id }));
    const reply = await importInto('contacts', rows);
    expect(reply.json).toMatchObject({ created: 2, failed: 2 });
    const [byId, byName] = await Promise.all(
      reply.json.created_ids.map((id: string) => admin.get(`/records/contacts/${id}`)),
    );
    for (const found of [byId, byName])
      expect(found.json.record).toMatchObject({ company_id: acme.id, company_id_display: 'Unique Inc' });
    expect(reply.json.errors.map((error: { index: number }) => error.index)).toEqual([2, 3]);
    expect(reply.json.errors[0].error).toContain('Twin');
    expect(reply.json.errors[1].error).toContain('Nobody Ltd');
  });

  it('links and owners are taken by display; an owner that is nobody here is the importer, with a warning', async () => {
    const member = await organization.user('Member');
    const { name } = (await member.get('/me')).json.profile;
    const ada = await create(admin, 'contacts', { first_name: 'Linked', last_name: 'Person' });
    const reply = await importInto('opportunities', [
      { name: 'x', contacts: 'Linked Person', owner: name },
      { name: 'y', owner: 'Stranger' },
    ]);
    expect(reply.headers.get('warning')).toBe('299 - "1 owner is no user here; the record is yours"');
    const [x, y] = await Promise.all(
      reply.json.created_ids.map(async (id: string) => (await admin.get(`/records/opportunities/${id}`)).json.record),
    );
    expect(x).toMatchObject({
      owner: member.workspaceUserId,
      contacts: [{ id: ada.id, display: 'Linked Person', role: null }],
    });
    expect(y.owner).toBe(admin.workspaceUserId);
    const strangers = await importInto('opportunities', [
      { name: 'z', owner: nowhere.toUpperCase() },
      { name: 'z', owner: { id: nowhere, display: 'Stranger' } },
      { name: 'z', owner: { id: nowhere, display: name } },
      { name: 'z', owner: 'Stranger' },
    ]);
    expect(strangers.json).toMatchObject({ created: 4, failed: 0 });
    expect(strangers.headers.get('warning')).toBe('299 - "3 owners are no users here; their records are yours"');
    const owners = await Promise.all(
      strangers.json.created_ids.map(
        async (id: string) => (await admin.get(`/records/opportunities/${id}`)).json.record.owner,
      ),
    );
    const mine = admin.workspaceUserId;
    expect(owners).toEqual([mine, mine, member.workspaceUserId, mine]);
  });

  it('read-only columns are ignored and named once; unknown ones fail their rows', async () => {
    const reply = await importInto('contacts', [
      { first_name: 'a', id: 'x', full_name: 'y', created_at: 'z' },
      { first_name: 'b', full_name: 'y' },
      { frist_name: 'c' },
    ]);
    expect(reply.json).toMatchObject({ created: 2, failed: 1 });
    expect(reply.headers.get('warning')).toMatch(/^299 - ".*id, full_name, created_at"$/);
    expect(reply.json.errors[0].error).toContain('first_name');
  });
});

describe('refused', () => {
  it.each<[string, string, unknown, string]>([
    ['IMPO-02: no records', 'contacts', {}, 'MISSING_REQUIRED_FIELD'],
    ['IMPO-02: records of nothing', 'contacts', { records: [] }, 'MISSING_REQUIRED_FIELD'],
    ['records that are a text', 'contacts', { records: 'x' }, 'VALIDATION_ERROR'],
    ['another key', 'contacts', { records: [{}], lists: [] }, 'VALIDATION_ERROR'],
    ['ERRO-25: an unknown object', 'nothing', { records: [{}] }, 'INVALID_OBJECT'],
    ['a system object', 'tasks', { records: [{}] }, 'INVALID_OBJECT'],
    ['10,001 records', 'contacts', { records: Array.from({ length: 10_001 }, () => ({})) }, 'VALIDATION_ERROR'],
  ])('%s', async (_name, object, body, code) => {
    expectError(await admin.post(`/import/${object}`, body), code);
  });

  it.each(['Member', 'Viewer'])('IMPO-01: %s is PERMISSION_DENIED', async (role) => {
    const user = await organization.user(role);
    const { total } = (await admin.get('/records/contacts')).json;
    for (const body of [{ records: [{ first_name: 'x' }] }, {}, { nonsense: 1 }])
      expectError(await user.post('/import/contacts', body), 'PERMISSION_DENIED');
    expect((await admin.get('/records/contacts')).json.total).toBe(total);
  });
});

describe('a file', () => {
  const sendFile = (body: Uint8Array | string, type: string) =>
    fetch(`${kith.url}/api/v1/import/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
      body,
    });

  it('says in one sentence what is wrong with a file as a whole, and keeps nothing of it', async () => {
    const whole = 'first_name,emails\nEva,eva@broken.test\nIda,ida@broken.test\n';
    const zip = (text: string) => Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.from(text)]);
    const long = `${'x'.repeat(1_000)},\n`.repeat(1_100);
    const notUtf8 = Buffer.concat([Buffer.from(whole + long), Buffer.from([0xe9, 0x0a])]);
    const broken: [bytes: Uint8Array | string, type: string, told: RegExp][] = [
      [zip(whole), 'text/csv', /a spreadsheet or an archive, not a table: save it as CSV/],
      [Buffer.from(whole, 'utf16le'), 'text/csv', /no text, or in UTF-16 without a byte order mark/],
      [notUtf8, 'text/csv', /begins as UTF-8 but is not from about byte \d+ on/],
      ['x'.repeat(17 * 1024 * 1024), 'text/csv', /longer than 16 MB: the file has no line ends/],
      [whole.replaceAll(',', ' '), 'text/csv', /^No column of the file goes to a field: it has "/],
      ['BEGIN:VCARD\nN:Cut;Eva\n', 'text/vcard', /no card that is whole/],
      ['', 'text/csv', /^records is required/],
    ];
    const before = (await admin.get('/records/contacts')).json.total;
    for (const [bytes, type, told] of broken) {
      const reply = await sendFile(bytes, type);
      const { message } = (await reply.json()) as { message: string };
      expect([reply.status, message]).toEqual([400, expect.stringMatching(told)]);
      expect(message).toMatch(/^[^\n]{10,200}$/);
    }
    expect((await admin.get('/records/contacts')).json.total).toBe(before);
  });

  it('is told what else its body could be where it is none of that', async () => {
    const told = async (type: string) =>
      ((await (await sendFile('first_name\nAda\n', type)).json()) as Reply['json']).message;
    const files =
      'The body must be JSON, CSV, JSON lines or a vCard, and say so: send it with Content-Type: application/json, text/csv, application/x-ndjson or text/vcard';
    expect(await told('text/plain')).toBe(files);
    expect(await told('application/x-www-form-urlencoded')).toBe(files);
  });

  it('names its columns that go to no field once, whatever the format', async () => {
    const vcard = ['BEGIN:VCARD', 'VERSION:3.0', 'N:Card;Vera', 'FN:Vera Card', 'EMAIL:vera@left.test', 'END:VCARD'];
    const rows = [
      { first_name: 'Noa', id: nowhere, frobnicate: 'a' },
      { first_name: 'Nia', id: nowhere, frobnicate: 'b' },
    ];
    const told = '299 - "Columns that go to no field were left out: id, created_at, frobnicate"';
    const csv = `first_name,id,created_at,frobnicate,unused\nCas,${nowhere},2020-01-01,a,\nCora,${nowhere},2020-01-01,b,\n`;
    for (const [body, type, warning] of [
      [csv, 'text/csv', told],
      [rows.map((row) => JSON.stringify(row)).join('\n'), 'application/x-ndjson', told.replace('created_at, ', '')],
      ['first_name,last_name\nTold,All\n', 'text/csv', null],
      [vcard.join('\r\n'), 'text/vcard', told.replace('id, created_at, frobnicate', 'Full name')],
    ] as const) {
      const reply = await sendFile(body, type);
      expect(await reply.json()).toMatchObject({ failed: 0 });
      expect(reply.headers.get('warning')).toBe(warning);
    }
  });

  it.each([
    ['Export of Monday\n', '1 row above the header is left out'],
    ['Export of Monday\n"by Ada"\n', '2 rows above the header are left out'],
  ])('tells of %j above its header', async (above, told) => {
    const data = `${above}first_name,last_name,job_title\nAbove,Ada,Cook\nAbove,Bob,Cook\n`;
    expect((await admin.post('/import-jobs', { object_name: 'contacts', data })).json.warnings).toEqual([told]);
  });

  it('names what vCards have and no column has, but nothing that is of the card alone', async () => {
    const of = ['VERSION:3.0', 'PRODID:-//x', 'REV:20260101T000000Z', 'UID:1', 'item1.X-ABLabel:_$!<HomePage>!$_'];
    const unread = ['NICKNAME:Noa', 'item2.X-SOCIALPROFILE;type=x:http://x.test', 'nickname:N', 'ROLE:;;'];
    const card = ['BEGIN:VCARD', ...of, 'N:Card;Noa', 'TITLE:Cook', ...unread, 'END:VCARD', ''].join('\r\n');
    const told = 'Properties that no column has were left out: NICKNAME, X-SOCIALPROFILE';
    const reply = await sendFile(card, 'text/vcard');
    expect(reply.headers.get('warning')).toBe(`299 - "${told}"`);
    expect(await reply.json()).toMatchObject({ created: 1, failed: 0 });
    const job = await admin.post('/import-jobs', { object_name: 'contacts', data: card });
    expect(job.json.warnings).toEqual([told]);
    expect((await admin.get(`/import-jobs/${job.json.import_job_id}`)).json.warnings).toEqual([told]);
  });

  it('takes the full name of a vCard that has no other, its preferred address first, and no year that Apple made up', async () => {
    const of = ['VERSION:4.0', 'FN:Zoe van Only', 'EMAIL:second@fn.test', 'EMAIL;PREF=1:first@fn.test'];
    const birthday = 'BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-06';
    const card = ['BEGIN:VCARD', ...of, birthday, 'END:VCARD', ''].join('\r\n');
    expect(await (await sendFile(card, 'text/vcard')).json()).toMatchObject({ created: 1, failed: 0 });
    const [zoe] = await list(admin, 'contacts', { search: 'second@fn.test' });
    expect(zoe).toMatchObject({
      ...{ first_name: 'Zoe', last_name: 'van Only' },
      emails: [{ email: 'first@fn.test' }, { email: 'second@fn.test' }],
    });
    expect(JSON.stringify(zoe)).not.toContain('1604');
  });

  it('makes no contact of which nothing is left', async () => {
    const card = ['BEGIN:VCARD', 'VERSION:3.0', 'N:;;;;', 'EMAIL:not an address', 'END:VCARD', ''].join('\r\n');
    expect(await (await sendFile(card, 'text/vcard')).json()).toMatchObject({
      created: 0,
      failed: 1,
      errors: [
        { index: 0, error: expect.stringContaining('a contact needs a name, an e-mail address or a phone number') },
      ],
    });
  });

  it('takes what is whole of a file that was cut, and formulas as text', async () => {
    const cut = 'first_name,job_title\n=1+1,"=HYPERLINK(""http://x.test"")"\n@sum,"never clos';
    const reply = await sendFile(cut, 'text/csv');
    expect(await reply.json()).toMatchObject({
      created: 1,
      failed: 1,
      errors: [{ index: 1, error: 'a quote is opened and never closed' }],
    });
    const [formula] = await list(admin, 'contacts', { search: 'HYPERLINK' });
    expect(formula).toMatchObject({ first_name: '=1+1', job_title: '=HYPERLINK("http://x.test")' });
    const csv = await admin.get('/export/contacts', { format: 'csv', fields: 'first_name,job_title' });
    expect(csv.text).toContain(`'=1+1,"'=HYPERLINK(""http://x.test"")"\r\n`);
  });
});
