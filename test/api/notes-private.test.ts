/**
 * A private note is there for its author alone. Whatever an admin or a colleague asks is answered as in a world in which the note
 * was never written: whether it was always private, was made so again, or is deleted.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import { explainAccess } from '../../src/operations/records/explain.ts';
import { purgeTrash } from '../../src/operations/records/trash.ts';
import { KithError } from '../../src/errors.ts';
import { createEngine, type Engine } from '../support/engine.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create } from './records.ts';

interface World {
  readonly name: string;
  readonly organization: TestOrganization;
  readonly author: Client;
  readonly colleague: Client;
  /** The note, or an id of nothing in the world without it. */
  readonly secret: string;
  readonly open: string;
  readonly contact: string;
  readonly case: string;
}

let kith: TestKith;
let engine: Engine;
const worlds: World[] = [];

const shared = { visibility: 'workspace' };
const secretText = '<p>Secret plan</p>';

/** How the note came to be what it is. */
const pasts: Readonly<Record<string, (author: Client, links: object, mentioned: string) => Promise<string>>> = {
  'without it': async () => newId(),
  'always private': (author, links) => write(author, { content: secretText, ...links }),
  'private with a mention': (author, links, mentioned) =>
    write(author, { content: secretText, ...links, mentioned_user_ids: [mentioned] }),
  'made private again': async (author, links) => {
    const id = await write(author, { content: 'Open at first', ...links, data: shared });
    await must(author.put(`/notes/${id}`, { content: secretText }));
    await must(author.put(`/notes/${id}`, { data: { visibility: 'private' } }));
    return id;
  },
  'private and deleted': async (author, links) => {
    const id = await write(author, { content: secretText, ...links });
    await must(author.delete(`/notes/${id}`));
    return id;
  },
};

async function must(reply: ReturnType<Client['get']>) {
  const { status, text, json } = await reply;
  if (status >= 300) throw new Error(text);
  return json;
}

const write = async (client: Client, body: object): Promise<string> =>
  (await must(client.post('/notes', body))).note_id;

const equals = (field: string, value: unknown) => ({ type: 'AND', conditions: [{ field, operator: 'equals', value }] });

async function makeWorld(name: string): Promise<World> {
  const organization = await kith.organization();
  const { admin } = organization;
  const author = await organization.user('Member');
  const colleague = await organization.user('Member');
  const relationConfig = { relationType: 'BELONGS_TO_ONE', targetObjectName: 'notes' };
  const fields = [
    { name: 'name', type: 'TEXT' },
    { name: 'note_id', type: 'RELATION', relationConfig },
  ];
  await apply(admin, { objects: [{ name: 'cases', displayField: 'name', fields }] });
  const contact = (await create(admin, 'contacts', { first_name: 'Anna' })).id;
  const links = { entity_type: 'contacts', entity_id: contact };
  const open = await write(author, { content: 'Open plan', ...links, data: shared });
  const secret = await pasts[name]!(author, links, colleague.workspaceUserId);
  const reference = name === 'without it' || name.endsWith('deleted') ? {} : { note_id: secret };
  const { id } = await must(author.post('/records/cases', { name: 'Case', ...reference }));
  return { name, organization, author, colleague, secret, open, contact, case: id };
}

beforeAll(async () => {
  kith = await startKith();
  engine = createEngine(kith.database.database);
  for (const name of Object.keys(pasts)) worlds.push(await makeWorld(name));
}, 60_000);
afterAll(() => kith.stop());

type Ask = (world: World, client: Client) => ReturnType<Client['get']>;

const get =
  (path: (world: World) => string, query: (world: World) => Readonly<Record<string, unknown>> = () => ({})): Ask =>
  (world, client) =>
    client.get(path(world), query(world));
const ofNote = (path = '') => get(({ secret }) => `/notes/${secret}${path}`);
const put =
  (body: object, tail = '', headers = {}): Ask =>
  ({ secret }, client) =>
    client.put(`/notes/${secret}${tail}`, body, headers);
const list = (query: (world: World) => Readonly<Record<string, unknown>> = () => ({})) => get(() => '/notes', query);
const aggregate = (query: (world: World) => Readonly<Record<string, unknown>> = () => ({})) =>
  get(() => '/aggregate/notes', query);

