/** [spec: Task; Events] Many completions, reopenings and reassignments of one task at once: each real transition is told once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create } from './records.ts';
import { makeTask, readTask } from './tasks.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let people: Client[];
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  people = await Promise.all(['Member', 'Member', 'Member'].map((role) => organization.user(role)));
});
afterAll(() => kith.stop());

/** All that the user was told of the task. */
async function told(client: Client, id: string, kind: string): Promise<number> {
  const { data, nextCursor } = (await client.get('/notifications', { limit: 100 })).json;
  expect(nextCursor).toBeUndefined();
  return data.filter((one: Reply['json']) => one.entity.id === id && one.kind === kind).length;
}

/** What the task was set to, change by change: history has what was before each. */
async function changes(id: string): Promise<Reply['json'][]> {
  const table = (name: string) => identifier(organization.schema, name);
  const fields = sql`select f.id::text, f.name from ${table('_fields')} f`;
  const { rows: names } = await kith.database.database.run('test', statement(fields));
  const nameOf = new Map(names.map(([field, name]) => [field, name ?? '']));
  const past = sql`select before::text, actor_id from ${table('_history')} where record_id = ${id}::uuid and action = 'update' order by id`;
  const { rows } = await kith.database.database.run('test', statement(past));
  return rows.map(([before, actor]) => ({
    actor,
    was: Object.fromEntries(
      Object.entries(JSON.parse(before ?? '{}')).map(([field, value]) => [nameOf.get(field), value]),
    ),
  }));
}

it('TASK2-03: one notification for each completion that was one, whoever came at the same time', async () => {
  const id = await makeTask(admin, { title: 'x' });
  for (let round = 0; round < 4; round++) {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => people[at % 3]!.put(`/tasks/${id}/complete`, { completed: at % 2 === 0 })),
    );
    for (const reply of replies) expect(reply.status, reply.text).toBe(200);
  }
  const done = (await changes(id)).filter(({ was }) => 'is_completed' in was && was.is_completed !== true);
  expect(done.length).toBeGreaterThan(0);
  expect(await told(admin, id, 'task_completed')).toBe(done.length);
  const { is_completed: isCompleted, completed_at: at, completed_by: by } = await readTask(admin, id);
  expect([at === null, by === null]).toEqual([!isCompleted, !isCompleted]);
});

it('completed by all at once it is completed once, by the one whose stamps it has', async () => {
  const id = await makeTask(admin, { title: 'x' });
  const replies = await Promise.all(people.flatMap((one) => [one, one]).map((one) => one.put(`/tasks/${id}/complete`)));
  expect(replies.map(({ json }) => json.action)).toEqual(replies.map(() => 'completed'));
  const all = await changes(id);
  expect(all).toHaveLength(1);
  expect((await readTask(admin, id)).completed_by).toBe(all[0].actor);
  expect(await told(admin, id, 'task_completed')).toBe(1);
});

it('EVEN-01: one notification for each reassignment that was one, beside completions and deletes of what it is linked to', async () => {
  const contact = await create(admin, 'contacts', { first_name: 'Anna' });
  const company = await create(admin, 'companies', { name: 'Globex' });
  const links = [
    { id: contact.id, type: 'contacts' },
    { id: company.id, type: 'companies' },
  ];
  const id = await makeTask(admin, { title: 'x', linked_entities: links });
  const [bob, carl, dora] = people as [Client, Client, Client];
  for (let round = 0; round < 4; round++) {
    const replies = await Promise.all([
      ...[bob, carl, bob, carl].map((one) => admin.put(`/tasks/${id}`, { assigned_to_id: one.workspaceUserId })),
      dora.put(`/tasks/${id}`, { linked_entities: round % 2 === 0 ? links.toReversed() : [] }),
      dora.put(`/tasks/${id}/complete`, { completed: round % 2 === 0 }),
      admin.put(`/records/contacts/${contact.id}`, { first_name: `Anna ${round}` }),
    ]);
    for (const reply of replies) expect(reply.status, reply.text).toBe(200);
  }
  // Each change of the assignee is one to whoever was assigned then; the last of them is in the task.
  const past = (await changes(id)).filter(({ was }) => 'assigned_to_id' in was);
  const { assigned_to_id: last } = await readTask(admin, id);
  const became = [...past.slice(1).map(({ was }) => was.assigned_to_id), last];
  for (const one of [bob, carl])
    expect(await told(one, id, 'task_assigned')).toBe(became.filter((to) => to === one.workspaceUserId).length);
  expect(became.length).toBeGreaterThan(0);
});
