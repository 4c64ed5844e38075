/** Real answers against the document: what a client generates from it holds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { fillWorkspace } from './all-types.ts';
import { documentFor, expectDescribed, operationOf, operationsIn, problemsOf, type Document } from './document.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let document: Document;
let values: Record<string, unknown>;
beforeAll(async () => {
  kith = await startKith({ KITH_RATE_LIMITS: '{"api:bulk":{"limit":3,"windowSeconds":600}}' });
  organization = await kith.organization();
  admin = organization.admin;
  values = await fillWorkspace(admin);
  document = await documentFor(admin);
});
afterAll(() => kith.stop());

const objects = [
  { object: 'contacts', one: 'Contact', many: 'Contacts', given: { first_name: 'Bob', emails: 'bob@acme.test' } },
  { object: 'companies', one: 'Company', many: 'Companies', given: { name: 'Globex', industry: 'software' } },
  { object: 'opportunities', one: 'Opportunity', many: 'Opportunities', given: { name: 'Deal', amount: 5 } },
  { object: 'things', one: 'Thing', many: 'Things', given: undefined },
];

describe.each(objects)('$object', ({ object, one, many, given }) => {
  it('answers as it is described', async () => {
    const body = given ?? values;
    expect(problemsOf(document, document.components.schemas[`${one}Create`], body)).toEqual([]);
    const created = await admin.post(`/records/${object}`, body);
    expectDescribed(document, `create${one}`, created);
    const path = `/records/${object}/${created.json.id}`;
    const got = await admin.get(path);
    expectDescribed(document, `get${one}`, got);
    expectDescribed(document, `list${many}`, await admin.get(`/records/${object}`, { limit: 1 }));
    expectDescribed(document, `list${many}`, await admin.get(`/records/${object}`, { fields: 'created_at' }));
    expectDescribed(document, `list${many}`, await admin.get(`/records/${object}`, { group_by: 'owner' }));
    expectDescribed(document, `update${one}`, await admin.put(path, body));
    expectDescribed(document, `get${one}History`, await admin.get(`${path}/history`));
    expectDescribed(document, `aggregate${many}`, await admin.get(`/aggregate/${object}`, { function: 'COUNT' }));
    expectDescribed(document, `aggregate${many}`, await admin.get(`/aggregate/${object}`, { group_by: 'owner' }));
    expectDescribed(
      document,
      `batchCreate${many}`,
      await admin.post(`/records/${object}/batch/create`, { records: [body, { no: 1 }] }),
    );
    expectDescribed(document, `delete${one}`, await admin.delete(path));
    expectDescribed(document, `list${many}Trash`, await admin.get(`/trash/${object}`));
    expectDescribed(document, `restore${one}`, await admin.post(`${path}/restore`));
  });

  it('shows exactly the keys that it describes', async () => {
    const page = await admin.get(`/records/${object}`, { limit: 1 });
    const record = (await admin.get(`/records/${object}/${page.json.data[0].id}`)).json.record;
    const { properties } = document.components.schemas[one];
    expect(Object.keys(record).toSorted()).toEqual(Object.keys(properties).toSorted());
  });

  it('takes the example that it shows of a create, but for its ids', async () => {
    const example = operationOf(document, `create${one}`).requestBody?.content['application/json']?.example;
    const { add_to_list_ids: _lists, create_list_name: _list, ...record } = example as Record<string, unknown>;
    const plain = Object.entries(record).filter(([, value]) => !JSON.stringify(value).includes('-7a11-7000-'));
    const taken = plain.filter(([key]) => !key.includes('pipeline'));
    const reply = await admin.post(`/records/${object}`, Object.fromEntries(taken));
    expect(reply.json, reply.text).toMatchObject({ action: 'created' });
  });
});

it('has every field filled somewhere', async () => {
  const { json } = await admin.get('/records/things', { limit: 100 });
  const filled = json.data.find(({ title }: { title: string }) => title === 'First');
  const empty = Object.entries(filled).filter(([, value]) => value === null || JSON.stringify(value) === '[]');
  expect(empty.map(([key]) => key)).toEqual([]);
});

it('describes aggregates of every kind', async () => {
  const aggregates = [
    { function: 'SUM', field: 'f_currency' },
    { function: 'SUM', field: 'f_currency', group_by: 'level' },
    { function: 'MAX', field: 'f_date' },
    { function: 'MEDIAN', field: 'f_datetime' },
    { function: 'AVG', field: 'f_number', group_by: 'f_date' },
    { function: 'COUNT_TRUE', field: 'f_boolean', group_by: 'f_multi_select' },
  ];
  await admin.post('/records/things', { ...values, f_currency: 5 });
  for (const query of aggregates) {
    const reply = await admin.get('/aggregate/things', query);
    expect(reply.status, reply.text).toBe(200);
    expectDescribed(document, 'aggregateThings', reply);
  }
});

it('answers all else as it is described', async () => {
  expectDescribed(document, 'getMe', await admin.get('/me'));
  expectDescribed(document, 'getMePermissions', await admin.get('/me/permissions'));
  expectDescribed(document, 'listLimits', await admin.get('/limits'));
  expectDescribed(document, 'listUsers', await admin.get('/users'));
  expectDescribed(document, 'getIntegrationsStatus', await admin.get('/integrations/status'));
  expectDescribed(document, 'listSchema', await admin.get('/schema'));
  expectDescribed(document, 'getSchema', await admin.get('/schema/contacts'));
  expectDescribed(document, 'pullManifest', await admin.get('/manifest'));
  const manifest = { objects: [{ name: 'contacts', fields: [{ name: 'nick', label: 'Nick', type: 'TEXT' }] }] };
  expectDescribed(document, 'applyManifest', await admin.post('/manifest', manifest));
  expectDescribed(
    document,
    'importContacts',
    await admin.post('/import/contacts', { records: [{ first_name: 'C' }, {}] }),
  );
  expectDescribed(document, 'exportContacts', await admin.get('/export/contacts'));
});

it('answers notes as it is described', async () => {
  const contact = (await admin.post('/records/contacts', { first_name: 'Noted' })).json.id;
  const linked_entities = [{ type: 'contacts', id: contact }];
  const created = await admin.post('/notes', { content: 'x', linked_entities, data: { visibility: 'workspace' } });
  expectDescribed(document, 'createNote', created);
  const path = `/notes/${created.json.note_id}`;
  expectDescribed(document, 'getNote', await admin.get(path));
  expectDescribed(document, 'listNotes', await admin.get('/notes', { limit: 1 }));
  expectDescribed(document, 'updateNote', await admin.put(path, { content: 'y' }));
  expectDescribed(document, 'updateNote', await admin.put(path, { content: '' }));
  expectDescribed(document, 'updateNote', await admin.put(path, { content: 'z' }, { 'if-match': '"old"' }));
  expectDescribed(document, 'deleteNote', await admin.delete(path));
});

it('answers of tasks and notifications as it is described', async () => {
  const member = await organization.user('Member');
  const contact = await admin.post('/records/contacts', { first_name: 'Dora' });
  const links = [{ id: contact.json.id, type: 'contacts' }];
  const body = { title: 'x', due_date: '2026-01-31', assigned_to_id: member.workspaceUserId, linked_entities: links };
  const made = await admin.post('/tasks', body);
  expectDescribed(document, 'createTask', made);
  const path = `/tasks/${made.json.task_id}`;
  expectDescribed(document, 'getTask', await admin.get(path));
  expectDescribed(document, 'listTasks', await admin.get('/tasks'));
  expectDescribed(document, 'updateTask', await admin.put(path, { priority: 'low', due_date: null }));
  expectDescribed(document, 'getTask', await admin.get(path));
  expectDescribed(document, 'completeTask', await member.put(`${path}/complete`, {}));
  expectDescribed(document, 'getTasksStats', await admin.get('/tasks/stats'));
  const told = await admin.get('/notifications');
  expect(told.json.total).toBe(1);
  expectDescribed(document, 'listNotifications', told);
  const one = `/notifications/${told.json.data[0].id}`;
  expectDescribed(document, 'markNotifications', await admin.put(one, { read: true }));
  expectDescribed(document, 'markNotifications', await admin.put(one, { read: false }));
  expectDescribed(document, 'markAllNotifications', await admin.put('/notifications', { read: true }));
  expectDescribed(document, 'deleteTask', await admin.delete(path));
  expectDescribed(document, 'getTask', await admin.get(path));
});

it('tells the tags and pages that it describes, and no others', async () => {
  const { id } = (await admin.post('/records/contacts', { first_name: 'F' })).json;
  await admin.delete(`/records/contacts/${(await admin.post('/records/contacts', { first_name: 'G' })).json.id}`);
  const page = { limit: 1 };
  const replies: [string, Reply][] = [
    ['listContacts', await admin.get('/records/contacts', page)],
    ['getContactHistory', await admin.get(`/records/contacts/${id}/history`, page)],
    ['listContactsTrash', await admin.get('/trash/contacts', page)],
    ['listUsers', await admin.get('/users', page)],
    ['getContact', await admin.get(`/records/contacts/${id}`)],
    ['createContact', await admin.post('/records/contacts', { first_name: 'H' })],
    ['updateContact', await admin.put(`/records/contacts/${id}`, { first_name: 'I' })],
    ['deleteContact', await admin.delete(`/records/contacts/${id}`)],
    ['restoreContact', await admin.post(`/records/contacts/${id}/restore`)],
    ['listSchema', await admin.get('/schema')],
    ['getMe', await admin.get('/me')],
  ];
  for (const [operationId, { headers, json }] of replies) {
    const described = Object.keys(operationOf(document, operationId).responses['200']?.headers ?? {});
    const told = ['ETag', 'X-Total-Count'].filter((name) => headers.has(name));
    expect(told, operationId).toEqual(['ETag', 'X-Total-Count'].filter((name) => described.includes(name)));
    if (told.includes('X-Total-Count')) expect(headers.get('x-total-count')).toBe(String(json.total));
    expect(headers.has('link'), operationId).toBe(json.nextCursor !== undefined);
  }
});

it('refuses as it is described', async () => {
  const stranger = kith.client('svc_nobody');
  expectDescribed(document, 'getContact', await admin.get('/records/contacts/none'));
  expectDescribed(document, 'createContact', await admin.post('/records/contacts', { nonsense: 1 }));
  expectDescribed(document, 'listContacts', await admin.get('/records/contacts', { filters: '{' }));
  expectDescribed(document, 'getSchema', await admin.get('/schema/nothing'));
  expectDescribed(document, 'getMe', await stranger.get('/me'));
  const { json } = await admin.post('/records/contacts', { first_name: 'Dora' });
  const stale = await admin.put(`/records/contacts/${json.id}`, { first_name: 'E' }, { 'if-match': '"old"' });
  expect(stale.status).toBe(412);
  expectDescribed(document, 'updateContact', stale);
  let last = await admin.get('/export/contacts');
  while (last.status === 200) last = await admin.get('/export/contacts');
  expect(last.status).toBe(429);
  expectDescribed(document, 'exportContacts', last);
});

it('fails as it is described', async () => {
  const broken = await kith.organization();
  const { database } = kith.database;
  await database.transaction('test', (tx) => tx.script(`drop table "${broken.schema}"._integrations`));
  const failed = await broken.admin.get('/integrations/status');
  expect(failed.status).toBe(500);
  expectDescribed(document, 'getIntegrationsStatus', failed);
});

it('brings an example of every body, and each fits', () => {
  let seen = 0;
  for (const { path, operation } of operationsIn(document)) {
    const bodies = [
      operation.requestBody?.content,
      (operation.responses['200'] ?? operation.responses['201'])?.content,
    ];
    for (const content of bodies) {
      const { schema, example } = content?.['application/json'] ?? {};
      if (schema === undefined) continue;
      seen++;
      expect(example, path).toBeDefined();
      expect(problemsOf(document, schema, example), `${path} ${operation.operationId}`).toEqual([]);
    }
  }
  expect(seen).toBeGreaterThan(operationsIn(document).length);
});
