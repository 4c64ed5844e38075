/** [spec: Events] Notifications as they come: in the order of commits, none twice, none lost. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identifier, sql, statement, type Statement } from '../../src/postgres/sql.ts';
import { leaveNotifications, type Author } from '../../src/records/writing/leave.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { listenAs, type Heard, type StreamListener } from './listener.ts';
import { expectError } from './records.ts';
import { makeTask } from './tasks.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let bob: Client;
let open: StreamListener[];
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());
beforeEach(async () => {
  open = [];
  organization = await kith.organization();
  ({ admin } = organization);
  bob = await organization.user('Member');
});
afterEach(() => {
  for (const listener of open) listener.leave();
});

async function listen(client: Client, last?: string): Promise<StreamListener> {
  const listener = await listenAs(kith.url, client, last);
  open.push(listener);
  return listener;
}

const assign = (title: string, to = bob) => makeTask(admin, { title, assigned_to_id: to.workspaceUserId });
const nameOf = (heard: Heard | undefined) => heard?.data.entity.display;

/** A notification as another process writes it: nothing in this one knows of it. */
async function written(task: string): Promise<Statement> {
  const table = (name: string) => identifier(organization.schema, name);
  const query = sql`select o.id from ${table('_objects')} o where o.name = 'tasks'`;
  const { rows } = await kith.database.database.run('test', statement(query));
  const author = { model: { schema: organization.schema, epoch: '1' }, actorId: null } as unknown as Author;
  const told = {
    userId: bob.workspaceUserId,
    kind: 'task_assigned',
    objectId: rows[0]?.[0] ?? '',
    recordId: task,
  } as const;
  return statement(leaveNotifications(author, Date.now(), [told]));
}

it('sends each as the list has it, with an id', async () => {
  const listener = await listen(bob);
  await assign('First');
  const heard = await listener.next();
  // In the clear, the ids would count the transactions of the whole database.
  expect(heard).toMatchObject({ event: 'notification', id: expect.stringMatching(/^[\w-]{60,}$/) });
  expect(Buffer.from(heard?.id ?? '', 'base64url').toString('latin1')).not.toContain(heard?.data.id);
  expect(heard?.data).toEqual((await bob.get('/notifications')).json.data[0]);
  await assign('Second');
  expect(nameOf(await listener.next())).toBe('Second');
});

it('to whom it concerns alone', async () => {
  const [first, second] = [await listen(bob), await listen(admin)];
  await assign('Bob’s');
  const id = await makeTask(bob, { title: 'Ada’s', assigned_to_id: admin.workspaceUserId });
  expect(nameOf(await first.next())).toBe('Bob’s');
  expect((await second.next())?.data.entity.id).toBe(id);
  const other = await kith.organization();
  const stranger = await listenAs(kith.url, other.admin);
  open.push(stranger);
  await assign('More');
  const theirs = await other.user('Member');
  await makeTask(theirs, { title: 'Theirs', assigned_to_id: other.admin.workspaceUserId });
  expect(nameOf(await stranger.next())).toBe('Theirs');
});

it('hears what another process has written', async () => {
  const task = await makeTask(admin, { title: 'Elsewhere' });
  const listener = await listen(bob);
  await kith.database.database.run('test', await written(task));
  expect(nameOf(await listener.next())).toBe('Elsewhere');
});

describe('Last-Event-ID', () => {
  it('goes on behind that event: none twice, none lost', async () => {
    const before = await listen(bob);
    await assign('1');
    await assign('2');
    const last = await before.next();
    expect(nameOf(last)).toBe('1');
    before.leave();
    await assign('3');
    const after = await listen(bob, last?.id);
    await assign('4');
    const names = [await after.next(), await after.next(), await after.next()].map(nameOf);
    expect(names).toEqual(['2', '3', '4']);
  });

  it('is told before there is anything, so that what comes while nobody listens is not lost', async () => {
    const { ready, leave } = await listen(bob);
    leave();
    for (let count = 0; count < 120; count++) await assign(String(count));
    const after = await listen(bob, ready.id);
    const names = [];
    for (let count = 0; count < 120; count++) names.push(nameOf(await after.next()));
    expect(names).toEqual(Array.from({ length: 120 }, (_, at) => String(at)));
  });

  it('has what began earlier and was committed later', async () => {
    const slow = await makeTask(admin, { title: 'slow' });
    const notification = await written(slow);
    const listener = await listen(bob);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const writing = kith.database.database.transaction('test', async (tx) => {
      await tx.run(notification);
      begun.resolve();
      await goOn.promise;
    });
    await begun.promise;
    await assign('fast');
    const other = await listen(bob, listener.ready.id);
    // What streams read goes before what is asked later: by then both have looked.
    for (let count = 0; count < 5; count++) expect((await bob.get('/notifications')).json.total).toBe(1);
    goOn.resolve();
    await writing;
    const heard = [await listener.next(), await listener.next()];
    expect([await other.next(), await other.next()]).toEqual(heard);
    expect(heard.map(nameOf)).toEqual(['slow', 'fast']);
    const after = await listen(bob, heard[0]?.id);
    expect(nameOf(await after.next())).toBe('fast');
  });

  it.each(['x', '1.2', '1.2.3', '99999999999999999999.1.0190f6c1-0000-7000-8000-000000000000', ''])(
    'refuses what is no id of an event: %o',
    async (last) => {
      const reply = await bob.get('/notifications/stream', {}, { 'last-event-id': last });
      expectError(reply, 'VALIDATION_ERROR');
    },
  );
});

it('goes on for the others when one leaves', async () => {
  const [first, second] = [await listen(admin), await listen(bob)];
  first.leave();
  await assign('x');
  expect(nameOf(await second.next())).toBe('x');
});
