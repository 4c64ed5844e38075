/** What is different on a Citus cluster; where there is none, that nothing is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examine } from '../../src/doctor/doctor.ts';
import { onCitus } from '../../src/postgres/citus.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { placesOf } from '../support/citus.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';

let kith: TestKith;
let isCitus: boolean;
let organizations: readonly TestOrganization[];

beforeAll(async () => {
  kith = await startKith();
  isCitus = kith.database.database.engine === 'citus';
  organizations = [await kith.organization(), await kith.organization(), await kith.organization()];
});
afterAll(() => kith?.stop());

const rowsOf = async (query: Sql) => (await kith.database.database.run('test', statement(query))).rows;
const report = () =>
  examine({
    main: kith.database.database,
    ...kith.deps,
    secret: { dataDir: '', isConfigured: true },
    isEmbedded: false,
  });

/** Of each organization the server that holds all of it; `[]` where there is one server only. */
function places(): Promise<readonly string[][]> {
  const { connection } = kith.database;
  return Promise.all(organizations.map(async ({ schema }) => [...(await placesOf(connection, schema))]));
}

/** Of writes of each kind, and of a read. */
async function statusesOf({ admin }: TestOrganization): Promise<readonly number[]> {
  const made = await admin.post('/records/contacts', { last_name: 'Here' });
  const record = `/records/contacts/${made.json.id ?? crypto.randomUUID()}`;
  return [
    made.status,
    (await admin.put(record, { last_name: 'Changed' })).status,
    (await admin.post('/records/contacts/batch/create', { records: [{ last_name: 'One' }, { last_name: 'Two' }] }))
      .status,
    (await admin.delete(record)).status,
    (await admin.post(`${record}/restore`, {})).status,
    (await admin.get('/records/contacts')).status,
  ];
}

const allAre = (status: number) => Array.from({ length: 6 }, () => status);

it('lays each organization onto one worker, and several onto several', async () => {
  for (const organization of organizations) expect(await statusesOf(organization)).toEqual(allAre(200));
  const found = await places();
  const workers = isCitus
    ? await rowsOf(sql`select nodename || ':' || nodeport from pg_dist_node where groupid > 0`)
    : [];
  expect(found.map(({ length }) => length)).toEqual(organizations.map(() => (isCitus ? 1 : 0)));
  expect(workers.flat()).toEqual(expect.arrayContaining(found.flat()));
  expect(new Set(found.flat()).size).toBe(Math.min(workers.length, organizations.length));

  const [database, ...others] = await report();
  expect(database?.fine).toMatch(
    isCitus
      ? /^main: PostgreSQL [\d.]+ with Citus [\d.-]+, 3 organizations on \d servers?$/
      : /^main: PostgreSQL [\d.]+$/,
  );
  expect(others.flatMap(({ problems }) => problems)).toEqual([]);
});

it('serves the organizations of one worker while another one is away, and says which is away', async () => {
  const found = await places();
  const [place = ''] = found[1] ?? [];
  const isAway = (at: number) => isCitus && found[at]?.[0] === place;
  const port = Number(place.split(':')[1]);
  // To this database alone, the worker is where nothing answers.
  const move = (from: number, to: number) =>
    rowsOf(sql`update pg_dist_node set nodeport = ${to}::int where nodeport = ${from}::int`);
  if (isCitus) await move(port, 1);
  for (const [at, organization] of organizations.entries()) {
    expect(await statusesOf(organization), String(at)).toEqual(allAre(isAway(at) ? 503 : 200));
  }
  expect((await organizations[0]?.admin.send('/health/ready'))?.status).toBe(200);

  const problems = (await report()).flatMap((finding) => finding.problems);
  const lost = organizations.filter((_, at) => isAway(at));
  expect(problems.map(({ text, remedy }) => [text.replace(/ \(.*/, ''), remedy])).toEqual([
    ...(isCitus ? [[expect.stringMatching(/^datasource main: .*:1 does not answer$/), expect.any(String)]] : []),
    ...lost.map(({ schema }) => [`${schema} cannot be read`, 'start the server it lies on']),
  ]);
  if (isCitus) await move(1, port);
  for (const organization of organizations) expect(await statusesOf(organization)).toEqual(allAre(200));
  expect((await report()).flatMap((finding) => finding.problems)).toEqual([]);
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

it('several writers of one record at once all get through', async () => {
  const [{ admin } = organizations[0]!] = organizations;
  const { json } = await admin.post('/records/contacts', { last_name: 'Sought after' });
  for (let round = 0; round < 5; round++) {
    const writes = Array.from({ length: 6 }, (_, at) =>
      admin.put(`/records/contacts/${json.id}`, { job_title: `${round} of ${at}` }),
    );
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 200));
  }
  const { json: history } = await admin.get(`/records/contacts/${json.id}/history?limit=100`);
  expect(history.total).toBe(31);
});