/** Nothing of these changes anything: each caller meets the same world. */
const surfaces: readonly (readonly [string, Ask])[] = [
  ['the list', list()],
  ['a page of the list', list(() => ({ limit: 1 }))],
  ['the list of a record', list(({ contact }) => ({ entity_type: 'contacts', entity_id: contact }))],
  ['a filter by the title', list(() => ({ filters: equals('title', 'Secret plan') }))],
  ['a filter by an earlier content', list(() => ({ filters: equals('content', 'Open at first') }))],
  ['a filter by the visibility', list(() => ({ filters: equals('visibility', 'private') }))],
  ['a filter by the author', list(({ author }) => ({ filters: equals('created_by', author.workspaceUserId) }))],
  ['a filter by the id', list(({ secret }) => ({ filters: equals('id', secret) }))],
  ['a filter by a link', list(({ contact }) => ({ filters: equals('contacts.id', contact) }))],
  ['a sort', list(() => ({ sort_by: 'title', sort_dir: 'asc' }))],
  ['a search', list(() => ({ search: 'plan' }))],
  ['a search for it', list(() => ({ search: 'secret' }))],
  ['the note itself', ofNote()],
  ['a change', put({ content: 'x' })],
  ['a change of nothing', put({})],
  ['a change of the visibility', put({ data: shared })],
  ['a change to a visibility that there is not', put({ data: { visibility: 'x' } })],
  ['a change to no text', put({ content: '' })],
  ['a change of links', ({ contact }, client) => client.put(`/notes/${contact}`, { linked_entities: [] })],
  ['a change of its links', put({ linked_entities: [] })],
  ['a change of its links to nothing', put({ linked_entities: [{ type: 'contacts', id: newId() }] })],
  ['a change that is tried', put({ content: 'x' }, '?dry_run=true')],
  ['a change of a state', put({ content: 'x' }, '', { 'if-match': '"5d41402abc4b2a76b9719d911017c592"' })],
  ['a deletion', ({ secret }, client) => client.delete(`/notes/${secret}`)],
  [
    'a deletion that is tried',
    ({ secret }, client) => client.send(`/api/v1/notes/${secret}?dry_run=true`, { method: 'DELETE' }),
  ],
  [
    'a note that is tried',
    ({ contact }, client) =>
      client.post('/notes?dry_run=true', { content: 'x', entity_type: 'contacts', entity_id: contact }),
  ],
  [
    'a link to it',
    ({ secret }, client) => client.post('/notes', { content: 'x', entity_type: 'contacts', entity_id: secret }),
  ],
  ['a mention of it', ({ secret }, client) => client.post('/notes', { content: 'x', mentioned_user_ids: [secret] })],
  ['the count', aggregate()],
  ['groups by visibility', aggregate(() => ({ group_by: 'visibility' }))],
  ['groups by author', aggregate(() => ({ group_by: 'created_by' }))],
  ['groups by title', aggregate(() => ({ group_by: 'title' }))],
  ['a distinct count', aggregate(() => ({ function: 'COUNT_DISTINCT', field: 'visibility' }))],
  ['a filtered count', aggregate(() => ({ filters: equals('title', 'Secret plan') }))],
  ['a searched count', aggregate(() => ({ search: 'secret' }))],
  ['records', get(() => '/records/notes')],
  ['the record', get(({ secret }) => `/records/notes/${secret}`)],
  ['the record as of a time', get(({ secret }) => `/records/notes/${secret}?as_of=2999-01-01`)],
  ['the history', get(({ secret }) => `/records/notes/${secret}/history`)],
  ['a change of the record', ({ secret }, client) => client.put(`/records/notes/${secret}`, { content: 'x' })],
  ['a deletion of the record', ({ secret }, client) => client.delete(`/records/notes/${secret}`)],
  ['a restore', ({ secret }, client) => client.post(`/records/notes/${secret}/restore`)],
  ['the trash', get(() => '/trash/notes')],
  ['a purge', ({ secret }, client) => client.delete(`/trash/notes/${secret}`)],
  ['an export', get(() => '/export/notes')],
  ['an import', (_world, client) => client.post('/import/notes', { records: [{ title: 'x' }] })],
  ['the contact', get(({ contact }) => `/records/contacts/${contact}`)],
  ['the history of the contact', get(({ contact }) => `/records/contacts/${contact}/history`)],
  ['rights', get(() => '/me/permissions')],
  ['the schema', get(() => '/schema/notes')],
  ['the interface', get(() => '/openapi.json')],
];

