/** Several processes that serve: one port, one set of budgets, and nobody but the killed one's clients notices a crash. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { createUser } from '../../src/provision/users.ts';
import { serve, type ServiceProcess } from '../faults/service.ts';
import { listenAs, type StreamListener } from '../api/listener.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { startProxy } from '../support/proxy.ts';
import { childrenOf, isAlive, openLine, type Answer, type Line } from './worker-processes.ts';

const workers = 3;
const patient = { timeout: 10_000 };
const email = 'member@kith.test';

let database: TestDatabase;
let engine: Engine;
let organizationId: string;
let token: string;
let mia: { readonly token: string; readonly workspaceUserId: string };
let service: ServiceProcess;
const lines: Line[] = [];

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(database.database);
  ({ organizationId, token } = await firstOrganization(engine, database.database));
  mia = await createUser(engine.deps, organizationId, { name: 'Mia Member', email, role: 'Member' });
});
afterEach(closeLines);
afterAll(() => database.drop());

async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
  service = await serve({ DATABASE_URL: database.url, KITH_WORKERS: String(workers), ...env });
}

function closeLines(): void {
  for (const line of lines.splice(0)) line.close();
}

async function stop(): Promise<void> {
  closeLines();
  service.kill('SIGTERM');
  await service.outcome;
}

function line(ownToken = token): Line {
  const opened = openLine(service.url, ownToken);
  lines.push(opened);
  return opened;
}

/** Connections go to the workers in turn: one for each, in use. */
async function oneForEach(ownToken = token): Promise<readonly Line[]> {
  const opened = Array.from({ length: workers }, () => line(ownToken));
  for (const each of opened) expect((await each.ask('GET', '/api/v1/me')).status).toBe(200);
  return opened;
}

const statuses = async (asked: readonly Promise<Answer>[]) => (await Promise.all(asked)).map(({ status }) => status);

describe('in every worker at once', () => {
  beforeAll(() => start(), 60_000);
  afterAll(stop);

  it('a revoked token counts', async () => {
    const made = await createToken(engine.deps, organizationId, { email, name: 'short-lived' });
    const each = await oneForEach(made.token);
    await revokeToken(engine.deps, made.tokenId);
    expect(await statuses(each.map((one) => one.ask('GET', '/api/v1/me')))).toEqual([401, 401, 401]);
  });

  it('a new field counts', async () => {
    const each = await oneForEach();
    const manifest = { objects: [{ name: 'contacts', fields: [{ name: 'shoe_size', type: 'NUMBER' }] }] };
    const applied = await each[0]!.ask('POST', '/api/v1/manifest', manifest);
    expect(applied.status, applied.text).toBe(200);
    const create = (one: Line) => one.ask('POST', '/api/v1/records/contacts', { shoe_size: 43 });
    expect(await statuses(each.map(create))).toEqual([200, 200, 200]);
  });

  it('a notification is heard, whichever has written it', async () => {
    const each = await oneForEach();
    const listeners: StreamListener[] = [];
    // They hold their connections, so each goes to the next worker.
    for (const _ of each) listeners.push(await listenAs(service.url, { token: mia.token }));
    for (const [at, one] of each.entries()) {
      const made = await one.ask('POST', '/api/v1/tasks', { title: `Of ${at}`, assigned_to_id: mia.workspaceUserId });
      expect(made.status, made.text).toBe(201);
    }
    for (const listener of listeners) {
      const heard = [await listener.next(), await listener.next(), await listener.next()];
      expect(heard.map((one) => one?.data.entity.display)).toEqual(['Of 0', 'Of 1', 'Of 2']);
      listener.leave();
    }
  });
});

