/**
 * A list that was asked for before is not searched again because of a write that does not concern it, and is after one
 * that does: whatever was written, by how many at once, and whichever began first.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRecords } from '../../src/operations/records/batch.ts';
import {
  createRecord,
  deleteRecord,
  listRecords,
  restoreRecord,
  updateRecord,
} from '../../src/operations/records/records.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import { applyManifest } from '../../src/operations/workspace/manifest.ts';
import type { Transaction } from '../../src/postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { createUser, updateUser } from '../../src/provision/users.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { watchedDatabase } from '../support/watched-database.ts';

let database: TestDatabase;
let engine: Engine;
let admin: string;
let rep: string;
let schema: string;
let organizationId: string;
/** Statements that read records for a list, by search or by ids, since the last look. */
let reads = 0;

const parts = {
  name: 'parts',
  fields: [
    { name: 'name', type: 'TEXT', isSearchable: true },
    { name: 'kind', type: 'TEXT' },
    { name: 'size', type: 'INTEGER' },
    { name: 'whole', type: 'RELATION', relationConfig: { targetObjectName: 'parts' } },
    { name: 'maker', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } },
    {
      name: 'friends',
      type: 'MANY_TO_MANY',
      relationConfig: { targetObjectName: 'parts', relationType: 'MANY_TO_MANY' },
    },
  ],
};
const all = { view: 'all', create: true, update: 'all', delete: 'all' };
const small = { type: 'AND', conditions: [{ field: 'size', operator: 'less_than', value: 100 }] };

beforeAll(async () => {
  database = await testDatabase();
  const watched = watchedDatabase(database.database, (statements) => {
    reads += statements.filter(({ text }) => text.includes('"_key0"')).length;
  });
  engine = createEngine(watched);
  ({ token: admin, schemaName: schema, organizationId } = await firstOrganization(engine, watched));
  const roles = [{ name: 'Rep', permissions: { '*': all, parts: { ...all, view: small } } }];
  await perform(applyManifest, { manifest: { objects: [parts], roles } });
  // Where many of few records match, all are scanned anew.
  const records = Array.from({ length: 500 }, () => ({ name: 'filling', kind: 'frame', size: 1 }));
  for (let count = 0; count < 2; count++) await perform(createRecords, { object: 'parts', records });
  rep = (await createUser(engine.deps, organizationId, { name: 'Rep', email: 'rep@kith.test', role: 'Rep' })).token;
});
afterAll(() => database.drop());

// oxlint-disable-next-line typescript/no-explicit-any -- as an operation answers
const perform = (operation: Operation, input: object, token = admin): Promise<any> =>
  engine.perform(token, operation, input);
const made = (values: object, object = 'parts'): Promise<{ id: string }> => perform(createRecord, { object, values });
const update = (id: string, values: object, object = 'parts') => perform(updateRecord, { object, id, values });

type Query = Readonly<Record<string, unknown>>;

interface Answer {
  readonly data: readonly unknown[];
  readonly total: number;
}

const where = (...conditions: readonly object[]): Query => ({ filters: { type: 'AND', conditions } });
const queries: Readonly<Record<string, Query>> = {
  'a filter': where({ field: 'kind', operator: 'equals', value: 'wheel' }),
  'a filter by a part of a text': where({ field: 'kind', operator: 'contains', value: 'hee' }),
  'a search': { search: 'spoke' },
  'a filter, sorted and of some fields': {
    ...where({ field: 'size', operator: 'greater_than', value: 10 }),
    ...{ sort: [{ field: 'size', direction: 'desc' }], fields: 'name,size', limit: 2 },
  },
};

/** Without `whole`, whose label may change with every write of a part. */
const own = 'name,kind,size';

const list = (query: Query, token = admin) => perform(listRecords, { object: 'parts', fields: own, ...query }, token);

/** What the list has, if nothing is known of it: the further condition was never asked for. */
let asked = 0;
async function anew({ filters, cursor, ...query }: Query, token = admin): Promise<Answer> {
  if (cursor !== undefined) return afterFirst({ filters, ...query }, token);
  const never = { field: 'size', operator: 'not_equals', value: 1_000_000 + asked++ };
  const conditions = [
    ...(filters ? [filters] : []),
    { type: 'OR', conditions: [never, { field: 'size', operator: 'is_null' }] },
  ];
  return list({ ...query, filters: { type: 'AND', conditions } }, token);
}

