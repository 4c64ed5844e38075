/** `kith org list` names organizations as they are called, however that came about and wherever they lie. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../faults/service.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { secondTestDatabase, testDatabase, type TestDatabase } from '../support/database.ts';
import { testSecret } from '../support/engine.ts';
import { kithJson } from './in-process.ts';

interface Made {
  readonly id: string;
  readonly schema: string;
  readonly token: string;
}

let database: TestDatabase;
let second: TestDatabase;
let env: NodeJS.ProcessEnv;
/** On the main cluster, and on another one. */
let near: Made;
let far: Made;

beforeAll(async () => {
  database = await testDatabase();
  second = await secondTestDatabase();
  env = { DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret, KITH_LOG_LEVEL: 'silent', KITH_DEMO: 'off' };
  near = await make('Near');
  await run(['datasource', 'add', '--name', 'second', '--url', '-'], second.url);
  far = await make('Far', '--datasource', 'second');
}, 60_000);
afterAll(async () => {
  await database.drop();
  await second.drop();
});

async function run(args: readonly string[], input = ''): Promise<Awaited<ReturnType<typeof kithJson>>> {
  const outcome = await kithJson(args, env, input);
  expect(outcome.code, outcome.stderr).toBe(0);
  return outcome;
}

async function make(name: string, ...more: readonly string[]): Promise<Made> {
  const args = ['org', 'create', '--name', name, '--admin-name', 'Ada', '--admin-email', 'ada@kith.test', ...more];
  const { json } = await run(args);
  return { id: String(json['organizationId']), schema: String(json['schemaName']), token: String(json['token']) };
}

async function listed(): Promise<{ readonly names: readonly string[]; readonly stderr: string }> {
  const { json, stderr } = await run(['org', 'list']);
  return { names: (json['organizations'] as unknown as { name: string }[]).map(({ name }) => name), stderr };
}

async function post(url: string, { token }: Made, name: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ organization: { name } });
  const sent = fetch(`${url}/api/v1/manifest`, { method: 'POST', headers, body });
  return sent.then(
    ({ status }) => status,
    () => undefined,
  );
}

describe('a new name', { timeout: 60_000 }, () => {
  it('by the command line', async () => {
    for (const { id } of [near, far]) {
      const manifest = JSON.stringify({ organization: { name: `Named ${id === near.id ? 'near' : 'far'} by hand` } });
      await run(['apply', '--org', id, '--file', '-'], manifest);
    }
    expect((await listed()).names).toEqual(['Named near by hand', 'Named far by hand']);
  });

  it('by HTTP', async () => {
    const service = await serve(env);
    expect(await post(service.url, near, 'Near by wire')).toBe(200);
    expect(await post(service.url, far, 'Far by wire')).toBe(200);
    expect((await listed()).names).toEqual(['Near by wire', 'Far by wire']);
    service.kill('SIGTERM');
    await service.outcome;
  });

  it('also where the process was killed as soon as it was there', async () => {
    const service = await serve(env);
    const query = statement(sql`select name from ${identifier(far.schema, '_organization')}`);
    const sent = post(service.url, far, 'Far at last');
    await expect
      .poll(async () => (await second.database.run('test', query)).rows[0]?.[0], { interval: 1 })
      .toBe('Far at last');
    service.kill('SIGKILL');
    await Promise.all([sent, service.outcome]);
    expect((await listed()).names).toEqual(['Near by wire', 'Far at last']);
  });

  it('is not known while its cluster is away, which is said', async () => {
    await second.drop();
    const { names, stderr } = await listed();
    expect(names).toEqual(['Near by wire', 'Far']);
    expect(stderr).toContain('Datasource second does not answer');
    second = await secondTestDatabase();
  });
});
