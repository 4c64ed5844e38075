/** [spec: Events] Notifications over several processes: what is written through one is heard at the others. */
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createUser } from '../../src/provision/users.ts';
import { listenAs, type Heard, type StreamListener } from '../api/listener.ts';
import { makeTask } from '../api/tasks.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization } from '../support/engine.ts';
import { clientOf, type Client } from '../support/kith.ts';
import { serve, type ServiceProcess } from './service.ts';

let database: TestDatabase;
let services: readonly ServiceProcess[];
/** Of each service. */
let admins: readonly Client[];
let bob: Client;
/** Starts the service `at` anew, which is killed. */
let revive: (at: number) => Promise<void>;
let open: StreamListener[] = [];

beforeAll(async () => {
  database = await testDatabase();
  const engine = createEngine(database.database);
  const organization = await firstOrganization(engine, database.database);
  const { organizationId, token, workspaceUserId } = organization;
  const person = { name: 'Bob', email: 'bob@kith.test', role: 'Member' };
  const user = await createUser(engine.deps, organizationId, person);
  const env = { DATABASE_URL: database.url };
  const use = (all: readonly ServiceProcess[]) => {
    services = all;
    admins = all.map(({ url }) => clientOf(url, token, workspaceUserId));
    bob = clientOf(all[0]!.url, user.token, user.workspaceUserId);
  };
  use([await serve(env), await serve(env)]);
  revive = async (at) => use(services.with(at, await serve(env)));
});
afterEach(() => {
  for (const { leave } of open) leave();
  open = [];
});
afterAll(async () => {
  for (const { kill, outcome } of services) {
    kill('SIGTERM');
    await outcome;
  }
  await database.drop();
});

/** At the service `at`. */
async function listen(at: number, last?: string): Promise<StreamListener> {
  const listener = await listenAs(services[at]!.url, bob, last);
  open.push(listener);
  return listener;
}

const assign = (at: number, title: string) => makeTask(admins[at]!, { title, assigned_to_id: bob.workspaceUserId });
const nameOf = (heard: Heard | undefined) => heard?.data.entity.display;

async function names(listener: StreamListener, count: number): Promise<readonly unknown[]> {
  const heard: unknown[] = [];
  while (heard.length < count) heard.push(nameOf(await listener.next()));
  return heard;
}

it('a task that is assigned through one arrives at the streams of all', async () => {
  const listeners = [await listen(0), await listen(1)];
  await assign(0, 'Through the first');
  await assign(1, 'Through the second');
  for (const listener of listeners)
    expect(await names(listener, 2)).toEqual(['Through the first', 'Through the second']);
});

it('Last-Event-ID goes on at another process: none twice, none lost', async () => {
  const before = await listen(0);
  await assign(0, '1');
  await assign(1, '2');
  const last = await before.next();
  expect(nameOf(last)).toBe('1');
  before.leave();
  await assign(0, '3');
  await assign(1, '4');
  const after = await listen(1, last?.id);
  await assign(0, '5');
  expect(await names(after, 4)).toEqual(['2', '3', '4', '5']);
});

it('goes on at the other when its own process is killed, also with what came since', async () => {
  const first = await listen(0);
  await assign(1, 'a');
  const last = await first.next();
  services[0]!.kill('SIGKILL');
  await services[0]!.outcome;
  onTestFinished(() => revive(0));
  await assign(1, 'b');
  const after = await listen(1, last?.id);
  await assign(1, 'c');
  expect([nameOf(last), ...(await names(after, 2))]).toEqual(['a', 'b', 'c']);
});