/** The second page of that list. */
async function afterFirst(query: Query, token: string): Promise<Answer> {
  const limit = Number(query['limit']);
  const { data, total } = await anew({ ...query, limit: 2 * limit }, token);
  return { data: data.slice(limit), total };
}

async function found(query: Query): Promise<Answer> {
  const { data, total } = await anew(query);
  return { data, total };
}

/** Asks until the text is known. */
async function learn(query: Query, token = admin): Promise<void> {
  for (let time = 0; time < 3; time++) await list(query, token);
}

/** How often records were read for an answer, which is compared with what is there. */
async function readsFor(query: Query, token = admin): Promise<number> {
  reads = 0;
  const { data, total } = await list(query, token);
  const taken = reads;
  const now = await anew(query, token);
  expect({ data, total }).toEqual({ data: now.data, total: now.total });
  return taken;
}

let wheel: string;
let other: string;

beforeEach(async () => {
  wheel = (await made({ name: 'spoke', kind: 'wheel', size: 20 })).id;
  other = (await made({ name: 'other', kind: 'frame', size: 5 })).id;
});

describe.each(Object.entries(queries))('%s', (_, query) => {
  it('is not searched again after writes of others', async () => {
    for (const token of [admin, rep]) await learn(query, token);
    const more = await made({ name: 'more', kind: 'frame', size: 1 });
    await update(other, { name: 'another', size: 6 });
    await perform(deleteRecord, { object: 'parts', id: more.id });
    for (const token of [admin, rep]) expect(await readsFor(query, token)).toBe(0);
    await update(other, { size: 7 });
    for (const token of [admin, rep]) expect(await readsFor(query, token)).toBe(0);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a record of it has another value', () => update(wheel, { size: 21 })],
    ['a record comes to match', () => update(other, { name: 'spoke', kind: 'wheel', size: 22 })],
    ['a record matches no more', () => update(wheel, { name: 'rim', kind: 'rim', size: 1 })],
    ['a match is made', () => made({ name: 'spoke', kind: 'wheel', size: 30 })],
    ['a match is deleted', () => perform(deleteRecord, { object: 'parts', id: wheel })],
    [
      'several are made at once',
      () => perform(createRecords, { object: 'parts', records: [{ name: 'spoke', kind: 'wheel', size: 30 }, {}] }),
    ],
    ['a match is linked', () => update(wheel, { friends: [{ id: other }] })],
    ['a match leads to another record', () => update(wheel, { whole: other })],
  ])('is searched again when %s', async (_, write) => {
    await learn(query);
    await write();
    expect(await readsFor(query)).toBe(1);
    await learn(query);
    expect(await readsFor(query)).toBe(0);
  });

  it('is searched again when a record comes back', async () => {
    await perform(deleteRecord, { object: 'parts', id: wheel });
    await learn(query);
    await perform(restoreRecord, { object: 'parts', id: wheel });
    expect(await readsFor(query)).toBe(1);
  });

  it('is searched again after more writes than are looked at', async () => {
    await learn(query);
    for (let size = 0; size < 300; size++) await update(other, { size: size % 2 });
    expect(await readsFor(query)).toBe(1);
  });
});

describe('what other records decide', () => {
  it('is found again when these change, in conditions and in what is shown', async () => {
    const maker = (await made({ name: 'Acme' }, 'companies')).id;
    await update(wheel, { whole: other, maker });
    const ofWhole = where({ field: 'whole.name', operator: 'contains', value: 'oth' });
    const ofMaker = where({ field: 'maker.name', operator: 'contains', value: 'cme' });
    const labels = { ...queries['a search'], fields: 'name,whole.name,maker' };
    const byWhole = { search: 'spoke', sort: [{ field: 'whole.name', direction: 'asc' }] };
    for (const query of [ofWhole, ofMaker, labels, byWhole, { search: 'spoke' }]) {
      await learn(query);
      await update(other, { name: 'othello' });
      expect(await list(query)).toMatchObject(await found(query));
      await learn(query);
      await update(maker, { name: 'Acmeville' }, 'companies');
      expect(await list(query)).toMatchObject(await found(query));
      await update(other, { name: 'other' });
      await update(maker, { name: 'Acme' }, 'companies');
      expect(await list(query)).toMatchObject(await found(query));
    }
  });
});

describe('a list of a role', () => {
  it.each([
    ['leaves', 20, 200],
    ['comes into', 200, 20],
  ])('is read again when a record %s its sight', async (_, before, after) => {
    const query = queries['a search']!;
    await update(wheel, { size: before });
    await learn(query, rep);
    await update(wheel, { size: after });
    expect(await readsFor(query, rep)).toBe(1);
  });
});

