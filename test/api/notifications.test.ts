/** [spec: Events] Who is told of what, and how it is read. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { sweep } from '../../src/operations/background/sweep.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { updateUser } from '../../src/provision/users.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, expectError, timestamp, uuid } from './records.ts';
import { makeTask } from './tasks.ts';
import { addRole, run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let bob: Client;
let carl: Client;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());
beforeEach(async () => {
  organization = await kith.organization();
  ({ admin } = organization);
  bob = await organization.user('Member');
  carl = await organization.user('Member');
});

async function told(client: Client): Promise<string[]> {
  return (await client.get('/notifications')).json.data.map(({ kind }: { kind: string }) => kind);
}

const complete = (client: Client, id: string, completed = true) => client.put(`/tasks/${id}/complete`, { completed });

describe('task_assigned', () => {
  it('EVEN-01, TASK3-03: goes to the assignee of a new task, who is not the one who made it', async () => {
    await makeTask(admin, { title: 'mine', assigned_to_id: admin.workspaceUserId });
    await makeTask(admin, { title: 'nobody’s' });
    await makeTask(admin, { title: 'bob’s', assigned_to_id: bob.workspaceUserId });
    expect([await told(admin), await told(bob), await told(carl)]).toEqual([[], ['task_assigned'], []]);
  });

  it('EVEN-01, CMT-06: and to a new assignee of a task, not to the same again', async () => {
    const id = await makeTask(admin, { title: 'x', assigned_to_id: bob.workspaceUserId });
    await admin.put(`/tasks/${id}`, { assigned_to_id: bob.workspaceUserId, title: 'y' });
    expect(await told(bob)).toEqual(['task_assigned']);
    await admin.put(`/tasks/${id}`, { assigned_to_id: carl.workspaceUserId });
    await carl.put(`/tasks/${id}`, { assigned_to_id: null });
    await carl.put(`/tasks/${id}`, { assigned_to_id: carl.workspaceUserId });
    expect([await told(bob), await told(carl), await told(admin)]).toEqual([['task_assigned'], ['task_assigned'], []]);
  });

  it('none of a change that is refused', async () => {
    const id = await makeTask(admin, { title: 'x' });
    await admin.put(`/tasks/${id}`, { assigned_to_id: bob.workspaceUserId, title: null });
    await admin.put(`/tasks/${id}?dry_run=true`, { assigned_to_id: bob.workspaceUserId });
    expect(await told(bob)).toEqual([]);
  });
});

it('names nobody where the role may not see the field that says who it was', async () => {
  const all = { view: 'all', create: true, update: 'all' } as const;
  await addRole(kith, organization, 'Blind', {
    '*': all,
    tasks: { ...all, fields: { assigned_by_id: 'none', completed_by: 'none' } },
    notes: { ...all, fields: { created_by: 'none' } },
  });
  const blind = await organization.user('Blind');
  await makeTask(admin, { title: 'Given', assigned_to_id: blind.workspaceUserId });
  const own = await makeTask(blind, { title: 'Own', assigned_to_id: admin.workspaceUserId });
  await complete(admin, own);
  await admin.post('/notes', { content: '<p>Hi</p>', mentioned_user_ids: [blind.workspaceUserId] });
  const { text, json } = await blind.get('/notifications');
  const messages = json.data.map(({ message }: { message: string }) => message).toSorted();
  expect(messages).toEqual([
    'Somebody assigned “Given” to you',
    'Somebody completed “Own”',
    expect.stringMatching(/^Somebody mentioned you/),
  ]);
  expect(text).not.toContain(admin.workspaceUserId);
});

describe('task_completed', () => {
  it('EVEN-01, EVEN-02, TASK2-03: goes to who assigned it and who made it, once each, and not to who completed it', async () => {
    const id = await makeTask(admin, { title: 'x' });
    await bob.put(`/tasks/${id}`, { assigned_to_id: carl.workspaceUserId });
    await complete(carl, id);
    expect([await told(admin), await told(bob), await told(carl)]).toEqual([
      ['task_completed'],
      ['task_completed'],
      ['task_assigned'],
    ]);
    const own = await makeTask(admin, { title: 'y', assigned_to_id: carl.workspaceUserId });
    await complete(carl, own);
    expect(await told(admin)).toEqual(['task_completed', 'task_completed']);
    const mine = await makeTask(admin, { title: 'z' });
    await complete(admin, mine);
    expect(await told(admin)).toHaveLength(2);
  });

  it('tells nobody of a second completion or a reopening, and again of the next completion', async () => {
    const id = await makeTask(admin, { title: 'x' });
    await complete(bob, id);
    await complete(bob, id);
    await complete(carl, id);
    expect(await told(admin)).toEqual(['task_completed']);
    await complete(bob, id, false);
    await complete(bob, id, false);
    expect(await told(admin)).toEqual(['task_completed']);
    await complete(carl, id);
    expect(await told(admin)).toEqual(['task_completed', 'task_completed']);
  });
});

describe('GET /notifications', () => {
  it('OR-07, EVEN-03: says who did what with which record, latest first, with how many are unread', async () => {
    const id = await makeTask(admin, { title: 'Call Anna', assigned_to_id: bob.workspaceUserId });
    await makeTask(admin, { title: 'Later', assigned_to_id: bob.workspaceUserId });
    const { status, json } = await bob.get('/notifications');
    expect(status).toBe(200);
    expect(json).toEqual({
      data: [expect.anything(), expect.anything()],
      total: 2,
      unread: 2,
    });
    expect(json.data[0].entity.display).toBe('Later');
    expect(json.data[1]).toEqual({
      id: expect.stringMatching(uuid),
      kind: 'task_assigned',
      actor: { id: admin.workspaceUserId, display: 'Ada Admin' },
      entity: { type: 'tasks', id, display: 'Call Anna' },
      message: 'Ada Admin assigned “Call Anna” to you',
      created_at: expect.stringMatching(timestamp),
      read_at: null,
    });
    expect((await admin.get('/notifications')).json).toEqual({ data: [], total: 0, unread: 0 });
  });

  it('has pages, and those that are unread alone', async () => {
    for (let count = 0; count < 5; count++)
      await makeTask(admin, { title: `t${count}`, assigned_to_id: bob.workspaceUserId });
    const first = await bob.get('/notifications', { limit: 2 });
    expect([first.json.data.length, first.json.total]).toEqual([2, 5]);
    const second = await bob.get('/notifications', { limit: 10, cursor: first.json.nextCursor });
    const seen = [...first.json.data, ...second.json.data].map(({ entity }) => entity.display);
    expect(seen).toEqual(['t4', 't3', 't2', 't1', 't0']);
    expect(second.json.nextCursor).toBeUndefined();
    await bob.put(`/notifications/${first.json.data[0].id}`, { read: true });
    const unread = await bob.get('/notifications', { unread: true });
    expect([unread.json.total, unread.json.unread, unread.json.data.length]).toEqual([4, 4, 4]);
    expect((await bob.get('/notifications', { unread: false })).json).toMatchObject({ total: 5, unread: 4 });
    expectError(await bob.get('/notifications', { unread: true, cursor: first.json.nextCursor }), 'VALIDATION_ERROR');
  });

  it('does not say what a record is called that its reader may not see any more', async () => {
    await apply(admin, {
      roles: [
        { name: 'Own', permissions: { '*': { view: 'all' }, tasks: { view: 'own' } } },
        { name: 'Untitled', permissions: { '*': { view: 'all' }, tasks: { fields: { title: 'none' } } } },
      ],
    });
    const own = await organization.user('Own');
    const seen = async (client: Client) => {
      const [{ entity, message }] = (await client.get('/notifications')).json.data;
      return [entity.type, entity.display, message];
    };
    const id = await makeTask(admin, { title: 'Secret', assigned_to_id: own.workspaceUserId });
    expect(await seen(own)).toEqual(['tasks', 'Secret', 'Ada Admin assigned “Secret” to you']);
    await admin.put(`/tasks/${id}`, { assigned_to_id: bob.workspaceUserId });
    expect(await seen(own)).toEqual(['tasks', null, 'Ada Admin assigned a task to you']);
    expect(await seen(bob)).toEqual(['tasks', 'Secret', expect.anything()]);
    await admin.delete(`/tasks/${id}`);
    expect(await seen(bob)).toEqual(['tasks', null, 'Ada Admin assigned a task to you']);
    const untitled = await organization.user('Untitled');
    await makeTask(admin, { title: 'Secret', assigned_to_id: untitled.workspaceUserId });
    expect(await seen(untitled)).toEqual(['tasks', null, 'Ada Admin assigned a task to you']);
  });

  it('names who did it also when that user is not active any more', async () => {
    await makeTask(carl, { title: 'x', assigned_to_id: bob.workspaceUserId });
    const users = (await admin.get('/users')).json.data;
    const { email } = users.find(({ id }: { id: string }) => id === carl.workspaceUserId);
    await updateUser(kith.deps, organization.id, email, { active: false });
    expect((await bob.get('/notifications')).json.data[0].actor.id).toBe(carl.workspaceUserId);
  });
});

describe('PUT /notifications', () => {
  it('marks one as read, and as unread again; the first time of reading stays', async () => {
    await makeTask(admin, { title: 'x', assigned_to_id: bob.workspaceUserId });
    const [{ id }] = (await bob.get('/notifications')).json.data;
    const read = await bob.put(`/notifications/${id}`, { read: true });
    expect([read.status, read.json]).toEqual([200, { id, read_at: expect.stringMatching(timestamp) }]);
    expect((await bob.put(`/notifications/${id}`, { read: true })).json).toEqual(read.json);
    expect((await bob.get('/notifications')).json).toMatchObject({ unread: 0, data: [{ read_at: read.json.read_at }] });
    for (const _twice of [1, 2])
      expect((await bob.put(`/notifications/${id}`, { read: false })).json).toEqual({ id, read_at: null });
    expect((await bob.get('/notifications')).json.unread).toBe(1);
    expect((await bob.put(`/notifications/${id}?dry_run=true`, { read: true })).status).toBe(200);
    expect((await bob.get('/notifications')).json.unread).toBe(1);
  });

  it('another’s is not there', async () => {
    await makeTask(admin, { title: 'x', assigned_to_id: bob.workspaceUserId });
    const [{ id }] = (await bob.get('/notifications')).json.data;
    expectError(await admin.put(`/notifications/${id}`, { read: true }), 'RECORD_NOT_FOUND');
    expectError(await admin.put('/notifications/x', { read: true }), 'RECORD_NOT_FOUND');
    expectError(await bob.put(`/notifications/${id}`, {}), 'MISSING_REQUIRED_FIELD');
    expectError(await bob.put(`/notifications/${id}`, { read: 'yes' }), 'VALIDATION_ERROR');
    expect((await bob.get('/notifications')).json.unread).toBe(1);
  });

  it('marks all of one’s own as read', async () => {
    for (const user of [bob, bob, carl]) await makeTask(admin, { title: 'x', assigned_to_id: user.workspaceUserId });
    expect((await bob.put('/notifications', { read: true })).json).toEqual({ marked: 2 });
    expect((await bob.put('/notifications', { read: true })).json).toEqual({ marked: 0 });
    expect((await bob.get('/notifications')).json.unread).toBe(0);
    expect((await carl.get('/notifications')).json.unread).toBe(1);
    expectError(await bob.put('/notifications', { read: false }), 'VALIDATION_ERROR');
  });
});

it('what is told of a task ends with it', async () => {
  const id = await makeTask(admin, { title: 'x', assigned_to_id: bob.workspaceUserId });
  await makeTask(admin, { title: 'stays', assigned_to_id: bob.workspaceUserId });
  await admin.delete(`/tasks/${id}`);
  const table = identifier(organization.schema, '_tasks');
  await run(
    kith,
    organization,
    sql`update ${table} set deleted_at = now() - interval '31 days' where id = ${id}::uuid`,
  );
  await sweep(kith.database.database, organization, systemClock.now(), new AbortController().signal);
  const { data, total } = (await bob.get('/notifications')).json;
  expect([total, data.length, data[0].entity.display]).toEqual([1, 1, 'stays']);
});
