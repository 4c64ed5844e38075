/** The search of the inbox: an index finds the threads, and those whose words are not in it yet are found as well. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { upkeep } from '../../src/operations/background/upkeep.ts';
import { listThreads } from '../../src/operations/conversations/inbox.ts';
import { identifier, sql, statement, type Sql, type Statement } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { watchedDatabase } from '../support/watched-database.ts';

const threads = 3_000;

let database: TestDatabase;
let engine: Engine;
let token: string;
let schema: string;
let organizationId: string;
/** The last statement on threads. */
let sent: Statement | undefined;

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(watchedDatabase(database.database, note));
  ({ token, schemaName: schema, organizationId } = await firstOrganization(engine, database.database));
  await fill();
});
afterAll(() => database.drop());

function note(statements: readonly Statement[]): void {
  sent = statements.find(({ text }) => text.includes('"_threads"')) ?? sent;
}

const run = (query: Sql) => database.database.run(organizationId, statement(query));
const table = (name: string) => identifier(schema, name);

/** Threads of one message each, as a release left them that knew nothing of their words. */
async function fill(): Promise<void> {
  const columns = sql`id, created_at, updated_at, owner_id, channel, subject`;
  await run(sql`insert into ${table('_threads')} (${columns}, last_message_date, message_count, external_thread_id)
    select gen_random_uuid(), now(), now(), u.id, 'email', 'Subject ' || n, timestamptz '2026-01-01' + n * interval '1 minute', 1, 't-' || n
    from ${table('_users')} u, generate_series(1, ${threads}::int) n`);
  await run(sql`insert into ${table('_interactions')} (${columns}, interaction_thread_id, external_id, direction, date, participants)
    select gen_random_uuid(), now(), now(), t.owner_id, t.channel, 'Re: ' || t.subject, t.id, t.external_thread_id, 'inbound', t.last_message_date,
      array['Zoë Ångström ' || right(t.external_thread_id, 2) || ' <zoe@globex.test>', 'ada@kith.test'] from ${table('_threads')} t`);
  for (const name of ['_threads', '_interactions']) await run(sql`analyze ${table(name)}`);
}

async function found(search: string): Promise<readonly [total: number, first: string | undefined]> {
  const { total, data } = await engine.perform(token, listThreads, { search, limit: 1 });
  return [total, data[0]?.external_thread_id];
}

const searches = ['subject 2999', 'ÅNGSTRÖM', 'zoe@globex re: 77', 'nowhere', '29', 'y z'];
const answers = [
  [1, 't-2999'],
  [threads, 't-3000'],
  [57, 't-2977'],
  [0, undefined],
  [159, 't-2999'],
  [0, undefined],
];

/** What PostgreSQL does for the search where it may not read everything, as it would with so few threads. */
async function plan(search: string): Promise<string> {
  await found(search);
  const { text, values } = sent!;
  return database.database.transaction(organizationId, async (tx) => {
    // Where the rows lie on another server, it has to be told, too.
    if (database.database.engine === 'citus') await tx.script("set local citus.propagate_set_commands = 'local'");
    await tx.script('set local enable_seqscan = off');
    const { rows } = await tx.run({ text: `explain (costs off) ${text}`, values });
    return rows.join('\n');
  });
}

it('finds threads whose words nobody has entered yet, and the same ones when an upkeep has', async () => {
  const first: unknown[] = [];
  for (const search of searches) first.push(await found(search));
  expect(first).toEqual(answers);

  const unnamed = sql`select from ${table('_threads')} where search_text is null`;
  expect((await run(unnamed)).count).toBe(threads);
  const organization = (await engine.deps.directory.organization(organizationId))!;
  await upkeep(database.database, organization, Date.now(), new AbortController().signal);
  expect((await run(unnamed)).count).toBe(0);
  // It takes what waits beside the index into it.
  await run(sql`vacuum analyze ${table('_threads')}`);

  const again: unknown[] = [];
  for (const search of searches) again.push(await found(search));
  expect(again).toEqual(answers);
});

it('looks three letters up in the index, whichever of the words has them, and goes through the newest for what all have', async () => {
  for (const search of ['2999', 'nowhere', 'y nowhere']) expect(await plan(search)).toContain('on _threads_search');
  for (const search of ['y', 'z 9']) expect(await plan(search)).not.toContain('_threads_search');
  expect(await plan('globex')).toContain('using _threads_owner_id_last_message_date_id_idx');
  expect(sent?.name).toBeUndefined();
});
