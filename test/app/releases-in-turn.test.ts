/** Services of neighbouring releases on one database, replaced one after the other under load: no request is lost. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startService, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { allMigrations, latestVersion } from '../../src/provision/migrations.ts';
import { kithJson } from '../cli/kith.ts';
import { serve, type ServiceProcess } from '../faults/service.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { testSecret } from '../support/engine.ts';

/** In this process Kith is the next release, with a migration more of each kind; processes of their own are this one. */
vi.mock(import('../../src/provision/migrations.ts'), async (actual) => {
  const original = await actual();
  const { control, organization } = original.allMigrations;
  const [kith, own] = [original.latestVersion(control) + 1, original.latestVersion(organization) + 1];
  const script = (schema: string) =>
    `alter table ${schema}._users add motto text; alter table ${schema}._history add reason text`;
  return {
    ...original,
    allMigrations: {
      control: [...control, { version: kith, name: 'next', script: 'alter table kith.people add motto text' }],
      organization: [...organization, { version: own, name: 'next', script }],
    },
  };
});

let database: TestDatabase;
const started: (Service | ServiceProcess)[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const each of started) await stop(each);
  await database.drop();
});

async function stop(service: Service | ServiceProcess): Promise<void> {
  if ('stop' in service) return service.stop();
  service.kill('SIGTERM');
  await service.outcome;
}

async function startThis(workers: number): Promise<ServiceProcess> {
  const service = await serve({ DATABASE_URL: database.url, KITH_WORKERS: String(workers) });
  started.push(service);
  return service;
}

async function startNext(): Promise<Service> {
  const env = { PORT: '0', KITH_RATE_LIMITS: 'off', KITH_LOG_LEVEL: 'silent', KITH_WORKERS: '1' };
  const { config } = readConfig({ ...env, DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret });
  const service = await startService(config, [], () => {});
  started.push(service);
  return service;
}

interface Load {
  readonly ids: readonly string[];
  readonly statuses: ReadonlySet<number>;
  /** Until so many more were answered. */
  goOn(count: number): Promise<void>;
  end(): Promise<void>;
}

/** Clients behind a balancer: what one service does not take any more, the next one gets, under the same key. */
function load(token: string, urls: readonly string[]): Load {
  const ids: string[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const send = async (last_name: string) => {
    for (let attempt = 0; ; attempt++) {
      const answer = await fetch(`${urls[attempt % urls.length]}/api/v1/records/contacts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': last_name,
        },
        body: JSON.stringify({ last_name }),
      }).catch(() => undefined);
      if (!answer) continue;
      statuses.add(answer.status);
      const { id } = (await answer.json()) as { id: string };
      return void ids.push(id);
    }
  };
  const clients = Array.from({ length: 6 }, async () => {
    while (!isOver) await send(crypto.randomUUID());
  });
  return {
    ids,
    statuses,
    async goOn(count) {
      const enough = ids.length + count;
      await expect.poll(() => ids.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(enough);
    },
    async end() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

it('this release, the next, and this one again', { timeout: 90_000 }, async () => {
  const [first, second] = [await startThis(2), await startThis(1)];
  const env = { DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret };
  const args = ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];
  const { json } = await kithJson(args, env);
  const schema = String(json['schemaName']);
  const versions = async () => {
    const query = sql`select schema_version, (select max(version) from kith.migrations)
      from ${identifier(schema, '_organization')}`;
    return (await database.database.run('test', statement(query))).rows[0]?.map(Number);
  };
  const next = [latestVersion(allMigrations.organization), latestVersion(allMigrations.control)];
  expect(await versions()).toEqual(next.map((version) => version - 1));

  const urls = [first.url, second.url];
  const traffic = load(String(json['token']), urls);
  await traffic.goOn(20);
  await stop(first);
  const newer = await startNext(); // migrates beside the requests that the second one answers
  expect(await versions()).toEqual(next);
  urls[0] = newer.url;
  await traffic.goOn(20);
  // One of each release, and the older one first in line.
  urls.reverse();
  await traffic.goOn(20);
  process.kill(second.pid, 'SIGHUP');
  expect(await second.outcome).toMatchObject({ code: 0 });
  await traffic.goOn(20);
  urls[0] = (await startThis(1)).url; // going back: a start on a database of the next release
  await traffic.goOn(20);
  await traffic.end();

  expect([...traffic.statuses]).toEqual([200]);
  const stored = await database.database.run('test', statement(sql`select id from ${identifier(schema, 'contacts')}`));
  expect(stored.rows.map(([id]) => id ?? '').toSorted()).toEqual(traffic.ids.toSorted());
  expect(await versions()).toEqual(next);
});
