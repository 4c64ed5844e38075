/** What was committed is never done again, whatever becomes of the model or the caller before the answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Type from 'typebox';
import type { Call } from '../../src/access/call.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { createRecords } from '../../src/operations/records/batch.ts';
import { importRecords } from '../../src/operations/imports/import.ts';
import { applyManifest } from '../../src/operations/workspace/manifest.ts';
import type { WriteMode } from '../../src/operations/door/write-mode.ts';
import { defineOperation, type Operation } from '../../src/operations/door/operation.ts';
import { createRecord, updateRecord } from '../../src/operations/records/records.ts';
import { purgeTrash } from '../../src/operations/records/trash.ts';
import type { Database } from '../../src/postgres/database.ts';
import { sql } from '../../src/postgres/sql.ts';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { createUser } from '../../src/provision/users.ts';
import { createOne } from '../../src/records/writing/create.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { storageOf, type Storage } from './invariants.ts';

let database: TestDatabase;
/** A process in whose way something is put after a commit. */
let engine: Engine;
/** Another process. */
let other: Engine;
let organizationId: string;
let token: string;
let storage: Storage;
/** Happens once, after the so many-th commit from now on. */
let between: { after: number; act(): Promise<unknown> } | undefined;

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(interrupted(database.database));
  other = createEngine(database.database);
  const organization = await firstOrganization(other, database.database);
  ({ organizationId, token } = organization);
  storage = storageOf(database.database, organization.schemaName);
});
beforeEach(async () => {
  between = undefined;
  await storage.rows(sql`delete from ${storage.table('_list_entries')}`);
  await storage.rows(sql`delete from ${storage.table('companies')}`);
});
afterAll(() => database.drop());

function interrupted(wrapped: Database): Database {
  const then = async <T>(affinity: string, work: Promise<T>): Promise<T> => {
    const outcome = await work;
    const due = between;
    if (due && affinity === organizationId && --due.after === 0) {
      between = undefined;
      await due.act();
    }
    return outcome;
  };
  return {
    ...wrapped,
    run: (...args) => then(args[0], wrapped.run(...args)),
    write: (...args) => then(args[0], wrapped.write(...args)),
    transaction: (...args) => then(args[0], wrapped.transaction(...args)),
  };
}

let fields = 0;
/** From now on every process finds its model old. */
async function changeModel(): Promise<void> {
  const manifest = { objects: [{ name: 'companies', fields: [{ name: `extra_${++fields}`, type: 'TEXT' }] }] };
  await other.perform(token, applyManifest, { manifest });
}

const after = (commits: number, act: () => Promise<unknown>) => void (between = { after: commits, act });
const names = async () =>
  (await storage.rows(sql`select name from ${storage.table('companies')} order by name`)).map(([name]) => name);
const entriesOf = async (list: string) =>
  (await storage.rows(sql`select from ${storage.table('_list_entries')} where list_id = ${list}::uuid`)).length;

async function newList(name: string): Promise<string> {
  const values = { name: `first of ${name}`, create_list_name: name };
  const { created_list: list } = await other.perform(token, createRecord, { object: 'companies', values });
  await storage.rows(sql`delete from ${storage.table('_list_entries')}`);
  await storage.rows(sql`delete from ${storage.table('companies')}`);
  return list.id;
}

const outcome = (list_id: string, added: number) => ({ list_id, added, skipped_already_in_list: 0, failed: 0 });

/** An operation that writes a company at a time, each in a commit of its own. */
function writing(write: (call: Call, name: string) => Promise<unknown>): Operation {
  return defineOperation({
    id: 'test.twice',
    summary: 'Writes twice',
    input: Type.Object({}),
    output: Type.Object({}),
    effect: 'write',
    cost: 'global',
    async run(call) {
      await write(call, 'first');
      await write(call, 'second');
      return { done: 2 };
    },
  });
}
const company = ({ model }: Call) => model.objects.get('companies')!;
const heedless = writing((call, name) => createOne(call, company(call), { name }));
const inParts = writing((call, name) => call.part((now) => createOne(now, company(now), { name })));
const once = (key: string): WriteMode => ({ dryRun: false, once: { key, request: key, replayed: () => {} } });

describe('an operation that commits twice, and finds its model old in between', () => {
  it('is not begun again, and told so, where it does not know of it', async () => {
    after(1, changeModel);
    await expect(engine.perform(token, heedless, {})).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('a part of it is done'),
    });
    expect(await names()).toEqual(['first']);
  });

  it('goes on where it was, in parts', async () => {
    after(1, changeModel);
    expect(await engine.perform(token, inParts, {})).toEqual({ done: 2 });
    expect(await names()).toEqual(['first', 'second']);
  });

  it('is not begun again either where it looks at something after its first part', async () => {
    let parts = 0;
    const looking = writing(async (call, name) => {
      if (name === 'second') return call.workspace.read();
      parts++;
      return call.part((now) => createOne(now, company(now), { name }));
    });
    after(1, changeModel);
    await expect(engine.perform(token, looking, {})).rejects.toMatchObject({ code: 'CONFLICT' });
    expect([parts, await names()]).toEqual([1, ['first']]);
  });

  it('does not go on for a caller who is none any more', async () => {
    const email = 'gone@kith.test';
    await createUser(other.deps, organizationId, { name: 'Soon gone', email, role: 'Admin' });
    const leaving = await createToken(other.deps, organizationId, { email, name: 'brief' });
    after(1, () => revokeToken(other.deps, leaving.tokenId));
    await expect(engine.perform(leaving.token, inParts, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await names()).toEqual(['first']);
  });

  it.each([
    ['heedless', heedless],
    ['in parts', inParts],
  ])('is one commit under a key, and none in a dry run: %s', async (kind, operation) => {
    await changeModel();
    expect(await engine.perform(token, operation, {}, once(kind))).toEqual({ done: 2 });
    expect(await engine.perform(token, operation, {}, once(kind))).toEqual({ done: 2 });
    expect(await names()).toEqual(['first', 'second']);
    await changeModel();
    expect(await engine.perform(token, operation, {}, { dryRun: true })).toEqual({ done: 2 });
    expect(await names()).toEqual(['first', 'second']);
  });
});

