/** What is different on a Citus cluster; where there is none, that nothing is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onCitus } from '../../src/postgres/citus.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { examine } from '../../src/doctor/doctor.ts';
import { sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { placesOf } from '../support/citus.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';

let kith: TestKith;
let isCitus: boolean;

beforeAll(async () => {
  kith = await startKith();
  isCitus = kith.database.database.engine === 'citus';
});
afterAll(() => kith?.stop());

const rowsOf = async (query: Sql) => (await kith.database.database.run('test', statement(query))).rows;

it('lays each organization onto one worker, and several onto several', async () => {
  const organizations = [await kith.organization(), await kith.organization(), await kith.organization()];
  const { connection, database } = kith.database;
  const places: (readonly string[])[] = [];
  for (const { schema, admin } of organizations) {
    const made = await admin.post('/records/contacts', { last_name: 'Here' });
    expect(made.status, made.text).toBe(200);
    places.push(await placesOf(connection, schema));
  }
  const workers = isCitus
    ? await rowsOf(sql`select nodename || ':' || nodeport from pg_dist_node where groupid > 0`)
    : [];
  expect(places.map(({ length }) => length)).toEqual(organizations.map(() => (isCitus ? 1 : 0)));
  expect(workers.flat()).toEqual(expect.arrayContaining(places.flat()));
  expect(new Set(places.flat()).size).toBe(Math.min(workers.length, organizations.length));

  const secret = { dataDir: '', isConfigured: true };
  const [report, ...others] = await examine({ main: database, ...kith.deps, secret });
  expect(report?.fine).toMatch(
    isCitus
      ? /^main: PostgreSQL [\d.]+ with Citus [\d.-]+, 3 organizations on \d servers?$/
      : /^main: PostgreSQL [\d.]+$/,
  );
  expect(others.flatMap(({ problems }) => problems)).toEqual([]);
});

it('is refused where a server would write times in another way than the others', async () => {
  const { connection } = kith.database;
  const connect = async () => (await connectDatabase({ connection, log: silentLog })).close();
  const [[name] = []] = await rowsOf(sql`select current_database()`);
  const set = `alter database ${name} set timezone = 'Asia/Tokyo'`;
  if (!isCitus) {
    await kith.database.database.transaction('test', (tx) => tx.script(set));
    return connect(); // a connection brings its own settings to the only server there is
  }
  await rowsOf(sql`select from run_command_on_workers(${set})`);
  await expect(connect()).rejects.toMatchObject({
    code: 'NOT_SUPPORTED',
    message: expect.stringMatching(
      /^The server \S+:\d+ of the Citus cluster has TimeZone and DateStyle Asia\/Tokyo, ISO/,
    ),
  });
  await rowsOf(sql`select from run_command_on_workers(${set.replace('Asia/Tokyo', 'UTC')})`);
  return connect();
});

it('sends a script one statement after the other, and limits of time to all servers', async () => {
  const sent: string[] = [];
  const tx = {
    run: () => Promise.reject(new Error('not asked')),
    script: async (text: string) => void sent.push(text),
    copyOut: () => Promise.reject(new Error('not asked')),
    copyIn: () => Promise.reject(new Error('not asked')),
  };
  await onCitus(tx).script(`a; set local lock_timeout = '2s'; set local enable_seqscan = off`);
  expect(sent).toEqual([
    'a',
    `set local citus.propagate_set_commands = 'local'`,
    `set local lock_timeout = '2s'`,
    `set local citus.propagate_set_commands = 'none'`,
    'set local enable_seqscan = off',
  ]);
});
