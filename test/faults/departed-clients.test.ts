/** A client that leaves ends what was begun for it: the statement at hand and all that would follow, but nothing that is committed. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { identifier, sql, statement, trusted, type Sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
const lists: string[] = [];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  for (let at = 0; at < 50; at++) {
    const { json } = await admin.post('/records/contacts', { create_list_name: `list ${at}` });
    lists.push(json.created_list.id);
  }
});
afterAll(() => kith.stop());

const rows = async (query: Sql) => (await kith.database.database.run('test', statement(query))).rows;
const table = (name: string) => identifier(organization.schema, name);
const count = async (name: string) => Number((await rows(sql`select count(*) from ${table(name)}`))[0]?.[0]);
/** Statements of the service that wait for a lock. */
const waiting = async () =>
  Number(
    (
      await rows(
        sql`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    )[0]?.[0],
  );

/** Keeps `name` locked while a client sends a request, and leaves when the service waits for the lock. */
async function expectEnded(name: string, mode: string, send: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const leaving = new AbortController();
  await kith.database.database.transaction('lock', async (tx) => {
    await tx.run(statement(sql`lock table ${table(name)} in ${trusted(mode)} mode`));
    const sent = send(leaving.signal).then(
      (reply) => `answered: ${JSON.stringify(reply)}`,
      (error: Error) => error.name,
    );
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    leaving.abort();
    expect(await sent).toBe('AbortError');
    // Nothing would end it before the time limit of its statement, ten seconds at least.
    await expect.poll(waiting, { timeout: 5_000, interval: 20 }).toBe(0);
  });
}

const get = (path: string) => (signal: AbortSignal) => admin.send(`/api/v1${path}`, { signal });
const post =
  (path: string, body: object, headers: Record<string, string> = {}) =>
  (signal: AbortSignal) =>
    admin.send(`/api/v1${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
      signal,
    });

describe('a client that leaves', () => {
  it('an aggregate', () => expectEnded('contacts', 'access exclusive', get('/aggregate/contacts')));

  it.each(['json', 'csv'])('an export as %s', (format) =>
    expectEnded('contacts', 'access exclusive', get(`/export/contacts?format=${format}`)),
  );

  it('a create', async () => {
    const before = await count('contacts');
    await expectEnded('contacts', 'share', post('/records/contacts', {}));
    expect(await count('contacts')).toBe(before);
  });

  it('a manifest', async () => {
    const manifest = { objects: [{ name: 'contacts', fields: [{ name: 'never', type: 'TEXT' }] }] };
    await expectEnded('_fields', 'share', post('/manifest', manifest));
    const { fields } = (await admin.get('/schema/contacts')).json;
    expect(fields.map(({ name }: { name: string }) => name)).not.toContain('never');
  });

  it('an import, of which nothing is there, and whose key is free', async () => {
    const before = await count('contacts');
    const records = Array.from({ length: 3_000 }, (_, at) => ({ first_name: `row ${at}` }));
    const headers = { 'idempotency-key': 'an-import' };
    await expectEnded('contacts', 'share', post('/import/contacts', { records }, headers));
    expect(await count('contacts')).toBe(before);
    const again = await admin.post('/import/contacts', { records }, headers);
    expect(again.json, again.text).toMatchObject({ created: 3_000 });
    expect(again.headers.get('idempotent-replayed')).toBeNull();
  });

  it('additions to lists, after the record was committed', async () => {
    const [records, entries] = [await count('contacts'), await count('_list_entries')];
    await expectEnded('_list_entries', 'share', post('/records/contacts', { add_to_list_ids: lists }));
    await sleep(200); // whatever went on would show by then
    expect(await count('contacts')).toBe(records + 1);
    expect(await count('_list_entries')).toBe(entries);
  });
});

it('the HTML of a client that leaves is not cleaned any more', async () => {
  const fields = ['a', 'b', 'c'].map((name) => ({ name, label: name, type: 'RICH_TEXT' }));
  const manifest = { objects: [{ name: 'contacts', fields }] };
  const other = await kith.organization();
  for (const client of [admin, other.admin]) expect((await client.post('/manifest', manifest)).status).toBe(200);
  const long = '<p>a</p>'.repeat(5_000);
  const begun = Promise.withResolvers<Worker>();
  process.once('worker', (worker) => begun.resolve(worker));
  await other.admin.post('/records/contacts', { a: long });
  const sent = vi.spyOn(await begun.promise, 'postMessage');
  const before = await count('contacts');
  const leaving = new AbortController();
  const asked = new Promise<void>((resolve) => {
    sent.mockImplementationOnce(() => resolve());
  });
  const near = new Promise<Socket>((resolve) => {
    const take = (message: unknown) => {
      unsubscribe('http.server.request.start', take);
      resolve((message as { socket: Socket }).socket);
    };
    subscribe('http.server.request.start', take);
  });
  const left = post('/records/contacts', { a: long, b: long, c: long })(leaving.signal).catch(() => {});
  await asked;
  const noticed = once(await near, 'close');
  const next = other.admin.post('/records/contacts', { a: long });
  leaving.abort();
  await Promise.all([left, noticed]);
  // The thread has never got that text; it says so of the next one.
  (await begun.promise).emit('message', { message: 'too late', isProblem: true });
  expect((await next).status).toBe(200);
  expect(sent).toHaveBeenCalledTimes(2);
  expect(await count('contacts')).toBe(before);
});

it('clients that leave at any moment hurt nobody else, and what they wrote is whole', { timeout: 60_000 }, async () => {
  const before = await count('contacts');
  const some = lists.slice(0, 3);
  const body = { add_to_list_ids: some };
  let innocent = 0;
  let over = false;
  const others = [0, 1, 2].map(async () => {
    while (!over || innocent < 30) {
      const reply = innocent % 2 ? await admin.get('/aggregate/contacts') : await admin.post('/records/contacts', body);
      expect(reply.status, reply.text).toBe(200);
      if (reply.json.id) expect(reply.json.lists.map((list: { added: number }) => list.added)).toEqual([1, 1, 1]);
      innocent++;
    }
  });
  const entriesOfLeavers = await count('_list_entries');
  await Promise.all(
    Array.from({ length: 12 }, async (_, client) => {
      for (let at = 0; at < 15; at++) {
        const signal = AbortSignal.timeout(1 + ((at * 7 + client * 3) % 40));
        await post('/records/contacts', { first_name: 'left', ...body })(signal).catch(() => {});
      }
    }),
  );
  over = true;
  await Promise.all(others);
  await expect.poll(waiting).toBe(0);
  expect(innocent).toBeGreaterThan(29);
  const left = await rows(sql`select c.id, count(e.id) from ${table('contacts')} c
    left join ${table('_list_entries')} e on e.record_id = c.id where c.first_name = 'left' group by c.id`);
  for (const [, entries] of left) expect(Number(entries)).toBeLessThanOrEqual(3);
  const history = await rows(sql`select from ${table('_history')} h join ${table('contacts')} c on c.id = h.record_id
    where c.first_name = 'left' and h.action = 'create'`);
  expect(history).toHaveLength(left.length);
  expect((await admin.get('/records/contacts', { limit: 1 })).json.total).toBe(await count('contacts'));
  expect(await count('contacts')).toBeGreaterThan(before);
  expect(await count('_list_entries')).toBeGreaterThan(entriesOfLeavers);
});

describe('at most fifty lists', () => {
  const tooMany = () => [...lists, lists[0]];
  const message = 'add_to_list_ids takes at most 50 lists, not 51';
  it.each<[string, (keys: object) => [string, object]]>([
    ['a create', (keys) => ['/records/contacts', { first_name: 'never', ...keys }]],
    ['a batch', (keys) => ['/records/contacts/batch/create', { records: [{ first_name: 'never' }], ...keys }]],
    ['an import', (keys) => ['/import/contacts', { records: [{ first_name: 'never' }], ...keys }]],
  ])('%s', async (_what, asked) => {
    const before = await count('contacts');
    const [path, body] = asked({ add_to_list_ids: tooMany() });
    const reply = await admin.post(path, body);
    expect([reply.status, reply.json.code, reply.json.message]).toEqual([400, 'VALIDATION_ERROR', message]);
    expect(await count('contacts')).toBe(before);
    const [, taken] = asked({ add_to_list_ids: lists });
    expect((await admin.post(path, taken)).json.lists).toHaveLength(50);
  });

  it('an update', async () => {
    const { id } = (await admin.post('/records/contacts', {})).json;
    const reply = await admin.put(`/records/contacts/${id}`, { add_to_list_ids: tooMany() });
    expect([reply.json.code, reply.json.message]).toEqual(['VALIDATION_ERROR', message]);
  });
});
