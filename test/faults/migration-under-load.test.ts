/** [safety: migrations] A large organization is brought up to date while it is read and written by two releases at once. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { kithJson } from '../cli/kith.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { ask, serve, serviceEnv, type ServiceProcess } from './service.ts';

const deep = process.env['KITH_DEEP'] === '1';
const size = deep ? 1_000_000 : 20_000;
/** Milliseconds that no request may take: two for a lock that the migration waits for, what it does then, and a busy machine. */
const longest = 5_000;

const root = fileURLToPath(new URL('../../', import.meta.url));
const sixth = 'src/provision/migrations/organization/0006-working-data.ts';
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'buffer', maxBuffer: 2 ** 30 });

/** The commit before the sixth migration; nothing where the history of the repository is not at hand. */
function commitBefore(): string | undefined {
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '--', sixth).toString().trim().split('\n').at(-1);
    return added ? git('rev-parse', '--verify', '--quiet', `${added}^`).toString().trim() : undefined;
  } catch {
    return undefined;
  }
}

const before = commitBefore();
let database: TestDatabase;
let older: string;
const running: { kill(signal: 'SIGTERM'): void }[] = [];

beforeAll(async () => {
  database = await testDatabase();
  older = mkdtempSync(join(tmpdir(), 'kith-release-'));
  if (before === undefined) return;
  execFileSync('tar', ['-x', '-C', older], { input: git('archive', before, 'src', 'bin', 'package.json') });
  symlinkSync(join(root, 'node_modules'), join(older, 'node_modules'));
});
afterAll(async () => {
  for (const each of running) each.kill('SIGTERM');
  rmSync(older, { recursive: true, force: true });
  await database.drop();
});

const rows = async (query: Sql) => (await database.database.run('test', statement(query), Infinity)).rows;

/** The command line of the release before. */
function startOlder(args: readonly string[]) {
  return spawn(process.execPath, [join(older, 'bin/kith.js'), ...args, '--json'], {
    env: { PATH: process.env['PATH'], ...serviceEnv, KITH_DATA_DIR: join(older, 'data'), DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function answerOf(child: ReturnType<typeof startOlder>): Promise<Record<string, string>> {
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Record<string, string>;
  throw new Error('The release before says nothing');
}

/** Contacts, each with its entry of history. */
async function fill(schema: string): Promise<void> {
  const contacts = identifier(schema, 'contacts');
  await rows(sql`insert into ${contacts} (id, created_at, updated_at, last_name, emails)
    select gen_random_uuid(), now(), now(), 'old ' || n,
      jsonb_build_array(jsonb_build_object('email', n || '@mail.example.com', 'label', 'work', 'is_primary', true))
    from generate_series(1, ${size}::int) n`);
  await rows(sql`insert into ${identifier(schema, '_history')} (object_id, record_id, action, means, change_set, at)
    select o.id, c.id, 'create', 'api', c.id, c.created_at
    from ${contacts} c, ${identifier(schema, '_objects')} o where o.name = 'contacts'`);
  const count = sql`insert into ${identifier(schema, '_state')} as s (object_id, bucket, rows, version)
    select id, 0, ${size}::int, 1 from ${identifier(schema, '_objects')} where name = 'contacts'
    on conflict (object_id, bucket) do update set rows = s.rows + excluded.rows, version = s.version + 1`;
  await rows(count);
  await rows(sql`analyze ${contacts}`);
}

/** Clients that write, and read what they wrote, until they are stopped. */
function load(token: string, url: string, name: string) {
  const written: string[] = [];
  const failures: string[] = [];
  let slowest = 0;
  let isOver = false;
  const timed = async (...request: [method: string, path: string, body?: object]) => {
    const began = performance.now();
    const reply = await ask(url, token, ...request);
    slowest = Math.max(slowest, performance.now() - began);
    if (reply?.status !== 200)
      failures.push(`${request[0]} ${request[1]}: ${reply?.status} ${JSON.stringify(reply?.json)}`);
    return reply?.json;
  };
  const client = async (number: number) => {
    for (let n = 0; !isOver; n++) {
      const last_name = `${name} ${number} ${n}`;
      const made = await timed('POST', '/api/v1/records/contacts', { last_name });
      if (!made) continue;
      written.push(last_name);
      const id = String(made['id']);
      await timed('PUT', `/api/v1/records/contacts/${id}`, { first_name: 'Changed' });
      await timed('GET', `/api/v1/records/contacts/${id}`);
      await timed('GET', '/api/v1/records/contacts?limit=20');
    }
  };
  const clients = [0, 1, 2].map(client);
  return {
    written,
    failures,
    slowest: () => slowest,
    async end() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

it.skipIf(before === undefined)(
  'loses nothing, does nothing twice, and lets nobody wait',
  { timeout: 1_800_000 },
  async () => {
    const made = await answerOf(
      startOlder(['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test']),
    );
    const { schemaName: schema = '', token = '' } = made;
    await fill(schema);
    // As in an organization that has had only the first three: these are made beside traffic.
    await rows(sql`drop index ${identifier(schema, '_history_epoch_tx_id_idx')}`);
    const old = startOlder(['serve']);
    running.push(old);
    const { url = '' } = await answerOf(old);
    const first = load(token, url, 'older');
    await expect.poll(() => first.written.length, { timeout: 60_000 }).toBeGreaterThan(20);

    const began = performance.now();
    const env = { DATABASE_URL: database.url, KITH_SECRET_KEY: serviceEnv['KITH_SECRET_KEY'] };
    const { json, code } = await kithJson(['migrate'], env);
    const took = performance.now() - began;
    expect(code, JSON.stringify(json)).toBe(0);
    const service: ServiceProcess = await serve({ DATABASE_URL: database.url });
    running.push(service);
    const second = load(token, service.url, 'newer');
    const enough = first.written.length + 20;
    await expect.poll(() => second.written.length, { timeout: 60_000 }).toBeGreaterThan(20);
    await expect.poll(() => first.written.length, { timeout: 60_000 }).toBeGreaterThan(enough);
    await first.end();
    await second.end();
    if (deep) console.log({ size, migrateMs: Math.round(took), older: first.slowest(), newer: second.slowest() });

    expect([...first.failures, ...second.failures]).toEqual([]);
    expect(Math.max(first.slowest(), second.slowest())).toBeLessThan(longest);
    const contacts = identifier(schema, 'contacts');
    const stored = await rows(
      sql`select last_name from ${contacts} where last_name not like 'old %' and first_name = 'Changed'`,
    );
    expect(stored.map(([name]) => name ?? '').toSorted()).toEqual([...first.written, ...second.written].toSorted());
    const [counts] =
      await rows(sql`select (select count(*) from ${contacts}), (select sum(s.rows) from ${identifier(schema, '_state')} s
    join ${identifier(schema, '_objects')} o on o.id = s.object_id where o.name = 'contacts'),
    (select count(*) from ${identifier(schema, '_history')} h)`);
    const all = size + stored.length;
    expect(counts?.map(Number)).toEqual([all, all, all + stored.length]);

    // Two versions on, the older one is not served any more, and says so.
    await rows(
      sql`insert into kith.migrations (version, name, applied_at) select max(version) + 2, 'later', now() from kith.migrations`,
    );
    const refusal = await answerOf(startOlder(['serve']));
    expect(refusal).toMatchObject({
      code: 'NOT_SUPPORTED',
      message: expect.stringMatching(/^This database was made by a newer Kith .*: start the newer program$/),
    });
  },
);
