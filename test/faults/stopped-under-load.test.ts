/** [safety: SIGTERM] Asked to stop while requests pour in: what was begun is answered, what was answered is there, nothing else is. */
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { serve } from './service.ts';
import { faultStage, type FaultStage } from './stage.ts';

const clients = 20;
const enough = 300;

let stage: FaultStage;
beforeAll(async () => {
  stage = await faultStage();
});
afterAll(() => stage.drop());

type Outcome = { readonly id: string } | { readonly status: number } | { readonly broken: string };

/** One create on a connection that is kept. */
function create(url: string, agent: Agent, name: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' };
    const sent = request(`${url}/api/v1/records/contacts`, { method: 'POST', agent, headers }, (response) => {
      json(response).then(
        (body) =>
          resolve(
            response.statusCode === 200 ? { id: (body as { id: string }).id } : { status: response.statusCode ?? 0 },
          ),
        (error: unknown) => resolve({ broken: `in the answer: ${String(error)}` }),
      );
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ broken: error.code ?? error.message }));
    sent.end(JSON.stringify({ first_name: name }));
  });
}

it('ends with 0, and has stored exactly what it has acknowledged', { timeout: 90_000 }, async () => {
  const service = await serve(stage.env);
  const acknowledged: string[] = [];
  const others: Outcome[] = [];
  let stopping = false;

  async function client(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; ; n++) {
      const outcome = await create(service.url, agent, `${number}-${n}`);
      if ('id' in outcome) acknowledged.push(outcome.id);
      else {
        others.push(outcome);
        break;
      }
      if (!stopping && acknowledged.length >= enough) {
        stopping = true;
        service.kill('SIGTERM');
      }
    }
    agent.destroy();
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));

  // What hangs would be cut off after eleven seconds, with another code.
  expect(await service.outcome).toMatchObject({ code: 0 });
  // Nobody was answered with an error, nobody's answer broke off: connections were refused, or closed before a request began.
  expect(
    others.filter((outcome) => !('broken' in outcome && /^E(CONNREFUSED|CONNRESET|PIPE)$/.test(outcome.broken))),
  ).toEqual([]);
  const { storage } = stage;
  const stored = (await storage.rows(sql`select id from ${storage.table('contacts')}`)).map(([id]) => id ?? '');
  expect(stored.toSorted()).toEqual(acknowledged.toSorted());
  expect(acknowledged.length).toBeGreaterThanOrEqual(enough);
});
