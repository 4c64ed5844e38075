/**
 * Rows that are of certain people alone, whatever their roles: private notes, threads of somebody's account. Also to an admin
 * they are not there: not counted, not named, not summed up, and not to be found through anything that leads to them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { sql } from '../../src/postgres/sql.ts';
import { addRole } from '../api/workspace.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { layThreads, type Threads } from './internal.ts';

let kith: TestKith;
let organization: TestOrganization;
let threads: Threads;
/** Two admins, and a seller who sees contacts of its own alone. */
let ada: Client;
let eve: Client;
let sam: Client;
let private_: string;
let open: string;
let bob: string;
/** Cases by their names. */
const cases = new Map<string, string>();

const must = async (reply: ReturnType<Client['get']>) => {
  const { status, text, json } = await reply;
  if (status !== 200) throw new Error(text);
  return json;
};
const equals = (field: string, value: string) => ({ type: 'AND', conditions: [{ field, operator: 'equals', value }] });

async function note(author: Client, title: string, visibility: string): Promise<string> {
  const id = newId();
  const table = threads.table('_notes');
  await threads.run(sql`insert into ${table} (id, created_at, updated_at, title, content, visibility, owner, created_by, search_text)
    values (${id}::uuid, now(), now(), ${title}, ${title}, ${visibility}, ${author.workspaceUserId}::uuid, ${author.workspaceUserId}::uuid, ${title.toLowerCase()})`);
  return id;
}

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ada = organization.admin;
  const relationTo = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE', targetObjectName }) as const;
  await must(
    ada.post('/manifest', {
      objects: [
        {
          name: 'cases',
          displayField: 'name',
          fields: [
            { name: 'name', type: 'TEXT' },
            { name: 'note_id', type: 'RELATION', relationConfig: relationTo('notes') },
          ],
        },
      ],
      roles: [
        {
          name: 'Seller',
          permissions: { '*': { view: 'all', create: true, update: 'all' }, contacts: { view: 'own' } },
        },
        {
          name: 'Ruled',
          permissions: { '*': { view: 'all' }, cases: { view: equals('note_id.title', 'Secret plan') } },
        },
      ],
    }),
  );
  eve = await organization.user('Admin');
  sam = await organization.user('Seller');
  threads = await layThreads(kith, organization);
  const shared = { label: 'Thread', type: 'RELATION', relationConfig: relationTo('letters') } as const;
  await threads.addField('cases', 'thread_id', shared, 'cases');
  const company = { label: 'Company', type: 'RELATION', relationConfig: relationTo('companies') } as const;
  await threads.addField('notes', 'company_id', company, '_notes');
  const rollup = { objectName: 'notes', relationField: 'company_id', function: 'COUNT' };
  await threads.addField('companies', 'note_count', { label: 'Notes', type: 'ROLLUP', isReadonly: true, rollup });
  private_ = await note(ada, 'Secret plan', 'private');
  open = await note(ada, 'Open plan', 'workspace');
  const { id: globex } = await must(ada.post('/records/companies', { name: 'Globex' }));
  await threads.run(sql`update ${threads.table('_notes')} set company_id = ${globex}::uuid`);
  bob = (await must(sam.post('/records/contacts', { first_name: 'Bob' }))).id;
  const other = (await must(ada.post('/records/contacts', { first_name: 'Other' }))).id;
  const made: readonly [string, string, string][] = [
    ['of a secret', private_, await threads.thread('To Bob', ada.workspaceUserId, [bob])],
    ['of a plan', open, await threads.thread('To nobody', ada.workspaceUserId, [])],
    ['of another', open, await threads.thread('To another', sam.workspaceUserId, [other])],
  ];
  for (const [name, noteId, thread] of made) {
    const { id } = await must(ada.post('/records/cases', { name, note_id: noteId }));
    await threads.run(sql`update ${threads.table('cases')} set thread_id = ${thread}::uuid where id = ${id}::uuid`);
    cases.set(name, id);
  }
});
afterAll(() => kith.stop());

const count = async (client: Client, query: object = {}) =>
  (await must(client.get('/aggregate/notes', { ...query }))).value;
const list = async (client: Client, query: object = {}) =>
  must(client.get('/records/cases', { sort_by: 'created_at', sort_dir: 'asc', ...query }));