describe('for all workers together', () => {
  afterEach(stop);

  it('a budget counts, to the last request', async () => {
    await start({ KITH_RATE_LIMITS: JSON.stringify({ 'api:global': { limit: 50, windowSeconds: 600 } }) });
    const each = Array.from({ length: 2 * workers }, () => line());
    const asked = each.flatMap((one) => Array.from({ length: 20 }, () => one.ask('GET', '/api/v1/me')));
    const answers = await Promise.all(asked);
    const admitted = answers.filter(({ status }) => status === 200);
    const left = admitted.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(70);
    // Remembered denials are told like new ones.
    const again = await each[0]!.ask('GET', '/api/v1/me');
    expect(JSON.parse(again.text)).toMatchObject({ policy: 'api:global' });
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(500);
  });

  it('what each has measured is told as one, with what the process has that counts for all', async () => {
    await start({ KITH_RATE_LIMITS: 'on' });
    const each = await oneForEach();
    const { text } = await each[1]!.ask('GET', '/metrics');
    const cache = (name: string, of: string) =>
      Number(new RegExp(`^kith_cache_${name}\\{cache="${of}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(cache('entries', 'sessions')).toBe(workers);
    expect(cache('entries', 'rate_limits')).toBe(2); // an address and a user
    expect(cache('max_bytes', 'denials') % workers).toBe(0);
    const count = /^kith_http_request_duration_seconds_count\{.*route="\/api\/v1\/me",status="200"\} (\d+)$/m.exec(
      text,
    );
    expect(Number(count?.[1])).toBe(workers);
  });
});

describe('a worker that crashes', () => {
  afterEach(stop);

  it('takes only its own requests along, and is replaced', async () => {
    await start();
    const clients = Array.from({ length: 4 * workers }, () => line());
    const failures = clients.map(() => 0);
    const answered: number[] = [];
    let loaded = true;
    const load = clients.map(async (client, at) => {
      while (loaded && failures[at]! < 100) {
        await client.ask('GET', '/api/v1/me').then(
          ({ status }) => answered.push(status),
          () => failures[at]!++,
        );
      }
    });
    await expect.poll(() => answered.length, patient).toBeGreaterThan(100);
    const before = childrenOf(service.pid);
    expect(before).toHaveLength(workers);
    process.kill(before[1]!, 'SIGKILL');
    await expect.poll(() => childrenOf(service.pid).filter((pid) => !before.includes(pid)), patient).toHaveLength(1);
    const soFar = answered.length;
    await expect.poll(() => answered.length, patient).toBeGreaterThan(soFar + 100);
    loaded = false;
    await Promise.all(load);
    // A connection that is handed over at that very moment goes to another.
    expect(Math.max(...failures)).toBeLessThanOrEqual(1);
    expect(failures.filter((count) => count === 0).length, 'clients of the other workers').toBeGreaterThanOrEqual(2);
    expect(new Set(answered)).toEqual(new Set([200]));
    expect(childrenOf(service.pid)).toHaveLength(workers);
  });

  it('again and again ends the service with a sentence', async () => {
    await start();
    while (service.running()) {
      for (const pid of childrenOf(service.pid).filter(isAlive)) process.kill(pid, 'SIGKILL');
      await pause(20);
    }
    const { code, stdout } = await service.outcome;
    expect(code).toBe(1);
    expect(stdout).toContain('Worker processes end as soon as they are started (SIGKILL); see the log');
  });
});

describe('the end', () => {
  afterEach(stop);

  const rows = async () => {
    const { rows: counted } = await database.database.run(
      'test',
      statement(sql`select schema_name from kith.organizations`),
    );
    const schema = counted[0]?.[0] ?? '';
    const query = { text: `select count(*) from "${schema}".companies`, values: [] };
    return Number((await database.database.run('test', query)).rows[0]?.[0]);
  };

  it('under load loses nothing that was answered, and answers all that was begun', async () => {
    await start();
    const before = await rows();
    let created = 0;
    let ending = false;
    const refused: unknown[] = [];
    const load = Array.from({ length: 4 * workers }, async () => {
      const client = line();
      for (;;) {
        const answer = await client
          .ask('POST', '/api/v1/records/companies', { name: 'Acme' })
          .catch((error: unknown) => {
            refused.push(error);
          });
        if (!answer) return;
        expect(answer.status, answer.text).toBe(200);
        if (++created === 60) {
          ending = true;
          service.kill('SIGTERM');
        }
      }
    });
    await Promise.all(load);
    expect(ending).toBe(true);
    expect(await service.outcome).toMatchObject({ code: 0 });
    expect(await rows()).toBe(before + created);
    expect(refused.map((error) => (error as { code?: string }).code)).toEqual(
      refused.map(() => expect.stringMatching(/^ECONN(REFUSED|RESET)$/)),
    );
  });

  /** A request whose body never comes to its end. */
  async function unfinished(): Promise<void> {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    await once(socket, 'connect');
    const head = ['POST /api/v1/records/contacts HTTP/1.1', 'Host: kith', `Authorization: Bearer ${token}`];
    socket.write([...head, 'Content-Type: application/json', 'Content-Length: 100', '', '{'].join('\r\n'));
  }

  it('comes at once for whoever asks twice', async () => {
    await start();
    await unfinished();
    await (await oneForEach())[0]!.ask('GET', '/health/live');
    const pids = childrenOf(service.pid);
    process.kill(service.pid, 'SIGINT');
    await pause(100);
    expect(service.running()).toBe(true);
    process.kill(service.pid, 'SIGINT');
    expect(await service.outcome).toMatchObject({ code: 130 });
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  it('of the primary is the end of its workers; RL-05: what they are at is allowed, though nobody counts it', async () => {
    await start({ KITH_RATE_LIMITS: 'on' });
    const each = await oneForEach();
    const pids = childrenOf(service.pid);
    expect(pids.filter(isAlive)).toHaveLength(workers);
    process.kill(service.pid, 'SIGSTOP');
    const answers: Promise<Answer>[] = [];
    const taken = (one: Line) =>
      new Promise<void>((resolve) => void answers.push(one.ask('GET', '/api/v1/me', undefined, resolve)));
    await Promise.all(each.map(taken));
    service.kill('SIGKILL');
    expect(await statuses(answers)).toEqual([200, 200, 200]);
    await expect.poll(() => pids.filter(isAlive), patient).toEqual([]);
  });
});

describe('troubles of all', () => {
  afterEach(stop);

  it('a port in use is told in a sentence', async () => {
    await start();
    const { port } = new URL(service.url);
    const second = serve({ DATABASE_URL: database.url, KITH_WORKERS: '2', PORT: port });
    await expect(second).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use: stop the other program, or choose another with --port or PORT`,
    );
  });

  it('a database that hangs makes requests 503 within five seconds, and all goes on when it is back', async () => {
    const proxy = await startProxy(database.url);
    await start({ DATABASE_URL: String(proxy.connection) });
    const each = await oneForEach();
    proxy.freeze();
    const since = performance.now();
    expect(await statuses(each.map((one) => one.ask('GET', '/api/v1/me')))).toEqual([503, 503, 503]);
    expect(performance.now() - since).toBeLessThan(5_000);
    proxy.thaw();
    const again = () => statuses(each.map((one) => one.ask('GET', '/api/v1/me')));
    await expect.poll(again, patient).toEqual([200, 200, 200]);
    proxy.close();
  });
});
