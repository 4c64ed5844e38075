/** A receiver of webhooks on loopback, which verifies with the library of Standard Webhooks, and answers as it is told. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { webServer } from '../outgoing/listeners.ts';
import type { Client, Reply, TestKith, TestOrganization } from '../support/kith.ts';

export interface Received {
  readonly id: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly event: Reply['json'];
}

/** What is done with a request: a status, or the answer itself. */
export type Answer = (received: Received, response: ServerResponse) => number | void;

export interface Receiver {
  readonly url: string;
  /** All that came, in its order. */
  readonly received: readonly Received[];
  /** What came and was answered with a status of 2xx. */
  readonly taken: readonly Received[];
  answer(answer: Answer): void;
  /** Those of one record, each as its type. */
  typesOf(recordId: string): string[];
  close(): Promise<void>;
}

export async function receiver(): Promise<Receiver> {
  const received: Received[] = [];
  const taken: Received[] = [];
  let answering: Answer = () => 204;
  const server = await webServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const { headers } = request;
      const one = { id: String(headers['webhook-id']), headers, text, event: JSON.parse(text) };
      received.push(one);
      const status = answering(one, response);
      if (status === undefined) return;
      if (status < 300) taken.push(one);
      response.writeHead(status).end();
    });
  });
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    received,
    taken,
    answer: (answer) => void (answering = answer),
    typesOf: (id) => taken.filter(({ event }) => event.record_id === id).map(({ event }) => event.type),
    close: () => server.close(),
  };
}

/** Throws unless the secret has signed what was received. */
export function verify(secret: string, { headers, text }: Received): void {
  new Webhook(secret).verify(text, headers as Record<string, string>);
}

/** Creates a webhook that must be taken; with its secret. */
export async function webhook(client: Client, url: string, more: object = {}): Promise<Reply['json']> {
  const reply = await client.post('/webhooks', { url, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.json;
}

/** Waits until that is so. */
export const until = (what: () => unknown, expected: unknown = true) =>
  expect.poll(what, { timeout: 20_000, interval: 20 }).toEqual(expected);

/** All that waits is due, and receivers have rested: as if it were a day later. */
export async function aDayLater({ database }: TestKith, { id, schema }: TestOrganization): Promise<void> {
  const run = (query: ReturnType<typeof sql>) => database.database.run(id, statement(query));
  const table = (name: string) => identifier(schema, name);
  await run(
    sql`update ${table('_webhook_deliveries')} set next_attempt_at = now() - interval '1 day' where state = 'pending'`,
  );
  await run(sql`update ${table('_webhooks')} set rest_until = null`);
  // Two statements: Citus takes no `now()` in a CASE.
  await run(sql`update ${table('_jobs')} set run_at = now() where kind = 'webhook' and finished_at is null`);
  await run(sql`update ${table('_jobs')} set again_at = now() where kind = 'webhook' and state = 'running'`);
  await run(sql`update kith.due set run_at = now() where organization_id = ${id}::uuid`);
}

/** The state of each delivery of the webhook, the oldest first. */
export async function deliveries(client: Client, webhookId: string, state?: string): Promise<Reply['json'][]> {
  const { status, json, text } = await client.get(`/webhooks/${webhookId}/deliveries`, { limit: 100, state });
  expect(status, text).toBe(200);
  return json.data.toReversed();
}
