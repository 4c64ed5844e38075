/** What tests of change sets do again and again. */
import { expect } from 'vitest';
import type { Client, Reply } from '../support/kith.ts';

/** Writes with one change set. */
export function together(client: Client, id: string = crypto.randomUUID()) {
  const header = { 'change-set': id };
  return {
    id,
    post: (path: string, body: object) => told(id, client.post(path, body, header)),
    put: (path: string, body: object) => told(id, client.put(path, body, header)),
    delete: (path: string) => told(id, client.send(`/api/v1${path}`, { method: 'DELETE', headers: header })),
  };
}

async function told(id: string, sent: Promise<Reply>): Promise<Reply['json']> {
  const reply = await sent;
  expect(reply.status, reply.text).toBeLessThan(300);
  expect(reply.headers.get('change-set')).toBe(id);
  return reply.json;
}

/** The change set that the answer names. */
export const setOf = (reply: Reply) => reply.headers.get('change-set') ?? '';

/** Undoes the change set, which must be allowed. */
export async function undo(client: Client, id: string): Promise<Reply['json']> {
  const reply = await client.post('/undo', { change_set: id });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get('change-set')).toBe(reply.json.change_set);
  return reply.json;
}
