/** Several who write one note at once: nothing is lost, nobody is told twice, and who may see the note is judged under its lock. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create } from './records.ts';
import { run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let bob: Client;
let company: string;
let deal: string;
let id: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  bob = await organization.user('Member');
  company = (await create(admin, 'companies', { name: 'Acme' })).id;
  deal = (await create(admin, 'opportunities', { name: 'Fleet' })).id;
});
afterAll(() => kith.stop());
beforeEach(async () => {
  id = (await admin.post('/notes', { content: 'One', data: { visibility: 'workspace' } })).json.note_id;
});

const put = (body: object, client = admin) => client.put(`/notes/${id}`, body);
const table = (name: string) => identifier(organization.schema, name);
const note = async () => (await admin.get(`/notes/${id}`)).json.note;

it('content, visibility and links that change at once are all changed', async () => {
  for (let round = 0; round < 10; round++) {
    const visibility = round % 2 === 0 ? 'private' : 'workspace';
    const linked_entities = [
      round % 2 === 0 ? { id: company, type: 'companies' } : { id: deal, type: 'opportunities' },
    ];
    const replies = await Promise.all([
      put({ content: `Round ${round}` }),
      put({ data: { visibility } }),
      put({ linked_entities }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { linked_entities: linked, ...rest } = await note();
    expect(rest).toMatchObject({ title: `Round ${round}`, visibility });
    expect(linked).toMatchObject(linked_entities);
  }
});

it('title and content are of the same change, whichever comes last', async () => {
  const contents = Array.from({ length: 8 }, (_, at) => `Line ${at}`);
  const replies = await Promise.all(contents.map((content, at) => put({ content }, at % 2 === 0 ? admin : bob)));
  expect(replies.map(({ status }) => status)).toEqual(contents.map(() => 200));
  const { title, content } = await note();
  expect(title).toBe(content);
});

it('whoever changes a note that its author makes private has changed it before, or finds none', async () => {
  for (let round = 0; round < 10; round++) {
    await put({ content: 'Mine', data: { visibility: 'workspace' } });
    const [made, changed] = await Promise.all([
      put({ data: { visibility: 'private' } }),
      put({ content: "Bob's" }, bob),
    ]);
    expect(made?.status).toBe(200);
    if (changed?.status !== 200) expect(changed?.json.code).toBe('RECORD_NOT_FOUND');
    expect((await note()).content).toBe(changed?.status === 200 ? "Bob's" : 'Mine');
    // Had Bob come after it, he would have changed what is not there for him.
    expect(await lastWriter()).toBe(admin.workspaceUserId);
  }
});

async function lastWriter(): Promise<unknown> {
  const rows = await run(
    kith,
    organization,
    sql`select h.actor_id from ${table('_history')} h where h.record_id = ${id}::uuid order by h.id desc limit 1`,
  );
  return rows[0]?.[0];
}

it('one deletion goes through, and changes beside it end before it or find nothing', async () => {
  const replies = await Promise.all([
    admin.delete(`/notes/${id}`),
    put({ linked_entities: [{ id: company, type: 'companies' }] }),
    admin.delete(`/notes/${id}`),
    put({ content: 'Two' }),
  ]);
  expect(new Set([replies[0], replies[2]].map((reply) => reply?.status))).toEqual(new Set([200, 400]));
  for (const reply of replies) if (reply.status !== 200) expect(reply.json.code).toBe('RECORD_NOT_FOUND');
  expect((await admin.get(`/notes/${id}`)).status).toBe(400);
  // Of a note that is deleted there are no links, whoever came last.
  const links = await run(
    kith,
    organization,
    sql`select h.action, h.links::text from ${table('_history')} h where h.record_id = ${id}::uuid and h.links is not null order by h.id`,
  );
  const actions = links.map(([action]) => action);
  expect(actions.length === 0 || actions.at(-1) === 'delete').toBe(true);
});

it('EVEN-02: a request that is sent several times at once with one key tells each user once', async () => {
  const body = { content: 'Once', mentioned_user_ids: [bob.workspaceUserId] };
  const key = { 'idempotency-key': 'at-once' };
  const replies = await Promise.all(Array.from({ length: 6 }, () => admin.post('/notes', body, key)));
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const told = await run(kith, organization, sql`select user_id from ${table('_notifications')}`);
  expect(told).toEqual([[bob.workspaceUserId]]);
});

it('two who link the same records the other way round do not wait for each other without end', async () => {
  const contacts = await Promise.all(
    Array.from({ length: 5 }, async (_, at) => (await create(admin, 'contacts', { first_name: `No ${at}` })).id),
  );
  const links = contacts.map((contact) => ({ type: 'contacts', id: contact }));
  const write = (at: number) =>
    admin.post('/notes', { content: 'x', linked_entities: at % 2 === 0 ? links : links.toReversed() });
  const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => write(at)));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
});
