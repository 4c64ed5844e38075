/** Where an answer of the assistant ends that has no end of its own, and where there is no model. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAgentStream, type AgentBounds } from '../../src/agent/agent-stream.ts';
import { createKeyring } from '../../src/auth/keys.ts';
import type { Route } from '../../src/http/bind.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openSurface, type Surface } from '../door/surface.ts';
import { wayOut } from '../outgoing/listeners.ts';
import { kithSecret } from '../support/kith.ts';
import { calls, openModel, says, type ModelServer, type Turn } from './model-server.ts';
import { talk, user } from './talk.ts';

let model: ModelServer;
let surface: Surface;

const usual: AgentBounds = { mostRounds: 3, wholeMs: 60_000, mostCharacters: 100_000 };

beforeAll(async () => {
  model = await openModel();
  const { outgoing } = wayOut(['127.0.0.0/8']);
  const route = (path: string, bounds?: Partial<AgentBounds>): Route => ({
    method: 'POST',
    path: `/${path}`,
    body: 'merged',
    operation: createAgentStream({
      ...{ outgoing, keyring: createKeyring(kithSecret, []), clock: systemClock, limiter: undefined },
      model: bounds && { url: model.url, name: 'm', key: undefined },
      bounds: { ...usual, ...bounds },
    }),
  });
  surface = await openSurface([route('none'), route('rounds', {}), route('time', { wholeMs: 100 })]);
});
afterAll(async () => {
  await surface.stop();
  await model.close();
});

const ask = (path: string, signal?: AbortSignal) =>
  talk(
    surface.url,
    surface.admin,
    { messages: [user('Hello')] },
    { path: `/api/v1/${path}`, ...(signal && { signal }) },
  );

it('without a model, NOT_SUPPORTED', async () => {
  const refused = await ask('none');
  expect([refused.status, refused.json.code]).toEqual([400, 'NOT_SUPPORTED']);
});

const search = calls({ name: 'crm_global_search', args: { query: 'nobody' } });

it('after so many rounds, with all that was said until then', async () => {
  model.plays(search);
  const told = await ask('rounds');
  expect([told.ending, model.asked.length]).toEqual(['done rounds', 3]);
  expect(told.messages.map(({ role }) => role)).toEqual([
    'assistant',
    'tool',
    'assistant',
    'tool',
    'assistant',
    'tool',
  ]);
});

it('when the time is over, and the model is let go', async () => {
  const closed = Promise.withResolvers<void>();
  model.plays((response) => {
    response.once('close', () => closed.resolve());
    response.writeHead(200).write(': wait\n');
  });
  const told = await ask('time');
  expect(told.ending).toBe('end UNAVAILABLE');
  await closed.promise;
});

it('where the model has no room for more: what it called then is not done', async () => {
  const cut: Turn = (response) => {
    const delta = {
      content: 'So far',
      tool_calls: [{ index: 0, id: 'a', function: { name: 'crm_bulk', arguments: '{' } }],
    };
    response.writeHead(200).end(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: 'length' }] })}\n\n`);
  };
  model.plays(cut);
  const told = await ask('rounds');
  expect([told.ending, told.messages]).toEqual(['done length', [{ role: 'assistant', content: 'So far' }]]);
});

it('a person has three at once', async () => {
  const left = new AbortController();
  const begun = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const wait = begun.map(({ resolve }): Turn => (response) => {
    response.writeHead(200).write(': wait\n');
    resolve();
  });
  model.plays(...wait, says('Never'));
  const open = begun.map(() => ask('rounds', left.signal).catch(() => {}));
  await Promise.all(begun.map(({ promise }) => promise));
  expect((await ask('rounds')).ending).toBe('end UNAVAILABLE');
  left.abort();
  await Promise.all(open);
});
