/** [spec: Notes] What people write down about records: the list, and how notes are written, changed and deleted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkTableName } from '../../src/model/names.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, fieldsIn, timestamp, uuid } from './records.ts';
import { run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let bob: Client;
let contact: string;
let company: string;
let deal: string;

beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());
beforeEach(async () => {
  organization = await kith.organization();
  ({ admin } = organization);
  bob = await organization.user('Member');
  contact = (await create(admin, 'contacts', { first_name: 'Anna', last_name: 'Lee' })).id;
  company = (await create(admin, 'companies', { name: 'Acme' })).id;
  deal = (await create(admin, 'opportunities', { name: 'Fleet' })).id;
});

const table = (name: string) => identifier(organization.schema, name);

async function write(body: object, client = admin): Promise<string> {
  const reply = await client.post('/notes', body);
  expect(reply.status, reply.text).toBe(201);
  return reply.json.note_id;
}

async function note(id: string, client = admin): Promise<Reply['json']> {
  const reply = await client.get(`/notes/${id}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.note;
}

async function list(query: object = {}, client = admin): Promise<Reply['json']> {
  const reply = await client.get('/notes', { ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

const titles = async (query: object = {}, client = admin) =>
  (await list(query, client)).data.map(({ title }: { title: string }) => title);

/** `[type, id]` of what the note is about. */
const links = async (id: string) =>
  (await note(id)).linked_entities.map((linked: { type: string; id: string }) => [linked.type, linked.id]);

const notifications = () =>
  run(
    kith,
    organization,
    sql`select n.user_id, n.kind, n.record_id, n.actor_id, o.name from ${table('_notifications')} n
      join ${table('_objects')} o on o.id = n.object_id order by n.user_id`,
  );

const shared = { data: { visibility: 'workspace' } };
const nobody = '0190f6c1-5b1e-7c3a-9d2f-3e8a61b7c904';

