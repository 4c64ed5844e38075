/** Organizations share nothing: an id of another one is answered as one that never was, on every route and in every place. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/http/routes.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { emailOf, ingest } from './conversations.ts';
import { create } from './records.ts';
import { account } from './sending.ts';

/** What no answer of another organization may hold. */
const secret = 'Umbrella';

interface Theirs {
  readonly company: string;
  readonly trashed: string;
  readonly contact: string;
  readonly user: string;
  readonly list: string;
  readonly account: string;
  readonly pipelineStep: string;
}

let kith: TestKith;
let mine: Client;
let theirAdmin: Client;
let theirs: Theirs;
/** One of mine, to be written to. */
let own: string;

beforeAll(async () => {
  kith = await startKith();
  mine = (await kith.organization()).admin;
  const their = await kith.organization({ adminName: `${secret} Admin` });
  theirAdmin = their.admin;
  const line = account(await emailOf(theirAdmin), ['email'], { account_email: `${secret}@mail.test` });
  await ingest(kith, their, [line]);
  const company = await create(theirAdmin, 'companies', { name: secret });
  const trashed = await create(theirAdmin, 'companies', { name: `${secret} gone` });
  await theirAdmin.delete(`/records/companies/${trashed.id}`);
  const made = await theirAdmin.post('/records/contacts', { first_name: secret, create_list_name: `${secret} list` });
  const { json: opportunity } = await theirAdmin.post('/records/opportunities', { name: secret });
  theirs = {
    company: company.id,
    trashed: trashed.id,
    contact: made.json.id,
    user: theirAdmin.workspaceUserId,
    list: made.json.created_list.id,
    account: (await theirAdmin.get('/accounts')).json.accounts[0].id,
    pipelineStep: opportunity.record.pipeline_step_id,
  };
  own = (await create(mine, 'companies', { name: 'Globex' })).id;
});
afterAll(() => kith.stop());

/** The same request twice, once about an id of theirs and once about none: status and text have to be the same but for the id. */
async function expectUnknown(id: string, ask: (id: string) => ReturnType<Client['get']>): Promise<void> {
  const none = randomUUID();
  const [known, unknown] = [await ask(id), await ask(none)];
  const plain = (text: string, of: string) =>
    text.replaceAll(of, 'ID').replace(/"(change_set|id|created_at|updated_at)":"[^"]*"/g, '"$1":""');
  expect([known.status, plain(known.text, id)]).toEqual([unknown.status, plain(unknown.text, none)]);
  expect(known.text).not.toContain(secret);
}

describe.each(routes.filter(({ path }) => path.includes(':id')))('$method $path', ({ method, path }) => {
  const objects = { companies: ['company', 'trashed'], contacts: ['contact'] } as const;
  for (const [object, kinds] of Object.entries(objects)) {
    it.each(kinds)(`knows no ${object} of others: %s`, async (kind) => {
      const body = method === 'POST' || method === 'PUT' || method === 'PATCH' ? '{}' : undefined;
      await expectUnknown(theirs[kind], (id) =>
        mine.send(`/api/v1${path.replace(':object', object).replace(':id', id)}`, {
          method,
          ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
        }),
      );
    });
  }
});

describe('an id of theirs as a value', () => {
  const writes: [what: string, kind: keyof Theirs, object: string, values: (id: string) => object][] = [
    ['a relation', 'company', 'contacts', (id) => ({ first_name: 'a', company_id: id })],
    ['links', 'contact', 'opportunities', (id) => ({ name: 'a', contacts: [id] })],
    ['an owner', 'user', 'companies', (id) => ({ name: 'a', owner: id })],
    ['a step', 'pipelineStep', 'opportunities', (id) => ({ name: 'a', pipeline_step_id: id })],
    ['a list to be added to', 'list', 'companies', (id) => ({ name: 'a', add_to_list_ids: [id] })],
  ];
  it.each(writes)('%s', async (_what, kind, object, values) => {
    await expectUnknown(theirs[kind], (id) => mine.post(`/records/${object}`, values(id)));
    if (object === 'companies')
      await expectUnknown(theirs[kind], (id) => mine.put(`/records/companies/${own}`, values(id)));
  });

  const reads: [what: string, kind: keyof Theirs, query: (id: string) => object][] = [
    ['a filter by id', 'company', (id) => ({ filter_field: 'id', filter_operator: 'equals', filter_value: id })],
    ['a filter by owner', 'user', (id) => ({ filter_field: 'owner', filter_operator: 'equals', filter_value: id })],
    ['a search', 'company', (id) => ({ search: id })],
  ];
  it.each(reads)('%s', async (_what, kind, query) => {
    await expectUnknown(theirs[kind], (id) => mine.get('/records/companies', { ...query(id) }));
  });
});

it('an account of theirs is not there', async () => {
  await expectUnknown(theirs.account, (id) => mine.post(`/accounts/${id}/sync`));
  await expectUnknown(theirs.account, (id) => mine.delete(`/accounts/${id}?purge=true`));
  expect((await theirAdmin.get('/accounts')).json.accounts).toMatchObject([{ id: theirs.account }]);
});

it('reads show nothing of theirs', async () => {
  // Streams have no end; there are no meetings; and what explains a record is below.
  const others = ['/notifications/stream', '/events/stream', '/meetings', '/explain'];
  const paths = routes.filter(
    ({ method, path, operation }) =>
      method === 'GET' && !path.includes(':id') && !others.includes(path) && !('personOnly' in operation),
  );
  expect(paths.length).toBeGreaterThan(10);
  const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/aggregate/:object': { function: 'COUNT' },
    '/search': { query: 'e' },
  };
  for (const { path } of paths) {
    for (const object of path.includes(':object') ? ['companies', 'contacts', 'opportunities'] : ['']) {
      const { status, text } = await mine.get(path.replace(':object', object), queries[path] ?? {});
      expect(status, `${path} ${text}`).toBe(200);
      for (const part of [secret, ...Object.values(theirs)]) expect(text, path).not.toContain(part);
    }
  }
});

it('explains nothing of a record or a user of theirs', async () => {
  const { workspaceUserId: user } = (await mine.get('/me')).json;
  await expectUnknown(theirs.company, (id) => mine.get('/explain', { user, object: 'companies', record: id }));
  const own = { object: 'companies', action: 'create' };
  await expectUnknown((await theirAdmin.get('/me')).json.workspaceUserId, (id) =>
    mine.get('/explain', { user: id, ...own }),
  );
});

it('what was tried has changed nothing of theirs', async () => {
  const { json } = await theirAdmin.get(`/records/companies/${theirs.company}/history`);
  expect(json.total).toBe(1);
  expect((await theirAdmin.get('/trash/companies')).json.total).toBe(1);
});