describe('a private note', () => {
  it('is counted for its author alone, whoever asked before', async () => {
    for (let round = 0; round < 2; round++) {
      expect(await count(ada)).toBe(2);
      expect(await count(eve)).toBe(1);
      expect(await count(sam)).toBe(1);
    }
    const groups = await must(eve.get('/aggregate/notes', { group_by: 'visibility' }));
    expect(groups.results).toEqual([{ group: 'workspace', value: 1 }]);
    expect(await count(eve, { filters: equals('title', 'Secret plan') })).toBe(0);
    expect(await count(eve, { search: 'secret' })).toBe(0);
    expect(await count(ada, { search: 'secret' })).toBe(1);
  });

  it('is not named where a record leads to it', async () => {
    const labels = async (client: Client) =>
      (await list(client)).data.map((row: Record<string, unknown>) => row['note_id_display']);
    expect(await labels(ada)).toEqual(['Secret plan', 'Open plan', 'Open plan']);
    expect(await labels(eve)).toEqual([null, 'Open plan', 'Open plan']);
    const id = cases.get('of a secret');
    expect((await must(eve.get(`/records/cases/${id}`))).record.note_id_display).toBe(null);
    expect((await must(ada.get(`/records/cases/${id}`))).record.note_id_display).toBe('Secret plan');
    const past = await must(eve.get(`/records/cases/${id}`, { as_of: '2999-01-01', fields: 'note_id,note_id.title' }));
    expect(past.record).toMatchObject({ note_id_display: null, 'note_id.title': null });
    const exported = await must(eve.get('/export/cases'));
    expect(JSON.stringify(exported)).not.toContain('Secret');
  });

  it('is not found through a relation', async () => {
    const found = async (client: Client) =>
      (await list(client, { filters: equals('note_id.title', 'Secret plan') })).total;
    expect([await found(ada), await found(eve), await found(ada)]).toEqual([1, 0, 1]);
    const titles = async (client: Client) =>
      (await list(client, { sort_by: 'note_id.title', sort_dir: 'asc', fields: 'name,note_id.title' })).data.at(-1)[
        'note_id.title'
      ];
    expect(await titles(eve)).toBe(null); // nulls are last
    expect(await titles(ada)).toBe('Secret plan');
    const grouped = await list(eve, { group_by: 'note_id.title' });
    expect(Object.keys(grouped.counts).toSorted()).toEqual(['Open plan', 'uncategorized']);
    expect((await must(eve.get('/aggregate/cases', { group_by: 'note_id' }))).results).toContainEqual({
      group: private_,
      display: null,
      value: 1,
    });
  });

  it('is not what a rule of a role goes by, but for its author', async () => {
    const ruled = await organization.user('Ruled');
    expect((await list(ruled)).total).toBe(0);
    const own = await note(ruled, 'Secret plan', 'private');
    const { id } = await must(ada.post('/records/cases', { name: 'of the ruled' }));
    await threads.run(sql`update ${threads.table('cases')} set note_id = ${own}::uuid where id = ${id}::uuid`);
    expect((await list(ruled)).data.map((row: { id: string }) => row.id)).toEqual([id]);
    await threads.run(sql`delete from ${threads.table('cases')} where id = ${id}::uuid`);
  });

  it('is no record that another can refer to', async () => {
    const reply = await eve.post('/records/cases', { name: 'x', note_id: private_ });
    expect(reply.json.code).toBe('VALIDATION_ERROR');
  });

  it('is in the sum of a company for its author alone, also where a rule goes by the sum', async () => {
    const sums = async (client: Client) =>
      (await must(client.get('/records/companies'))).data.map((row: Record<string, unknown>) => row['note_count']);
    expect([await sums(ada), await sums(eve), await sums(ada)]).toEqual([[2], [1], [2]]);
    const many = { type: 'AND' as const, conditions: [{ field: 'note_count', operator: 'greater_than', value: 1 }] };
    const found = async (client: Client) => (await must(client.get('/records/companies', { filters: many }))).total;
    expect([await found(ada), await found(eve)]).toEqual([1, 0]);
    const permissions = { '*': { view: 'all' }, companies: { view: many } } as const;
    await addRole(kith, organization, 'Summed', permissions);
    const summed = await organization.user('Summed');
    expect((await must(summed.get('/records/companies'))).total).toBe(0);
    const own = await note(summed, 'Mine', 'private');
    await threads.run(
      sql`update ${threads.table('_notes')} set company_id = (select id from ${threads.table('companies')}) where id = ${own}::uuid`,
    );
    // As a write by an operation does.
    await threads.run(sql`update ${threads.table('_state')} set version = version + 1`);
    expect((await must(summed.get('/records/companies'))).data).toHaveLength(1);
    await threads.run(sql`delete from ${threads.table('_notes')} where id = ${own}::uuid`);
  });

  it('makes a right on all of them one on some', async () => {
    const { objects } = await must(eve.get('/me/permissions'));
    expect([objects.notes.view, objects.tasks.view, objects.contacts.view]).toEqual(['some', 'all', 'all']);
    expect(objects.letters).toBeUndefined();
  });
});