describe('POST /notes', () => {
  it('NOTE-01 to 06, NOTE2-03, NOTE2-07: makes a note, private unless told, and answers 201 with its id', async () => {
    const reply = await admin.post('/notes', { content: '<p>Called <b>Anna</b></p>' });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({ note_id: expect.stringMatching(uuid), action: 'created' });
    expect(await list()).toEqual({
      data: [
        {
          id: reply.json.note_id,
          title: 'Called Anna',
          content: '<p>Called <b>Anna</b></p>',
          visibility: 'private',
          created_by_display: { id: admin.workspaceUserId, display: 'Ada Admin', image: null },
          created_at: expect.stringMatching(timestamp),
          updated_at: expect.stringMatching(timestamp),
        },
      ],
      total: 1,
    });
    const open = await write({ content: 'For all', ...shared });
    expect((await note(open, bob)).visibility).toBe('workspace');
  });

  it.each([
    ['no content', {}],
    ['null', { content: null }],
    ['an empty text', { content: '' }],
    ['HTML without text', { content: '<p><br></p>' }],
    ['only what is removed', { content: '<img src="x.png"><script>alert(1)</script>' }],
  ])('NOTE2-03, ERRO-07, ERRO-32: %s is MISSING_REQUIRED_FIELD', async (_name, body) => {
    expectError(await admin.post('/notes', body), 'MISSING_REQUIRED_FIELD');
    expect((await list()).total).toBe(0);
  });

  it('takes what could run out of the content', async () => {
    const id = await write({ content: '<p onclick="x()">Hi<script>alert(1)</script></p><a href="javascript:x">y</a>' });
    expect((await note(id)).content).toBe('<p>Hi</p><a>y</a>');
  });

  it('NOTE2-04, NOTE2-05: links one record, several, and both together, each once', async () => {
    const both = await write({
      content: 'x',
      entity_type: 'contacts',
      entity_id: contact.toUpperCase(),
      linked_entities: [
        { type: 'contacts', id: contact },
        { type: 'companies', id: company },
        { type: 'opportunities', id: deal },
        { type: 'companies', id: company },
      ],
    });
    expect((await note(both)).linked_entities).toEqual([
      { id: contact, type: 'contacts', display: 'Anna Lee' },
      { id: company, type: 'companies', display: 'Acme' },
      { id: deal, type: 'opportunities', display: 'Fleet' },
    ]);
    expect(await links(await write({ content: 'x', entity_type: 'companies', entity_id: company }))).toEqual([
      ['companies', company],
    ]);
    expect(await links(await write({ content: 'x' }))).toEqual([]);
  });

  it.each([
    ['entity_type alone', () => ({ entity_type: 'contacts' }), 'MISSING_REQUIRED_FIELD', 'entity_id is required'],
    ['entity_id alone', () => ({ entity_id: contact }), 'MISSING_REQUIRED_FIELD', 'entity_type is required'],
    ['an entity_type that there is not, alone', () => ({ entity_type: 'tasks' }), 'VALIDATION_ERROR', '"tasks"'],
    ['an empty entity_type', () => ({ entity_type: '', entity_id: contact }), 'MISSING_REQUIRED_FIELD', 'entity_type'],
    ['an empty entity_id', () => ({ entity_type: 'contacts', entity_id: '' }), 'MISSING_REQUIRED_FIELD', 'entity_id'],
    ['a record that there is not', () => ({ entity_type: 'contacts', entity_id: nobody }), 'RECORD_NOT_FOUND', nobody],
    ['a record of another object', () => ({ entity_type: 'contacts', entity_id: deal }), 'RECORD_NOT_FOUND', ''],
    ['what is no id', () => ({ linked_entities: [{ type: 'companies', id: 'x' }] }), 'RECORD_NOT_FOUND', '"x"'],
    ['an unknown type', () => ({ linked_entities: [{ type: 'tasks', id: deal }] }), 'VALIDATION_ERROR', '"tasks"'],
    ['an unknown key', () => ({ title: 'Mine' }), 'VALIDATION_ERROR', '"title" is not known'],
    ['another value in data', () => ({ data: { owner: nobody } }), 'VALIDATION_ERROR', '"data.owner" is not known'],
  ])('ERRO-06, ERRO-32: %s is refused, and nothing is written', async (_name, body, code, message) => {
    const reply = await admin.post('/notes', { content: 'x', ...body() });
    expectError(reply, code);
    expect(reply.json.message).toContain(message);
    expect((await list()).total).toBe(0);
    expect(await run(kith, organization, sql`select 1 from ${table('_notes')}`)).toEqual([]);
  });

  it('NOTE-04: an unknown visibility is VALIDATION_ERROR with those that there are', async () => {
    const reply = await admin.post('/notes', { content: 'x', data: { visibility: 'public' } });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.available_values).toEqual(['workspace', 'private']);
    expect(fieldsIn(reply)).toEqual(['data.visibility']);
  });

  it('a record in the trash, or not visible, is not there', async () => {
    await admin.delete(`/records/contacts/${contact}`);
    const trashed = { content: 'x', entity_type: 'contacts', entity_id: contact };
    expectError(await admin.post('/notes', trashed), 'RECORD_NOT_FOUND');
    const permissions = { '*': { view: 'all', create: true }, companies: { view: 'own' } };
    await admin.post('/manifest', { roles: [{ name: 'Narrow', permissions }] });
    const narrow = await organization.user('Narrow');
    const hidden = { content: 'x', entity_type: 'companies', entity_id: company };
    const reply = await narrow.post('/notes', hidden);
    expectError(reply, 'RECORD_NOT_FOUND');
    const unknown = await narrow.post('/notes', { ...hidden, entity_id: nobody });
    expect(reply.text.replaceAll(company, nobody)).toBe(unknown.text);
  });

  it('NOTE2-06, NOTE2-10, NOTE2-11, EVEN-02: tells each mentioned user once, not the author, and reads nothing from the text', async () => {
    const eve = await organization.user('Viewer');
    const [me, first, second] = [admin.workspaceUserId, bob.workspaceUserId, eve.workspaceUserId];
    const id = await write({
      content: `<p>@Ada @Bob ${second}</p>`,
      mentioned_user_ids: [first, me, first.toUpperCase(), first],
    });
    expect(await notifications()).toEqual([[first, 'mention_in_note', id, me, 'notes']]);
    await write({ content: 'x', mentioned_user_ids: [second], ...shared });
    expect((await notifications()).map(([user]) => user)).toEqual(expect.arrayContaining([first, second]));
    await write({ content: 'x', mentioned_user_ids: [me] });
    expect(await notifications()).toHaveLength(2);
  });

  it('NOTE2-06: whoever is no active user is named, and nothing is written', async () => {
    await run(
      kith,
      organization,
      sql`update ${table('_users')} set is_active = false where id = ${bob.workspaceUserId}::uuid`,
    );
    const mentioned_user_ids = [admin.workspaceUserId, bob.workspaceUserId, nobody, 'x'];
    const reply = await admin.post('/notes', { content: 'x', mentioned_user_ids });
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual(['mentioned_user_ids', 'mentioned_user_ids', 'mentioned_user_ids']);
    for (const id of [bob.workspaceUserId, nobody, '"x"']) expect(reply.json.message).toContain(id);
    expect(reply.json.message).not.toContain(admin.workspaceUserId);
    expect((await list()).total).toBe(0);
    expect(await notifications()).toEqual([]);
  });

  it('is tried by dry_run, and done once by an Idempotency-Key', async () => {
    const body = { content: 'Once', mentioned_user_ids: [bob.workspaceUserId], ...shared };
    const tried = await admin.post('/notes?dry_run=true', body);
    expect([tried.status, tried.json.action]).toEqual([201, 'created']);
    expect([(await list()).total, await notifications()]).toEqual([0, []]);
    const key = { 'idempotency-key': 'note-1' };
    const replies = [await admin.post('/notes', body, key), await admin.post('/notes', body, key)];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[1]?.json).toEqual(replies[0]?.json);
    expect(replies[1]?.headers.get('idempotent-replayed')).toBe('true');
    expect([(await list()).total, (await notifications()).length]).toEqual([1, 1]);
  });
});

