/** Writes of several commits under a stream of manifests: nothing is there twice, nothing is lost, and every count is right. */
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';

const deep = process.env['KITH_DEEP'] === '1';
const rounds = deep ? 40 : 4;

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
const lists: string[] = [];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  for (const name of ['A', 'B', 'C']) {
    const reply = await admin.post('/records/companies', { name: 'first', create_list_name: name });
    lists.push(reply.json.created_list.id);
    await admin.delete(`/records/companies/${reply.json.id}`);
  }
});
afterAll(() => kith.stop());

/** Says `written` after each write. A manifest follows only where something was written since the last: none may starve. */
const progress = new EventEmitter();

const rowsOf = async (table: string) => {
  const query = sql`select count(*) from ${identifier(organization.schema, table)} where ${table === 'companies' ? sql`deleted_at is null` : sql`true`}`;
  return Number((await kith.database.database.run('test', statement(query))).rows[0]?.[0]);
};

interface Expected {
  records: number;
  entries: number;
  readonly names: string[];
}

/** What each kind of write asks, and how many records it makes. */
const writes: Readonly<
  Record<
    string,
    (names: readonly string[], keys: object, headers: Record<string, string>, query: string) => Promise<Reply>
  >
> = {
  create: ([name], keys, headers, query) => admin.post(`/records/companies${query}`, { name: name, ...keys }, headers),
  batch: (names, keys, headers, query) =>
    admin.post(
      `/records/companies/batch/create${query}`,
      { records: names.map((name) => ({ name })), ...keys },
      headers,
    ),
  import: (names, keys, headers, query) =>
    admin.post(`/import/companies${query}`, { records: names.map((name) => ({ name })), ...keys }, headers),
};

/** Writes `rounds` times, and goes on until it is enough. */
async function writeAll(kind: string, expected: Expected, isEnough: () => boolean): Promise<void> {
  const write = writes[kind]!;
  for (let round = 0; round < rounds || !isEnough(); round++) {
    for (const writeMode of ['plainly', 'once', 'as a trial']) {
      const count = kind === 'create' ? 1 : 60;
      const names = Array.from({ length: count }, (_, at) => `${kind} ${writeMode} ${round} ${at}`);
      const keys = { add_to_list_ids: lists, create_list_name: `${kind} ${writeMode} ${round}` };
      const headers: Record<string, string> = writeMode === 'once' ? { 'idempotency-key': crypto.randomUUID() } : {};
      const send = () => write(names, keys, headers, writeMode === 'as a trial' ? '?dry_run=true' : '');
      const reply = await send();
      progress.emit('written');
      expect(reply.status, reply.text).toBe(200);
      if (kind !== 'create') expect(reply.json).toMatchObject({ created: count, failed: 0 });
      const done = lists.map((list_id) => ({ list_id, added: count, skipped_already_in_list: 0, failed: 0 }));
      expect(reply.json.lists, reply.text).toEqual(done);
      expect(reply.json.created_list, reply.text).toMatchObject({ name: keys.create_list_name });
      if (writeMode === 'as a trial') continue;
      expected.names.push(...names);
      expected.records += count;
      expected.entries += count * (lists.length + 1);
      // The workspace may have changed since: then the answer is not shown again, and nothing is done again either.
      if (writeMode === 'once') expect(['200', 'CONFLICT']).toContain(await repeated(send));
    }
  }
}

async function repeated(send: () => Promise<Reply>): Promise<string> {
  const { status, json } = await send();
  return status === 200 ? '200' : json.code;
}

it('creates, batches, imports, and the lists beside them', { timeout: deep ? 600_000 : 180_000 }, async () => {
  let over = false;
  let applies = 0;
  const stream = (async () => {
    while (!over) {
      const manifest = {
        objects: [{ name: 'companies', fields: [{ name: 'domain', label: `Title ${++applies}` }] }],
      };
      const written = once(progress, 'written');
      const reply = await admin.post('/manifest', manifest);
      expect(reply.status, reply.text).toBe(200);
      await written;
    }
  })();
  const expected: Expected = { records: 0, entries: lists.length, names: [] };
  const enoughApplies = () => applies > rounds;
  await Promise.all(Object.keys(writes).map((kind) => writeAll(kind, expected, enoughApplies))).finally(() => {
    over = true;
    progress.emit('written');
  });
  await stream;
  expect(applies).toBeGreaterThan(rounds);

  expect(await rowsOf('companies')).toBe(expected.records);
  expect(await rowsOf('_list_entries')).toBe(expected.entries);
  expect((await admin.get('/records/companies', { limit: 1 })).json.total).toBe(expected.records);
  const stored = sql`select name from ${identifier(organization.schema, 'companies')} where deleted_at is null`;
  const { rows } = await kith.database.database.run('test', statement(stored));
  expect(rows.map(([name]) => name ?? '').toSorted()).toEqual(expected.names.toSorted());
});
