/** What a caller gets wrong most, and that the answer says what would be right. */
import { beforeAll, describe, expect, it } from 'vitest';
import { json } from '../support/hostile.ts';
import type { Client, Reply } from '../support/kith.ts';
import { create, expectError } from './records.ts';
import { admin, kith, organization, useStage } from './stage.ts';
import { addRole } from './workspace.ts';

let reader: Client;
useStage(async () => {
  await addRole(kith, organization, 'Reader', {
    '*': { view: 'all', create: true, update: 'all' },
    companies: { view: 'all', create: true, update: 'all', fields: { industry: 'none' } },
  });
  reader = await organization.user('Reader');
});

const messageOf = (reply: Reply): string => reply.json.message;
const nobody = '01890a5d-ac96-774b-bcce-b302099a8057';
const change = { object_name: 'contacts', record_ids: [nobody] };
const merge = { action: 'merge', object_name: 'contacts' };
const chart = { title: 'x', object_name: 'contacts', chart_type: 'bar' };
const listWith = (option: object) => ({
  name: 'x',
  object_types: ['contacts'],
  fields: [{ name: 'a', type: 'SELECT', options: [option] }],
});
const move = (id: string, body: object) => admin.put(`/pipelines/opportunities/${id}/move`, body);

describe('a name that is not there', () => {
  const suggestion = '(did you mean "first_name"?)';

  it.each([
    ['a filter', { filters: { field: 'first_nmae', operator: 'is_null' } }],
    ['a simple filter', { filter_field: 'first_nmae', filter_operator: 'is_null' }],
    ['a sort', { sort_by: 'first_nmae' }],
    ['a group', { group_by: 'first_nmae' }],
    ['a list of fields', { fields: 'id,first_nmae' }],
  ])('in %s is told with the nearest, and with all that there are', async (_, query) => {
    const reply = await admin.get('/records/contacts', query);
    expectError(reply, 'INVALID_FIELD');
    expect(messageOf(reply)).toContain(suggestion);
    expect(reply.json.available_values).toEqual(expect.arrayContaining(['first_name', 'last_name', 'created_at']));
  });

  it.each([
    ['/undo', { changeset: 'x' }, 'change_set is required: "changeset" is not known here'],
    ['/bulk', { action: 'delete', object: 'contacts' }, 'object_name is required: "object" is not known here'],
    ['/bulk', { action: 'delete', everything: true }, 'object_name is required'],
  ])('in a body of %s is told where the right one is missing: %j', async (path, body, message) => {
    const reply = await admin.post(path, body);
    expectError(reply, 'MISSING_REQUIRED_FIELD');
    expect(messageOf(reply)).toBe(message);
  });

  it.each<[path: string, body: object, missing: string]>([
    ['/bulk', { action: null, object_name: 'contacts' }, 'action'],
    ['/bulk', { action: 'delete', object_name: null }, 'object_name'],
    ['/bulk', { action: 'delete', object_name: 'contacts', record_ids: null }, 'record_ids'],
    ['/bulk', { ...change, action: 'update_field', field_name: null, field_value: 1 }, 'field_name'],
    ['/bulk', { ...change, action: 'add_relation', relation_field: null, target_ids: [nobody] }, 'relation_field'],
    ['/bulk', { ...change, action: 'add_relation', relation_field: 'company_id', target_ids: null }, 'target_ids'],
    ['/bulk', { action: 'delete', object_name: 'contacts', filters: {}, expected_count: null }, 'expected_count'],
    ['/duplicates', { object_name: null }, 'object_name'],
    ['/duplicates', { ...merge, master_id: null, duplicate_ids: [nobody] }, 'master_id'],
    ['/duplicates', { ...merge, master_id: nobody, duplicate_ids: null }, 'duplicate_ids'],
    ['/import/contacts', { records: null }, 'records'],
    ['/records/contacts/batch/create', { records: null }, 'records'],
    ['/lists/x/entries', { object_type: 'contacts', record_ids: null }, 'record_ids'],
    ['/lists', { name: 'x', object_types: ['contacts'], fields: [{ name: 'a', type: null }] }, 'fields.0.type'],
    ['/messages/preview', { channel: 'email', body: null, to: ['a@x.test'], subject: 'x' }, 'body'],
  ])('is missing in a body of %s where null stands for it: %j', async (path, body, missing) => {
    const reply = await admin.post(path, body);
    expectError(reply, 'MISSING_REQUIRED_FIELD');
    expect(messageOf(reply)).toMatch(new RegExp(`^${missing} is required`));
    expect(reply.json.field_errors).toBeUndefined();
  });

  it('is as absent where nothing needs it, and null for a choice is told once', async () => {
    const found = await admin.post('/duplicates', { object_name: 'contacts', master_id: null, duplicate_ids: null });
    expect(found.json).toMatchObject({ object_name: 'contacts' });
    expectError(await move(nobody, { pipeline_step_id: null }), 'MISSING_REQUIRED_FIELD');
    const usual = { ...merge, master_id: nobody, duplicate_ids: [nobody], merge_strategy: null };
    expectError(await admin.post('/duplicates', usual), 'MERGE_FAILED');
    const reply = await admin.put(`/webhooks/${nobody}`, { state: null });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.field_errors).toEqual([{ field: 'state', message: 'state must be active or paused' }]);
  });

  it('behind a relation is told with those behind it', async () => {
    const reply = await admin.get('/records/contacts', { fields: 'company_id.nmae' });
    expect(messageOf(reply)).toContain('on companies (did you mean "name"?)');
    const beyond = await admin.get('/records/contacts', { sort_by: 'company_id.industri' });
    expect(messageOf(beyond)).toContain('on companies (did you mean "industry"?)');
  });

  it('in a write is told the same way, and what is no field to write is not among them', async () => {
    const { id } = await create(admin, 'contacts', {});
    for (const reply of [
      await admin.post('/records/contacts', { first_nmae: 'Ada' }),
      await admin.put(`/records/contacts/${id}`, { first_nmae: 'Ada' }),
    ]) {
      expectError(reply, 'VALIDATION_ERROR');
      expect(messageOf(reply)).toBe(`first_nmae is not a field of contacts ${suggestion}`);
      expect(reply.json.field_errors).toEqual([{ field: 'first_nmae', message: messageOf(reply) }]);
      expect(reply.json.available_values).toContain('first_name');
      expect(reply.json.available_values).not.toContain('created_at');
    }
  });

  it('is answered alike whether it is hidden or nowhere', async () => {
    const { id } = await create(admin, 'companies', { name: 'Acme' });
    const asked = (name: string): Promise<Reply>[] => [
      reader.get('/records/companies', { filters: { field: name, operator: 'is_null' } }),
      reader.get('/records/companies', { sort_by: name }),
      reader.get('/records/companies', { fields: name }),
      reader.get('/aggregate/companies', { function: 'MAX', field: name }),
      reader.post('/records/companies', { name: 'x', [name]: 'y' }),
      reader.put(`/records/companies/${id}`, { [name]: 'y' }),
      reader.post('/records/companies/batch/create', { records: [{ name: 'x', [name]: 'y' }] }),
    ];
    const hidden = await Promise.all(asked('industry'));
    const unknown = await Promise.all(asked('industrz'));
    expect(hidden.map(({ text }) => text)).toEqual(unknown.map(({ text }) => text.replaceAll('industrz', 'industry')));
    for (const { text } of hidden) expect(text).not.toContain('did you mean');
    for (const { json: body } of hidden) expect(body.available_values ?? []).not.toContain('industry');
  });

  it('of an object is told with the nearest', async () => {
    expect(messageOf(await admin.get('/records/contact'))).toBe(
      'There is no object "contact" (did you mean "contacts"?)',
    );
  });

  it.each([
    [
      '/lists',
      { name: 'x', object_types: ['contacts'], fields: [{ name: 'a', type: 'TEXT', lable: 'A' }] },
      'fields.0.lable',
      'label',
    ],
    ['/lists', listWith({ value: 'a', colour: 'red' }), 'fields.0.options.0.colour', 'color'],
    ['/dashboards', { name: 'x', charts: [{ ...chart, chart_typ: 'bar' }] }, 'charts.0.chart_typ', 'chart_type'],
    [
      `/import-jobs/${nobody}/preview`,
      { mapping: [{ column: 'a', action: 'map', feild: 'x' }] },
      'mapping.0.feild',
      'field',
    ],
    [
      `/import-jobs/${nobody}/preview`,
      { import_options: { default_value: {} } },
      'import_options.default_value',
      'default_values',
    ],
    ['/notes', { content: 'x', data: { visiblity: 'private' } }, 'data.visiblity', 'visibility'],
    ['/bulk', { action: 'delete', object_name: 'contacts', filter: {} }, 'filter', 'filters'],
  ])('below another in a body of %s is told with its place: %j', async (path, body, place, meant) => {
    const reply = await admin.post(path, body);
    expectError(reply, 'VALIDATION_ERROR');
    const message = `"${place}" is not known here (did you mean "${meant}"?)`;
    expect([messageOf(reply), reply.json.field_errors]).toEqual([message, [{ field: place, message }]]);
  });

  it.each<[what: string, ask: (id: string) => Promise<Reply>, meant: string]>([
    ['a provider', () => admin.post('/accounts', { provider: 'imapp' }), 'imap'],
    ['a channel', () => admin.post('/messages/preview', { channel: 'emial', body: 'x' }), 'email'],
    ['a section', (id) => admin.get(`/activity/opportunities/${id}`, { include: 'taks' }), 'tasks'],
    ['a step', (id) => move(id, { pipeline_step_id: 'Propsal' }), 'Proposal'],
    ['a pipeline', (id) => move(id, { pipeline_step_id: 'Lead', pipeline_id: 'Saels' }), 'Sales'],
    [
      'a step that is written',
      () => admin.post('/records/opportunities', { name: 'x', pipeline: 'Propsal' }),
      'Proposal',
    ],
    ['an object of a list', () => admin.post('/lists', { name: 'x', object_types: ['contact'] }), 'contacts'],
    [
      'what a task is linked to',
      (id) => admin.post('/tasks', { title: 'x', linked_entities: [{ id, type: 'contact' }] }),
      'contacts',
    ],
    ['one of a few', () => admin.post('/bulk', { action: 'update_fields', object_name: 'contacts' }), 'update_field'],
    ['a layout', () => admin.post('/views', { object_name: 'contacts', name: 'x', layout: 'tabel' }), 'table'],
    [
      'a type of events',
      () => admin.post('/webhooks', { url: 'https://x.test', events: ['record.creatd'] }),
      'record.created',
    ],
  ])('of %s is told with the nearest, and with all that there are', async (_what, ask, meant) => {
    const { id } = await create(admin, 'opportunities', { name: 'Deal' });
    const reply = await ask(id);
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining(`(did you mean "${meant}"?)`)]);
    expect(reply.json.available_values).toContain(meant);
  });

  it.each([
    ['eq', 'equals'],
    ['!=', 'not_equals'],
    ['gte', 'greater_equal'],
    ['GT', 'greater_than'],
    ['startswith', 'starts_with'],
    ['Contains', 'contains'],
  ])('of an operator, %s, is told with %s', async (operator, meant) => {
    const told = `operator must be one of the filter operators, not "${operator}" (did you mean "${meant}"?)`;
    const filters = { field: 'first_name', operator, value: 'x' };
    const reply = await admin.get('/records/contacts', { filters });
    expectError(reply, 'VALIDATION_ERROR');
    expect(messageOf(reply)).toBe(`filters.${told}`);
    const simple = { filter_field: 'first_name', filter_operator: operator, filter_value: 'x' };
    expect(messageOf(await admin.get('/records/contacts', simple))).toBe(`filter_${told}`);
  });
});