describe('the title of a note', () => {
  const long = 'We met at the fair and talked about the fleet, the depot and everything else that they need next year';
  it.each([
    ['a heading', '<h1>Kick-off</h1><p>Who was there</p>', 'Kick-off'],
    ['the first paragraph', '<p> </p><p>First &amp; <i>last</i></p><p>Second</p>', 'First & last'],
    ['plain text', 'Just\na line', 'Just a line'],
    ['entities', '<p>Smith &amp;amp; Sons &lt;b&gt; caf&eacute;&nbsp;bar</p>', 'Smith &amp; Sons <b> café bar'],
    ['the first item', '<ul><li>Bring the offer</li><li>Ask</li></ul>', 'Bring the offer'],
    ['80 characters', `<p>${'x'.repeat(80)}</p>`, 'x'.repeat(80)],
    [
      'a long text, cut at a word',
      `<p>${long}</p>`,
      'We met at the fair and talked about the fleet, the depot and everything else…',
    ],
    ['a word without end', `<p>${'x'.repeat(81)}</p>`, `${'x'.repeat(79)}…`],
    ['signs of several units, uncut', `<p>${'👩‍🚒'.repeat(81)}</p>`, `${'👩‍🚒'.repeat(79)}…`],
    ['nothing to see', '<p>\u200b</p>', 'Note'],
  ])('NOTE-02: is of %s', async (_name, content, title) => {
    expect((await note(await write({ content }))).title).toBe(title);
  });
});

