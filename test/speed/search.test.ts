/**
 * Searches that very many records match: nobody waits behind them on a shared connection, and what they answer is the same
 * whichever way they take to it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyManifest } from '../../src/operations/workspace/manifest.ts';
import { createRecord, listRecords } from '../../src/operations/records/records.ts';
import { searchEverything } from '../../src/operations/records/search.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import { identifier, sql, statement, type Sql, type Statement } from '../../src/postgres/sql.ts';
import { createUser } from '../../src/provision/users.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { watchedDatabase, type Way } from '../support/watched-database.ts';

/** More than a statement looks at where others wait. */
const many = 5_600;
/** So many that an object counts as large. */
const largeRows = 60_000;

/** What the statements on contacts went to, in order: a connection that others share, or one of their own. */
let sent: Way[] = [];
let database: TestDatabase;
let engine: Engine;
let token: string;
let schema: string;
let organizationId: string;

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(watchedDatabase(database.database, note));
  ({ token, schemaName: schema, organizationId } = await firstOrganization(engine, database.database));
  await fill();
});
afterAll(() => database.drop());

function note(statements: readonly Statement[], way: Way): void {
  if (statements.some(({ text }) => text.includes('"contacts"'))) sent.push(way);
}

const run = (query: Sql) => database.database.run(organizationId, statement(query));
const table = (name: string) => identifier(schema, name);

/** Contacts as the service would write them, each a second older than the one before: every thousandth is called Comet itself. */
async function fill(): Promise<void> {
  const { rows } =
    await run(sql`select f.id from ${table('_fields')} f join ${table('_objects')} o on o.id = f.object_id
    where o.name = 'contacts' and f.name in ('first_name', 'job_title') order by f.name`);
  const [name, title] = rows.map(([id = null]) => id);
  await run(sql`insert into ${table('contacts')} (id, created_at, updated_at, first_name, job_title, search_parts, search_text)
    select gen_random_uuid(), t, t, f, 'Comet rider', jsonb_build_object(${name ?? null}::text, lower(f), ${title ?? null}::text, 'comet rider'),
      ' ' || lower(f) || ' comet rider'
    from (select timestamptz '2026-01-01' - n * interval '1 second' as t, case when n % 1000 = 999 then 'Comet' else 'Row ' || n end as f
      from generate_series(1, ${many}::int) n) made`);
  await run(sql`insert into ${table('_state')} (object_id, bucket, rows, version)
    select id, 63, ${largeRows}::int, 1 from ${table('_objects')} where name = 'contacts'`);
}

// oxlint-disable-next-line typescript/no-explicit-any -- as an operation answers
async function ask(operation: Operation, input: object): Promise<{ answer: any; went: readonly string[] }> {
  sent = [];
  const answer = await engine.perform(token, operation, input);
  return { answer, went: sent };
}

const search = (query: string, rest: object = {}) => ask(searchEverything, { query, object: 'contacts', ...rest });
const list = (query: string, rest: object = {}) => ask(listRecords, { object: 'contacts', search: query, ...rest });
const touch = () => engine.perform(token, createRecord, { object: 'contacts', values: { first_name: 'Unrelated' } });

it('a search of two letters has a connection of its own until its total is known', async () => {
  const first = await search('co');
  expect([first.went, first.answer.results[0].total]).toEqual([['alone'], many]);
  const again = await search('co');
  expect([again.went, again.answer]).toEqual([['shared'], first.answer]);
  await touch();
  const after = await search('co');
  expect([after.went, after.answer]).toEqual([['shared', 'alone'], first.answer]);
});

it('a list by two letters always has', async () => {
  for (const _ of [1, 2]) {
    const { went, answer } = await list('co');
    expect([went, answer.total]).toEqual([['alone'], many]);
  }
});

it.each<[string, object, readonly string[]]>([
  ['of two letters has a connection of its own', { field: 'first_name', operator: 'contains', value: 'co' }, ['alone']],
  ['of a word has not', { field: 'first_name', operator: 'contains', value: 'row 77' }, ['shared']],
  ['by a pattern that names nothing has one', { field: 'first_name', operator: 'ilike', value: 'c_m%' }, ['alone']],
  ['for equality has not', { field: 'first_name', operator: 'equals', value: 'co' }, ['shared']],
])('a filter for a part of a text %s', async (_name, condition, went) => {
  const filters = {
    type: 'AND',
    conditions: [condition, { type: 'OR', conditions: [{ field: 'id', operator: 'is_not_null' }] }],
  };
  const [first, again] = [
    await list('', { search: undefined, filters }),
    await list('', { search: undefined, filters }),
  ];
  expect([first.went, again.went]).toEqual([went, went]);
});

it.each([
  ['search', search, (answer: { results: { total: number }[] }) => answer.results[0]?.total],
  ['list', list, (answer: { total: number }) => answer.total],
] as const)(
  'a %s of a word that very many have gives up on the shared connection, and counts on its own',
  async (_what, of, total) => {
    const word = `come${_what === 'list' ? '' : 't'}`;
    const first = await of(word);
    expect([first.went, total(first.answer)]).toEqual([['shared', 'alone'], many]);
    const again = await of(word);
    expect([again.went, again.answer]).toEqual([['shared'], first.answer]);
    await touch();
    const after = await of(word);
    expect([after.went, after.answer]).toEqual([['shared', 'alone'], first.answer]);
  },
);

it('a word that few have needs no other connection', async () => {
  for (const of of [search, list]) expect((await of('row 77')).went).toEqual(['shared']);
  for (const of of [search, list]) expect((await of('row 4321 co')).went).toEqual(['shared']);
});

it('a role that sees a part of an object only has a connection of its own for each search of it', async () => {
  const rights = { view: 'all', create: true, update: 'all', delete: 'all' };
  const roles = [
    { name: 'Half', permissions: { '*': rights, contacts: { fields: { job_title: 'none' } } } },
    { name: 'Own', permissions: { '*': { ...rights, view: 'own' } } },
  ];
  await engine.perform(token, applyManifest, { manifest: { roles } });
  for (const [role, query, total] of [
    ['Half', 'row 77', 101],
    ['Half', 'rider', 0],
    ['Own', 'row 77', 0],
  ] as const) {
    const user = { name: role, email: `${role}${query.length}@kith.test`, role };
    const { token: theirs } = await createUser(engine.deps, organizationId, user);
    await engine.perform(theirs, listRecords, { object: 'contacts' });
    sent = [];
    const { results } = await engine.perform(theirs, searchEverything, { object: 'contacts', query });
    expect([role, results[0].total, sent]).toEqual([role, total, ['alone']]);
    sent = [];
    const page = await engine.perform(theirs, listRecords, { object: 'contacts', search: query });
    expect([role, page.total, sent]).toEqual([role, total, ['alone']]);
  }
});

it('of very many matches the newest thousand are ranked; the others follow, newest first', async () => {
  const all: string[] = [];
  for (let offset = 0; offset < 1_200; offset += 50) {
    const { answer } = await search('comet', { limit: 50, offset });
    all.push(...answer.results[0].records.map(({ first_name: name }: { first_name: string }) => name));
  }
  const rows = Array.from({ length: 1_200 }, (_, index) => (index === 998 ? [] : `Row ${index + 1}`)).flat();
  expect(all).toEqual(['Comet', ...rows]);
  const far = await search('comet', { limit: 3, offset: many - 2 });
  expect(far.answer.results[0].records.map(({ first_name: name }: { first_name: string }) => name)).toEqual([
    `Row ${many - 1}`,
    `Row ${many}`,
  ]);
});