describe('lists after a write', () => {
  type Write = [string, Operation, () => Promise<object>, number];
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `company ${at}` }));
  const writes: Write[] = [
    ['a create', createRecord, () => Promise.resolve({ values: { name: 'company 0' } }), 1],
    [
      'an update',
      updateRecord,
      async () => {
        const { id } = await other.perform(token, createRecord, { object: 'companies', values: { name: 'company 0' } });
        return { id, values: {} };
      },
      1,
    ],
    ['a batch', createRecords, () => Promise.resolve({ records: many(20) }), 20],
    ['an import', importRecords, () => Promise.resolve({ records: many(20) }), 20],
  ];
  const given = async (prepare: Write[2], keys: object): Promise<JsonObject> => {
    const { values, ...rest } = (await prepare()) as { values?: object };
    return { object: 'companies', ...rest, ...(values ? { values: { ...values, ...keys } } : keys) };
  };

  it.each(writes)(
    '%s: the model changes after the write, and after the first list',
    async (_what, operation, prepare, count) => {
      for (const commits of [1, 2]) {
        const lists = [await newList('A'), await newList('B')];
        const input = await given(prepare, { add_to_list_ids: lists, create_list_name: 'Fresh' });
        after(commits, changeModel);
        const answer = await engine.perform(token, operation, input);
        expect(between).toBeUndefined();
        expect(answer.lists).toEqual(lists.map((list) => outcome(list, count)));
        expect(await names()).toHaveLength(count);
        for (const list of [...lists, answer.created_list.id]) expect(await entriesOf(list)).toBe(count);
        const sets = sql`select distinct change_set from (select distinct on (record_id) change_set
          from ${storage.table('_history')} where record_id = any(${lists}::uuid[]) order by record_id, id desc) last`;
        expect(await storage.rows(sets)).toHaveLength(1);
        await storage.rows(sql`delete from ${storage.table('companies')}`);
      }
    },
  );

  it.each(writes)('%s: the caller is no admin any more', async (_what, operation, prepare, count) => {
    const list = await newList('C');
    const email = `${operation.id}@kith.test`.toLowerCase();
    const user = await createUser(other.deps, organizationId, { name: 'Was admin', email, role: 'Admin' });
    const input = await given(prepare, { add_to_list_ids: [list], create_list_name: 'Not mine' });
    const demote = sql`update ${storage.table('_users')} set role_id =
      (select id from ${storage.table('_roles')} where name = 'Viewer') where id = ${user.workspaceUserId}::uuid`;
    after(1, () => storage.rows(demote));
    const answer = await engine.perform(user.token, operation, input);
    const { added, failed, error } = answer.lists[0];
    expect({ added, failed, error }).toEqual({
      added: 0,
      failed: count,
      error: expect.stringMatching(/any more|may not write|needs an admin/),
    });
    expect(answer.create_list_error).toMatch(/any more|may not write|needs an admin/);
    expect(await names()).toHaveLength(count);
    expect(await entriesOf(list)).toBe(0);
  });

  it('of an object that is gone are told as failed', async () => {
    const brief = { objects: [{ name: 'briefs', fields: [{ name: 'name', type: 'TEXT' }] }] };
    await other.perform(token, applyManifest, { manifest: brief });
    const removed = { objects: [{ name: 'briefs', absent: true }] };
    after(1, () => other.perform(token, applyManifest, { manifest: removed, allow_destroy: true }));
    const values = { name: 'x', add_to_list_ids: [await newList('D')] };
    const answer = await engine.perform(token, createRecord, { object: 'briefs', values });
    expect(answer.lists).toMatchObject([{ added: 0, failed: 1, error: 'There is no object briefs any more' }]);
  });
});

it('a purge of all counts what it removed before the model changed, too', async () => {
  const values = sql`select gen_random_uuid(), 'x', now(), now(), now() - interval '9 days', '{}'::jsonb, '' from generate_series(1, 1100)`;
  await storage.rows(sql`insert into ${storage.table('companies')}
    (id, name, created_at, updated_at, deleted_at, search_parts, search_text) ${values}`);
  after(2, changeModel);
  expect(await engine.perform(token, purgeTrash, { older_than_days: 1 })).toEqual({ purged: 1_100 });
  expect(between).toBeUndefined();
  expect(await names()).toEqual([]);
});