/** What leads to the note has its id, and what is not there has none: the answers are the same but for that. */
const withReference: readonly (readonly [string, Ask])[] = [
  ['a record that leads to it', get(({ case: id }) => `/records/cases/${id}`)],
  [
    'a filter through a relation',
    get(
      () => '/records/cases',
      () => ({ filters: equals('note_id.title', 'Secret plan') }),
    ),
  ],
  [
    'groups through a relation',
    get(
      () => '/records/cases',
      () => ({ group_by: 'note_id.title' }),
    ),
  ],
  [
    'a field through a relation',
    get(
      () => '/records/cases',
      () => ({ fields: 'name,note_id.title,note_id.content' }),
    ),
  ],
];

/** Ids in the order in which they come, and what else no two worlds have in common. */
function comparable(text: string): string {
  const names = new Map<string, string>();
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!names.has(id)) names.set(id, `id ${names.size}`);
      return names.get(id)!;
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"nextCursor":"[^"]+"/g, '"nextCursor":"cursor"')
    .replace(/Member \d+/g, 'Member');
}

const answer = async (world: World, client: Client, ask: Ask) => {
  const { status, headers, text } = await ask(world, client);
  return { status, total: headers.get('x-total-count'), warning: headers.get('warning'), text: comparable(text) };
};

const callers = [
  ['an admin', ({ organization }: World) => organization.admin],
  ['a colleague', ({ colleague }: World) => colleague],
] as const;

describe.each(callers)('to %s', (_caller, clientOf) => {
  it.each(surfaces)('NOTE2-02: %s is as if there was no private note', async (_name, ask) => {
    const [without, ...others] = worlds;
    const expected = await answer(without!, clientOf(without!), ask);
    for (const world of others)
      expect({ world: world.name, ...(await answer(world, clientOf(world), ask)) }).toEqual({
        world: world.name,
        ...expected,
      });
  });

  it.each(withReference)('NOTE2-02: %s tells nothing of the note', async (_name, ask) => {
    for (const world of worlds) {
      const { status, text } = await answer(world, clientOf(world), ask);
      expect([world.name, status, /secret|Open at first/i.test(text)]).toEqual([world.name, 200, false]);
    }
  });

  it('is never changed by any of it', async () => {
    for (const { author, secret, name } of worlds) {
      if (name === 'without it' || name.endsWith('deleted')) continue;
      const { note } = await must(author.get(`/notes/${secret}`));
      expect(note).toMatchObject({ title: 'Secret plan', content: secretText, visibility: 'private' });
      expect(note.linked_entities).toHaveLength(1);
    }
  });
});

it('its author sees it: the worlds are not the same', async () => {
  const seen = async ({ author }: World) => [
    (await must(author.get('/notes'))).total,
    (await must(author.get('/aggregate/notes'))).value,
    (await must(author.get('/notes', { search: 'secret' }))).total,
  ];
  expect(await Promise.all(worlds.map(seen))).toEqual([
    [1, 1, 0],
    [2, 2, 1],
    [2, 2, 1],
    [2, 2, 1],
    [1, 1, 0],
  ]);
});

describe('to an admin at the machine', () => {
  const told = async (world: World, operation: Operation, input: object) => {
    try {
      return JSON.stringify(await engine.perform(world.organization.admin.token, operation, input));
    } catch (error) {
      if (error instanceof KithError) return `${error.code} ${error.message}`;
      throw error;
    }
  };

  it('explaining access to it is explaining access to nothing', async () => {
    const users = await Promise.all(worlds.map(({ organization }) => must(organization.admin.get('/users'))));
    const answers = await Promise.all(
      worlds.map(({ secret }, at) =>
        told(worlds[at]!, explainAccess, {
          user: users[at].data[1].email,
          object: 'notes',
          record: secret,
          action: 'view',
        }),
      ),
    );
    expect(new Set(answers.map(comparable)).size).toBe(1);
    expect(answers[0]).toContain('RECORD_NOT_FOUND');
  });

  it('the removal of a contact, and of all of the trash, is as if there was none', async () => {
    const answers: string[][] = [];
    for (const world of worlds) {
      const { admin } = world.organization;
      const replies = [
        await admin.delete(`/records/contacts/${world.contact}`),
        await admin.delete(`/trash/contacts/${world.contact}`),
      ];
      const purged = await told(world, purgeTrash, { older_than_days: 0 });
      answers.push([...replies.map(({ text }) => comparable(text)), purged]);
    }
    for (const each of answers) expect(each).toEqual(['{"deleted":true}', '{"purged":true}', '{"purged":0}']);
    const { author, secret } = worlds[1]!;
    expect((await must(author.get(`/notes/${secret}`))).note.linked_entities).toEqual([]);
  });
});