describe('PUT /notes/{id}', () => {
  let id: string;
  beforeEach(async () => {
    id = await write({ content: '<h2>One</h2>', entity_type: 'contacts', entity_id: contact, ...shared });
  });
  const put = (body: object, client = admin) => client.put(`/notes/${id}`, body);

  it('NOTE-02, NOTE2-08: content makes the title anew; the rest stays', async () => {
    const before = await note(id);
    expect((await put({ content: '<h2>Two</h2>' })).json).toEqual({ note_id: id, action: 'updated' });
    expect(await note(id)).toEqual({
      ...before,
      title: 'Two',
      content: '<h2>Two</h2>',
      updated_at: expect.not.stringMatching(before.updated_at),
    });
    expect(await titles({ search: 'two' })).toEqual(['Two']);
    expect(await titles({ search: 'one' })).toEqual([]);
  });

  it('NOTE2-08: linked_entities replaces all links, absent keeps them', async () => {
    const linked_entities = [{ id: company, type: 'companies' }];
    await put({ linked_entities });
    expect(await links(id)).toEqual([['companies', company]]);
    await put({ content: 'x' });
    expect(await links(id)).toEqual([['companies', company]]);
    await put({ linked_entities: [] });
    expect(await links(id)).toEqual([]);
  });

  it('NOTE2-08: a link to what is in the trash may stay, and none is made', async () => {
    await admin.delete(`/records/contacts/${contact}`);
    const linked_entities = [
      { id: contact, type: 'contacts' },
      { id: company, type: 'companies' },
    ];
    expect((await put({ linked_entities })).status).toBe(200);
    expect(await links(id)).toEqual([
      ['contacts', contact],
      ['companies', company],
    ]);
    await put({ linked_entities: [] });
    expectError(await put({ linked_entities, content: 'other' }), 'RECORD_NOT_FOUND');
    expect([await links(id), (await note(id)).title]).toEqual([[], 'One']);
  });

  it('NOTE2-08: data.visibility changes who sees it, absent keeps it', async () => {
    await put({ data: { visibility: 'private' } });
    expect([(await note(id)).visibility, (await list({}, bob)).total]).toEqual(['private', 0]);
    await put({ content: 'x', data: {} });
    expect((await note(id)).visibility).toBe('private');
    await put({ data: { visibility: 'workspace' } });
    expect((await note(id, bob)).visibility).toBe('workspace');
  });

  it('lets its author alone change the visibility, whoever else may change the content', async () => {
    expect((await put({ content: 'By Bob', data: { visibility: 'workspace' } }, bob)).status).toBe(200);
    expectError(await put({ content: 'Gone', data: { visibility: 'private' } }, bob), 'PERMISSION_DENIED');
    expect(await note(id)).toMatchObject({ content: 'By Bob', visibility: 'workspace' });
    id = await write({ content: 'Of Bob', ...shared }, bob);
    expectError(await put({ data: { visibility: 'private' } }), 'PERMISSION_DENIED');
    expect((await put({ data: { visibility: 'private' } }, bob)).status).toBe(200);
  });

  it('NOTE2-12: mentions nobody', async () => {
    expect((await put({ content: 'x', mentioned_user_ids: [bob.workspaceUserId, 'x'] })).status).toBe(200);
    expect((await put({ mentioned_user_ids: 5 })).status).toBe(200);
    expect(await notifications()).toEqual([]);
  });

  it.each([
    ['content without text', { content: '<p></p>' }, 'MISSING_REQUIRED_FIELD'],
    ['no content', { content: null }, 'MISSING_REQUIRED_FIELD'],
    ['content that is no text', { content: 5 }, 'VALIDATION_ERROR'],
    ['an unknown visibility', { data: { visibility: 'mine' } }, 'VALIDATION_ERROR'],
    ['a title', { title: 'x' }, 'VALIDATION_ERROR'],
    ['a single link', { entity_type: 'contacts', entity_id: nobody }, 'VALIDATION_ERROR'],
    ['a link to nothing', { linked_entities: [{ type: 'contacts', id: nobody }] }, 'RECORD_NOT_FOUND'],
  ])('refuses %s, and changes nothing', async (_name, body, code) => {
    const before = await note(id);
    expectError(await put(body), code);
    expect(await note(id)).toEqual(before);
  });

  it('ERRO-06: is RECORD_NOT_FOUND for what there is not, and in the trash', async () => {
    for (const unknown of [nobody, 'x']) {
      expectError(await admin.put(`/notes/${unknown}`, { content: 'x' }), 'RECORD_NOT_FOUND');
      expectError(await admin.get(`/notes/${unknown}`), 'RECORD_NOT_FOUND');
      expectError(await admin.delete(`/notes/${unknown}`), 'RECORD_NOT_FOUND');
    }
    await admin.delete(`/notes/${id}`);
    expectError(await put({ content: 'x' }), 'RECORD_NOT_FOUND');
  });

  it('takes a note as it was read, and other keys only as they are stored', async () => {
    const before = await note(id);
    expect((await put(before)).json).toEqual({ note_id: id, action: 'updated' });
    const after = await note(id);
    expect(after).toEqual({ ...before, updated_at: after.updated_at });
    for (const body of [{ title: 'Two' }, { created_by_display: null }, { no_key: 1 }, { id: nobody }])
      expectError(await put({ content: 'x', ...body }), 'VALIDATION_ERROR');
    expect(await note(id)).toEqual(after);
  });

  it('goes on only from the state that If-Match names', async () => {
    const etag = (await admin.get(`/notes/${id}`)).headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const match = { 'if-match': etag };
    expect((await admin.put(`/notes/${id}`, { content: 'Two' }, match)).status).toBe(200);
    const stale = await admin.put(`/notes/${id}`, { content: 'Three', linked_entities: [] }, match);
    expectError(stale, 'CONFLICT', 412);
    expect(stale.json.field_errors).toEqual([{ field: 'content', message: 'content is now "Two"' }]);
    expect((await note(id)).title).toBe('Two');
  });
});

