/** [spec: Notes] Pages of notes: which there are, their order, and what a role shows of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, expectError } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let bob: Client;
let contact: string;
let company: string;

/** By title. */
const ids = new Map<string, string>();

async function write(client: Client, title: string, body: object = {}): Promise<void> {
  const reply = await client.post('/notes', { content: `<p>${title}</p>`, ...body });
  expect(reply.status, reply.text).toBe(201);
  ids.set(title, reply.json.note_id);
}

async function list(query: object = {}, client = admin): Promise<Reply['json']> {
  const reply = await client.get('/notes', { ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

const titles = async (query: object = {}, client = admin) =>
  (await list(query, client)).data.map(({ title }: { title: string }) => title);

const shared = { data: { visibility: 'workspace' } };
const one = (field: string, operator: string, value?: unknown) => ({
  type: 'AND',
  conditions: [{ field, operator, value }],
});

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  bob = await organization.user('Member');
  contact = (await create(admin, 'contacts', { first_name: 'Anna' })).id;
  company = (await create(admin, 'companies', { name: 'Acme' })).id;
  await write(admin, 'Charlie', { entity_type: 'contacts', entity_id: contact, ...shared });
  await write(admin, 'Alpha', { entity_type: 'companies', entity_id: company });
  await write(bob, 'Bravo', { entity_type: 'contacts', entity_id: contact, ...shared });
  await write(bob, 'Delta', { entity_type: 'contacts', entity_id: contact });
});
afterAll(() => kith.stop());

describe('GET /notes', () => {
  it("NOTE2-01, NOTE2-02: has those of the workspace and the caller's own private ones, the newest first", async () => {
    expect(await titles()).toEqual(['Bravo', 'Alpha', 'Charlie']);
    expect(await titles({}, bob)).toEqual(['Delta', 'Bravo', 'Charlie']);
    const page = await list({}, bob);
    expect([page.total, Object.keys(page)]).toEqual([3, ['data', 'total']]);
    expect(page.data.map((row: Reply['json']) => row.created_by_display.id)).toEqual([
      bob.workspaceUserId,
      bob.workspaceUserId,
      admin.workspaceUserId,
    ]);
  });

  it('NOTE2-01: of a record', async () => {
    expect(await titles({ entity_type: 'contacts', entity_id: contact })).toEqual(['Bravo', 'Charlie']);
    expect(await titles({ entity_type: 'contacts', entity_id: contact }, bob)).toEqual(['Delta', 'Bravo', 'Charlie']);
    expect(await titles({ entity_type: 'companies', entity_id: company.toUpperCase() })).toEqual(['Alpha']);
    expect(await titles({ entity_type: 'opportunities', entity_id: contact })).toEqual([]);
  });

  it.each([
    ['the type alone', { entity_type: 'contacts' }, 'MISSING_REQUIRED_FIELD'],
    ['the id alone', { entity_id: crypto.randomUUID() }, 'MISSING_REQUIRED_FIELD'],
    ['an unknown type', { entity_type: 'notes', entity_id: crypto.randomUUID() }, 'VALIDATION_ERROR'],
    ['what is no id', { entity_type: 'contacts', entity_id: 'x' }, 'RECORD_NOT_FOUND'],
    ['an unknown parameter', { visibility: 'private' }, 'VALIDATION_ERROR'],
    ['filters that are not JSON', { filters: '{' }, 'VALIDATION_ERROR'],
    ['a filter by an unknown field', { filters: one('mood', 'equals', 'x') }, 'INVALID_FIELD'],
    ['an unknown field to sort by', { sort_by: 'mood' }, 'INVALID_FIELD'],
    ['another direction', { sort_dir: 'up' }, 'VALIDATION_ERROR'],
    ['a cursor that is none', { cursor: 'x' }, 'VALIDATION_ERROR'],
  ])('refuses %s', async (_name, query, code) => {
    expectError(await admin.get('/notes', query), code);
  });

  it('NOTE2-01: filters, sorts and searches', async () => {
    expect(await titles({ filters: one('visibility', 'equals', 'private') })).toEqual(['Alpha']);
    expect(await titles({ filters: one('content', 'contains', 'RAV') })).toEqual(['Bravo']);
    expect(await titles({ filters: one('created_by', 'equals', bob.workspaceUserId) })).toEqual(['Bravo']);
    const about = { entity_type: 'contacts', entity_id: contact };
    expect(await titles({ ...about, filters: one('title', 'starts_with', 'C') })).toEqual(['Charlie']);
    expect(await titles({ sort_by: 'title', sort_dir: 'asc' })).toEqual(['Alpha', 'Bravo', 'Charlie']);
    expect(await titles({ sort_by: 'title' })).toEqual(['Alpha', 'Bravo', 'Charlie'].toReversed());
    const sort = [
      { field: 'visibility', direction: 'desc' },
      { field: 'title', direction: 'asc' },
    ];
    expect(await titles({ sort, sort_by: 'created_at' })).toEqual(['Bravo', 'Charlie', 'Alpha']);
    expect(await titles({ search: 'alph' })).toEqual(['Alpha']);
  });

  it('PSL-03, NOTE2-01: goes page by page, 20 a page and at most 100', async () => {
    const many = await kith.organization();
    for (let at = 0; at < 21; at++) await many.admin.post('/notes', { content: `No ${at}` });
    const first = await list({}, many.admin);
    expect([first.data.length, first.total, typeof first.nextCursor]).toEqual([20, 21, 'string']);
    const last = await list({ cursor: first.nextCursor }, many.admin);
    expect(last.data.map(({ title }: { title: string }) => title)).toEqual(['No 0']);
    expect([last.total, last.nextCursor]).toEqual([21, undefined]);
    const clamped = await many.admin.get('/notes', { limit: 1000 });
    expect(clamped.headers.get('warning')).toContain('limit goes from 1 to 100');
    expectError(await many.admin.get('/notes', { limit: 'ten' }), 'VALIDATION_ERROR');
    expectError(await many.admin.get('/notes', { cursor: first.nextCursor, sort_by: 'title' }), 'VALIDATION_ERROR');
    expect(clamped.json.data).toHaveLength(21);
  });

  it('has no note that is deleted', async () => {
    await write(admin, 'Echo');
    await admin.delete(`/notes/${ids.get('Echo')}`);
    expect(await titles({ search: 'echo' })).toEqual([]);
  });
});

describe('the rules of a role', () => {
  const permissions = (notes: object) => ({ '*': { view: 'all', create: true, update: 'all', delete: 'all' }, notes });
  beforeAll(async () => {
    await apply(admin, {
      roles: [
        { name: 'Own', permissions: permissions({ view: 'own' }) },
        { name: 'None', permissions: permissions({ view: 'none', create: false }) },
        { name: 'Writer', permissions: permissions({ view: 'none' }) },
        { name: 'Titled', permissions: permissions({ fields: { created_by: 'none', created_at: 'none' } }) },
        { name: 'Blind', permissions: permissions({ fields: { content: 'none', contacts: 'none' } }) },
        { name: 'Fixed', permissions: permissions({ fields: { visibility: 'read' } }) },
      ],
    });
  });

  it('apply to notes under their name', async () => {
    const own = await organization.user('Own');
    expect(await titles({}, own)).toEqual([]);
    await write(own, 'Foxtrot', shared);
    expect(await titles({}, own)).toEqual(['Foxtrot']);
    expectError(await own.get(`/notes/${ids.get('Charlie')}`), 'RECORD_NOT_FOUND');
    expectError(await own.put(`/notes/${ids.get('Charlie')}`, { content: 'x' }), 'RECORD_NOT_FOUND');
    await admin.delete(`/notes/${ids.get('Foxtrot')}`);
  });

  it('ERRO-05: a role that sees none is denied, whatever it names', async () => {
    const none = await organization.user('None');
    for (const id of [ids.get('Charlie'), ids.get('Alpha'), crypto.randomUUID(), 'x']) {
      expectError(await none.get(`/notes/${id}`), 'PERMISSION_DENIED');
      expectError(await none.put(`/notes/${id}`, { content: 'x' }), 'PERMISSION_DENIED');
      expectError(await none.delete(`/notes/${id}`), 'PERMISSION_DENIED');
    }
    expectError(await none.get('/notes'), 'PERMISSION_DENIED');
    expectError(await none.post('/notes', { content: 'x' }), 'PERMISSION_DENIED');
    const paths = Object.keys((await none.get('/openapi.json')).json.paths);
    expect(paths.filter((path) => path.includes('notes'))).toEqual([]);
    const writer = await organization.user('Writer');
    expect((await writer.post('/notes', { content: 'x' })).status).toBe(201);
    expectError(await writer.get('/notes'), 'PERMISSION_DENIED');
  });

  it('hide fields, and go by id where the time is hidden', async () => {
    const titled = await organization.user('Titled');
    const [row] = (await list({}, titled)).data;
    expect(Object.keys(row)).toEqual(['id', 'title', 'content', 'visibility', 'updated_at']);
    expect(await titles({}, titled)).toEqual(['Bravo', 'Charlie']);
    expectError(await titled.get('/notes', { sort_by: 'created_at' }), 'INVALID_FIELD');
    const { note } = (await titled.get(`/notes/${row.id}`)).json;
    expect(Object.keys(note)).toEqual([...Object.keys(row), 'linked_entities']);
  });

  it('hide the title with the content, which it is made of, and links', async () => {
    const blind = await organization.user('Blind');
    const [row] = (await list({}, blind)).data;
    expect(Object.keys(row)).toEqual(['id', 'visibility', 'created_by_display', 'created_at', 'updated_at']);
    expect((await list({ search: 'Bravo' }, blind)).total).toBe(0);
    expectError(await blind.get('/notes', { sort_by: 'title' }), 'INVALID_FIELD');
    expectError(await blind.put(`/notes/${row.id}`, { content: 'x' }), 'VALIDATION_ERROR');
    const companies = [{ type: 'companies', id: company }];
    expect((await blind.put(`/notes/${row.id}`, { linked_entities: companies })).status).toBe(200);
    const linked = [
      { id: contact, type: 'contacts', display: 'Anna' },
      { id: company, type: 'companies', display: 'Acme' },
    ];
    expect((await admin.get(`/notes/${row.id}`)).json.note.linked_entities).toEqual(linked);
    expect((await blind.get(`/notes/${row.id}`)).json.note.linked_entities).toEqual(linked.slice(1));
    const contacts = [{ type: 'contacts', id: contact }];
    expectError(await blind.put(`/notes/${row.id}`, { linked_entities: contacts }), 'VALIDATION_ERROR');
  });

  it('keep a visibility that may only be read', async () => {
    const fixed = await organization.user('Fixed');
    expectError(await fixed.post('/notes', { content: 'x', ...shared }), 'PERMISSION_DENIED');
    await write(fixed, 'Golf');
    expect((await fixed.get(`/notes/${ids.get('Golf')}`)).json.note.visibility).toBe('private');
  });
});
