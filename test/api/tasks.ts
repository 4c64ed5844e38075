/** What tests of tasks do again and again. */
import { expect } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import type { Client, Reply, TestKith, TestOrganization } from '../support/kith.ts';
import type { Query } from './records.ts';

/** Makes a task that must go in; its id. */
export async function makeTask(client: Client, values: object): Promise<string> {
  const reply = await client.post('/tasks', values);
  expect(reply.status, reply.text).toBe(201);
  return reply.json.task_id;
}

/** A task that must be there, with its links. */
export async function readTask(client: Client, id: string): Promise<Reply['json']> {
  const reply = await client.get(`/tasks/${id}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.task;
}

/** The tasks of one page that must be there. */
export async function tasks(
  client: Client,
  query: Query = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply['json'][]> {
  const reply = await client.get('/tasks', { limit: 100, ...query }, headers);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.total).toBe(reply.json.data.length);
  return reply.json.data;
}

/** The titles of the tasks, in order. */
export async function titles(...asked: Parameters<typeof tasks>): Promise<string[]> {
  return (await tasks(...asked)).map(({ title }) => title);
}

/** Makes a user inactive. */
export async function deactivate(kith: TestKith, { schema }: TestOrganization, user: Client): Promise<void> {
  const users = identifier(schema, '_users');
  const query = sql`update ${users} set is_active = false where id = ${user.workspaceUserId}::uuid`;
  await kith.database.database.run('test', statement(query));
}

/** What history says was done with the record, in order. */
export async function actionsOf(kith: TestKith, { schema }: TestOrganization, id: string): Promise<string[]> {
  const query = sql`select action from ${identifier(schema, '_history')} where record_id = ${id}::uuid order by id`;
  const { rows } = await kith.database.database.run('test', statement(query));
  return rows.map(([action]) => action ?? '');
}

/** The records to which its last change took links away, as history has it. */
export async function unlinkedIn(kith: TestKith, { schema }: TestOrganization, id: string): Promise<string[]> {
  const query = sql`select links from ${identifier(schema, '_history')} where record_id = ${id}::uuid order by id desc limit 1`;
  const { rows } = await kith.database.database.run('test', statement(query));
  const links = JSON.parse(rows[0]?.[0] ?? '{}') as Record<string, { removed: string[] }>;
  return Object.values(links).flatMap(({ removed }) => removed);
}