describe('a thread', () => {
  it('is there for the owner of its account, and for whoever sees a contact in it', async () => {
    const labels = async (client: Client) =>
      (await list(client)).data.map((row: Record<string, unknown>) => row['thread_id_display']);
    expect(await labels(ada)).toEqual(['To Bob', 'To nobody', 'To another']);
    expect(await labels(eve)).toEqual(['To Bob', null, 'To another']);
    expect(await labels(sam)).toEqual(['To Bob', null, 'To another']);
    const found = async (client: Client) =>
      (await list(client, { filters: equals('thread_id.subject', 'To nobody') })).total;
    expect([await found(ada), await found(eve), await found(sam)]).toEqual([1, 0, 0]);
  });

  it('goes out of sight with the contact', async () => {
    const label = async (client: Client) =>
      (await must(client.get(`/records/cases/${cases.get('of a secret')}`))).record.thread_id_display;
    expect(await label(eve)).toBe('To Bob');
    await must(ada.delete(`/records/contacts/${bob}`));
    expect([await label(eve), await label(sam), await label(ada)]).toEqual([null, null, 'To Bob']);
    await must(ada.post(`/records/contacts/${bob}/restore`));
    expect(await label(eve)).toBe('To Bob');
  });
});

describe('objects that operations of their own write', () => {
  const routes: readonly (readonly [string, (client: Client, object: string) => ReturnType<Client['get']>])[] = [
    ['list', (client, object) => client.get(`/records/${object}`)],
    ['get', (client, object) => client.get(`/records/${object}/${newId()}`)],
    ['history', (client, object) => client.get(`/records/${object}/${newId()}/history`)],
    ['create', (client, object) => client.post(`/records/${object}`, { title: 'x' })],
    ['batch', (client, object) => client.post(`/records/${object}/batch/create`, { records: [{ title: 'x' }] })],
    ['update', (client, object) => client.put(`/records/${object}/${newId()}`, { title: 'x' })],
    ['delete', (client, object) => client.delete(`/records/${object}/${newId()}`)],
    ['restore', (client, object) => client.post(`/records/${object}/${newId()}/restore`)],
    ['trash', (client, object) => client.get(`/trash/${object}`)],
    ['purge', (client, object) => client.delete(`/trash/${object}/${newId()}`)],
    ['import', (client, object) => client.post(`/import/${object}`, { records: [{ title: 'x' }] })],
    ['export', (client, object) => client.get(`/export/${object}`)],
  ];
  it.each(routes)('are no objects to %s', async (_what, ask) => {
    for (const object of ['tasks', 'notes', 'letters', 'threads']) {
      const { json } = await ask(ada, object);
      expect([json.code, json.available_values]).toEqual([
        'INVALID_OBJECT',
        ['contacts', 'companies', 'opportunities', 'cases'],
      ]);
    }
  });

  it('are in the schema, the internal ones as hidden ones', async () => {
    const names = async (query: object) =>
      (await must(ada.get('/schema', { ...query }))).objects.map(({ name }: { name: string }) => name);
    const told = ['contacts', 'companies', 'opportunities', 'tasks', 'notes', 'cases'];
    expect(await names({})).toEqual(told);
    expect((await names({ include_hidden: true })).toSorted()).toEqual(
      [...told, 'parties', 'letters', 'threads', 'interactions', 'events'].toSorted(),
    );
    expect(await must(ada.get('/schema/letters'))).toMatchObject({ isSystem: true, isHidden: true });
    expect((await ada.get('/aggregate/threads')).json.code).toBe('INVALID_OBJECT');
    expect((await ada.get('/openapi.json')).text).not.toContain('letters/');
  });

  it('are in no manifest, and none changes them', async () => {
    const { objects } = await must(ada.get('/manifest'));
    expect(objects.map(({ name }: { name: string }) => name)).toEqual([
      'contacts',
      'companies',
      'opportunities',
      'cases',
    ]);
    for (const name of ['tasks', 'notes', 'letters', 'threads']) {
      const reply = await ada.post('/manifest', { objects: [{ name, label: 'Mine' }] });
      expect([reply.json.code, reply.json.field_errors?.[0]?.field]).toEqual(['VALIDATION_ERROR', 'objects[0].name']);
    }
  });
});