describe('pages behind the first', () => {
  it('hold as long as the first', async () => {
    for (let count = 0; count < 3; count++) await made({ name: 'one', kind: 'wheel' });
    const first = { ...queries['a filter'], limit: 2 };
    const { nextCursor: cursor } = await list(first);
    const next = { ...first, cursor };
    for (const query of [first, next]) await learn(query);
    await update(other, { size: 8 });
    for (const query of [first, next]) expect(await readsFor(query)).toBe(0);
    await update(other, { kind: 'wheel' });
    const both = [...(await list(first)).data, ...(await list(next)).data];
    expect(both).toEqual((await anew({ ...first, limit: 4 })).data);
  });
});

describe('what others found of the same conditions', () => {
  it('does not keep the list from outlasting writes', async () => {
    const query = queries['a search']!;
    await learn(query);
    for (let time = 0; time < 2; time++) {
      await update(wheel, { size: 30 + time });
      await list({ ...query, limit: 100, sort: [{ field: 'whole.name', direction: 'asc' }] });
      await learn(query);
      await update(other, { size: 9 });
      expect(await readsFor(query)).toBe(0);
    }
  });
});

describe('the number of matches', () => {
  it.each([128, 129])('decides whether the list is searched after other writes (%i)', async (count) => {
    const kind = `of ${count}`;
    const records = Array.from({ length: count }, () => ({ name: 'one', kind }));
    await perform(createRecords, { object: 'parts', records });
    const query = where({ field: 'kind', operator: 'equals', value: kind });
    await learn(query);
    await update(other, { size: count });
    expect(await readsFor(query)).toBe(count > 128 ? 1 : 0);
  });
});

describe('a version that rises without an entry', () => {
  it('is noticed beside a transaction with an entry too many', async () => {
    const query = { ...queries['a search'], fields: 'name,created_by' };
    await learn(query);
    const records = [{ name: 'one' }, { name: 'two' }];
    await perform(createRecords, { object: 'parts', records });
    await updateUser(engine.deps, organizationId, 'ada@kith.test', { name: `Ada ${asked}` });
    const { data } = await list(query);
    expect(data[0].created_by_display).toBe(`Ada ${asked}`);
  });
});

/** A write that has begun and is not committed, as another process makes it. */
async function uncommitted(work: (tx: Transaction) => Promise<void>): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>();
  const wanted = Promise.withResolvers<void>();
  const ended = database.database.transaction('test', async (tx) => {
    await work(tx);
    begun.resolve();
    await wanted.promise;
  });
  await Promise.race([begun.promise, ended]);
  return async () => {
    wanted.resolve();
    await ended;
  };
}

const run = (tx: Transaction, query: Sql) => tx.run(statement(query));

/** Updates a part, and leaves its entry and the version in a bucket that no connection has, so that nobody waits. */
async function writeAsOthersDo(tx: Transaction, id: string): Promise<void> {
  const table = (name: string) => identifier(schema, name);
  const [[objectId = null] = []] = (await run(tx, sql`select id from ${table('_objects')} where name = 'parts'`)).rows;
  const [[epoch = null] = []] = (await run(tx, sql`select epoch from ${table('_organization')}`)).rows;
  await run(tx, sql`update ${table('parts')} set size = 77 where id = ${id}::uuid`);
  await run(
    tx,
    sql`insert into ${table('_history')} (object_id, record_id, action, before, means, change_set, epoch, tx, at)
      values (${objectId}::uuid, ${id}::uuid, 'update', '{}', 'api', ${randomUUID()}::uuid, ${epoch}::bigint, pg_current_xact_id(), now())`,
  );
  await run(
    tx,
    sql`insert into ${table('_state')} as s (object_id, bucket, rows, version) values (${objectId}::uuid, 99, 0, 1)
      on conflict (object_id, bucket) do update set version = s.version + 1`,
  );
}

describe('a write that began before the list was read and ended after', () => {
  it.each([0, 5, 40])('is noticed, however many came between (%i)', async (between) => {
    const query = queries['a search']!;
    await learn(query);
    const end = await uncommitted((tx) => writeAsOthersDo(tx, wheel));
    for (let count = 0; count < between; count++) await update(other, { size: count % 3 });
    await learn(query);
    expect(await readsFor(query)).toBe(0);
    await end();
    expect(await readsFor(query)).toBe(1);
  });
});