describe('a value that does not fit', () => {
  const long = 'x'.repeat(1_000_000);
  const cases: [object: string, field: string, value: unknown, message: string | RegExp][] = [
    ['companies', 'industry', 'Softwear', /industry must be one of its options, not "Softwear"/],
    ['companies', 'employees', 'many', 'employees must be a whole number such as 1200, not "many"'],
    ['companies', 'employees', 1.5, 'employees must be a whole number such as 1200, not 1.5'],
    ['companies', 'annual_revenue', '12,5', /a number such as 1200\.5, or \{ "amount": 1200\.5, .*, not "12,5"$/],
    ['companies', 'annual_revenue', { amount: '12' }, /a number such as 1200\.5, or .*, not "12"$/],
    ['companies', 'annual_revenue', { amount: 1, currency: 'Euro' }, /a currency code such as EUR, not "Euro"$/],
    ['contacts', 'birthday', '31.01.2026', 'birthday must be a date such as 2026-01-31, not "31.01.2026"'],
    ['contacts', 'birthday', 20260131, 'birthday must be a date such as 2026-01-31, not 20260131'],
    ['contacts', 'first_name', ['Ada'], 'first_name must be a text, not a list'],
    ['contacts', 'do_not_contact', 'perhaps', 'do_not_contact must be true or false, not "perhaps"'],
    ['contacts', 'emails', ['ada'], 'emails must be an e-mail address such as anna@acme.com, not "ada"'],
    ['contacts', 'birthday', long, new RegExp(`, not "x{80}…"$`)],
    [
      'contacts',
      'company_id',
      'Globex & Sons',
      'company_id must be the id of a record of companies, not "Globex & Sons"; ' +
        'GET /api/v1/records/companies?search=Globex%20%26%20Sons looks for it',
    ],
    ['contacts', 'owner', 'ada', /a workspace user, not "ada"; GET \/api\/v1\/users\?search=ada looks for it$/],
    ['contacts', 'owner', '', /must be the id of a workspace user, not ""$/],
    ['opportunities', 'contacts', ['Ada'], /records of contacts|record of contacts, not "Ada"; GET .*search=Ada/],
    [
      'opportunities',
      'pipeline_step_id',
      'Nowhere',
      /the id or the name of a step of a pipeline, not "Nowhere"; one of: /,
    ],
  ];
  it.each(cases)('in %s.%s is repeated beside its shape', async (object, field, value, message) => {
    const base = object === 'contacts' ? {} : { name: 'x' };
    const reply = await admin.post(`/records/${object}`, { ...base, [field]: value });
    expectError(reply, 'VALIDATION_ERROR');
    if (typeof message === 'string') expect(messageOf(reply)).toBe(message);
    else expect(messageOf(reply)).toMatch(message);
    expect(messageOf(reply).length).toBeLessThan(2_000);
    expect(reply.json.field_errors[0].field).toBe(field);
    // What can be chosen is told beside the error, too.
    expect(reply.json.available_values !== undefined).toBe(messageOf(reply).includes('; one of: '));
  });

  it('leads to the record when the request that is told is sent', async () => {
    const { id } = await create(admin, 'companies', { name: 'Globex Corp' });
    const refused = messageOf(await admin.post('/records/contacts', { company_id: 'Globex Corp' }));
    const [, path = ''] = /GET (\S+) looks for it/.exec(refused) ?? [];
    const found = await admin.send(path);
    expect(found.json.data.map((record: { id: string }) => record.id)).toEqual([id]);
    const user = messageOf(await admin.post('/records/contacts', { owner: 'Ada Admin' }));
    const [, users = ''] = /GET (\S+) looks for it/.exec(user) ?? [];
    expect((await admin.send(users)).json.data[0].id).toBe(admin.workspaceUserId);
  });

  it.each([
    ['employees', 'greater_than', 'many', 'must be a number such as 1200.5, not "many"'],
    ['created_at', 'date_equals', 'today', 'must be a date such as 2026-01-31, not "today"'],
    ['id', 'equals', 'Acme', 'must be an id, not "Acme"'],
  ])('in a filter by %s too', async (field, operator, value, message) => {
    const reply = await admin.get('/records/companies', { filters: { field, operator, value } });
    expectError(reply, 'VALIDATION_ERROR');
    expect(messageOf(reply)).toBe(`The value of ${field} ${operator} ${message}`);
  });
});

describe('a value of another kind than the body takes', () => {
  it.each([
    ['/notifications', { read: false }, 'read must be true'],
    [`/webhooks/${nobody}/replay`, { delivery_ids: ['last'] }, 'delivery_ids.0 must be an id, not "last"'],
    ['/lists', { ...listWith({ value: '' }) }, 'fields.0.options.0.value must not be empty'],
    ['/lists', { ...listWith({ value: 'a' }), color: 'x'.repeat(60) }, 'color must have at most 50 characters'],
    ['/lists', { ...listWith({ value: 'a' }), description: 5 }, 'description must be text'],
  ])('in %s is told in plain words: %j', async (path, body, words) => {
    const reply = path === '/notifications' ? await admin.put(path, body) : await admin.post(path, body);
    expectError(reply, 'VALIDATION_ERROR');
    expect(messageOf(reply)).toContain(words);
    expect(reply.json.field_errors).toHaveLength(1);
  });
});

describe('a relation compared with a name', () => {
  const filterBy = (client: Client, field: string, operator: string, value: unknown) =>
    client.get('/records/contacts', { filters: { field, operator, value } });

  it.each([
    ['equals', 'Globex'],
    ['not_equals', 'Globex'],
    ['in', 'Globex,Initech'],
    ['in', ['01890a5d-ac96-774b-bcce-b302099a8057', 'Globex']],
  ])('%s %j is told what to filter by, which works', async (operator, value) => {
    const reply = await filterBy(admin, 'company_id', operator, value);
    expectError(reply, 'VALIDATION_ERROR');
    expect(messageOf(reply)).toBe(
      `The value of company_id ${operator} must be an id, not "Globex"; company_id.name is what its record is called`,
    );
    expect((await filterBy(admin, 'company_id.name', operator, value)).status).toBe(200);
  });

  it('is not told a name that the role does not see', async () => {
    const rights = { view: 'all' } as const;
    await addRole(kith, organization, 'No names', { '*': rights, companies: { ...rights, fields: { name: 'none' } } });
    await addRole(kith, organization, 'No companies', { '*': rights, companies: { view: 'none' } });
    for (const role of ['No names', 'No companies']) {
      const reply = await filterBy(await organization.user(role), 'company_id', 'equals', 'Globex');
      expect([role, messageOf(reply)]).toEqual([role, 'The value of company_id equals must be an id, not "Globex"']);
    }
  });

  it('is not sent elsewhere where it is no name, and no field of this record', async () => {
    const nothing = await filterBy(admin, 'company_id', 'equals', null);
    expect(messageOf(nothing)).toBe('The value of company_id equals must not be null; is_null finds what has no value');
    const user = await filterBy(admin, 'owner', 'equals', 'Ada');
    expect(messageOf(user)).toBe('The value of owner equals must be an id, not "Ada"');
  });
});

describe('an operator that a field does not take', () => {
  beforeAll(async () => {
    const relationConfig = { relationType: 'HAS_MANY', targetObjectName: 'contacts', inverseField: 'company_id' };
    const staff = { name: 'staff', type: 'RELATION', relationConfig };
    const reply = await admin.post('/manifest', { objects: [{ name: 'companies', fields: [staff] }] });
    if (reply.status !== 200) throw new Error(reply.text);
  });

  it.each(['is_null', 'is_not_null', 'is_empty', 'is_not_empty', 'equals', 'not_equals', 'in', 'not_in'])(
    'is told by its own name: %s',
    async (operator) => {
      for (const [object, field] of [
        ['companies', 'staff'],
        ['contacts', 'company_id.staff'],
      ]) {
        const reply = await admin.get(`/records/${object}`, { filters: { field, operator, value: 'x' } });
        expectError(reply, 'VALIDATION_ERROR');
        expect(messageOf(reply)).toBe(`${operator} does not work on ${field}`);
        expect(reply.json.field_errors).toEqual([{ field, message: `can't be filtered by ${operator}` }]);
      }
    },
  );
});

describe('the wrong place', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await create(admin, 'contacts', { first_name: 'Ada' }));
  });

  it('of a record that is not in the trash is said', async () => {
    for (const other of [id, crypto.randomUUID()]) {
      const restored = await admin.post(`/records/contacts/${other}/restore`);
      expectError(restored, 'RECORD_NOT_FOUND');
      expect(messageOf(restored)).toContain(`No record "${other}" in the trash of contacts`);
      const purged = await admin.delete(`/trash/contacts/${other}`);
      expect([purged.status, messageOf(purged)]).toEqual([restored.status, messageOf(restored)]);
    }
  });

  it('of records without a name for their list is said', async () => {
    for (const path of ['/import/contacts', '/records/contacts/batch/create']) {
      const reply = await admin.send(`/api/v1${path}`, json('POST', '[{"first_name":"Ada"}]'));
      expectError(reply, 'VALIDATION_ERROR');
      expect(messageOf(reply)).toBe('The body must be a JSON object: { "records": [ … ] }, not the list alone');
    }
    expect(messageOf(await admin.send('/api/v1/records/contacts', json('POST', '[]')))).toBe(
      'The body must be a JSON object, not a list',
    );
  });

  it('of null, where something is needed, is that of nothing', async () => {
    for (const path of ['/import/contacts', '/records/contacts/batch/create']) {
      for (const body of [{}, { records: null }, { records: [] }]) {
        const reply = await admin.post(path, body);
        expectError(reply, 'MISSING_REQUIRED_FIELD');
        expect(messageOf(reply)).toMatch(/^records is required/);
      }
      expectError(await admin.post(path, { records: 'x' }), 'VALIDATION_ERROR');
    }
  });
});