describe('DELETE /notes/{id}', () => {
  it('NOTE2-09: deletes the note and its links', async () => {
    const id = await write({ content: 'x', entity_type: 'contacts', entity_id: contact });
    const other = await write({ content: 'y', entity_type: 'contacts', entity_id: contact });
    expect((await admin.send(`/api/v1/notes/${id}?dry_run=true`, { method: 'DELETE' })).status).toBe(200);
    expect(await links(id)).toEqual([['contacts', contact]]);
    const reply = await admin.delete(`/notes/${id}`);
    expect([reply.status, reply.json]).toEqual([200, { deleted: true }]);
    expectError(await admin.delete(`/notes/${id}`), 'RECORD_NOT_FOUND');
    expect(await titles()).toEqual(['y']);
    const fields = await run(
      kith,
      organization,
      sql`select f.id from ${table('_fields')} f join ${table('_objects')} o on o.id = f.object_id
        where o.name = 'notes' and f.definition ->> 'type' = 'MANY_TO_MANY'`,
    );
    expect(fields).toHaveLength(3);
    const sources = await Promise.all(
      fields.map(([field]) => run(kith, organization, sql`select source_id from ${table(linkTableName(field ?? ''))}`)),
    );
    expect(sources.flat(2)).toEqual([other]);
  });

  it('ERRO-05: is for whom the role lets', async () => {
    const id = await write({ content: 'x', ...shared });
    expectError(await bob.delete(`/notes/${id}`), 'PERMISSION_DENIED'); // Members delete their own
    const viewer = await organization.user('Viewer');
    expectError(await viewer.put(`/notes/${id}`, { content: 'y' }), 'PERMISSION_DENIED');
    expectError(await viewer.post('/notes', { content: 'y' }), 'PERMISSION_DENIED');
    const own = await write({ content: 'y', ...shared }, bob);
    expect((await bob.delete(`/notes/${own}`)).status).toBe(200);
    expect((await note(id, viewer)).title).toBe('x');
  });
});
