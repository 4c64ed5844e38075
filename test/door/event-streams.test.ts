/** Events over HTTP for as long as somebody listens, and what ends them. */
import { on, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Type from 'typebox';
import { inHeader } from '../../src/describe/annotations.ts';
import { errors } from '../../src/errors.ts';
import type { Route } from '../../src/http/bind.ts';
import { routes } from '../../src/http/routes.ts';
import { EventStream, type StreamEvent } from '../../src/operations/door/event-stream.ts';
import { defineOperation } from '../../src/operations/door/operation.ts';
import { revokeToken } from '../../src/provision/tokens.ts';
import { updateUser } from '../../src/provision/users.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import type { Client } from '../support/kith.ts';
import { rowsOf } from '../provision/setup.ts';
import { openSurface, type Surface } from './surface.ts';

const mostOfUser = 3;
const mostOfOrganization = 8;
const mostOfProcess = 100;

let surface: Surface;
let seen: Source[];
/** What the next streams send, beside what is emitted. */
let begin: () => AsyncIterable<StreamEvent>;

/** One open stream, as the operation has it. */
interface Source {
  readonly lastEventId: string | undefined;
  emit(event: StreamEvent): void;
  fail(error: Error): void;
  readonly closed: Promise<void>;
}

async function* none(): AsyncGenerator<StreamEvent> {}

const listen = defineOperation({
  id: 'test.listen',
  summary: 'Listen to events',
  input: Type.Object(
    { last_event_id: Type.Optional(Type.String(inHeader('Last-Event-ID'))) },
    { additionalProperties: false },
  ),
  output: Type.String(),
  downloads: ['text/event-stream'],
  effect: 'read',
  cost: 'global',
  async run(_call, { last_event_id: lastEventId }) {
    if (lastEventId === 'unknown') throw errors.validation('There is no such event');
    return new EventStream((signal) => eventsOf(lastEventId, signal), { retryMs: 1_234, heartbeatMs: 20 });
  },
});

async function* eventsOf(lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const target = new EventTarget();
  const closed = Promise.withResolvers<void>();
  const emitted = on(target, 'event', { signal });
  seen.push({
    lastEventId,
    emit: (event) => void target.dispatchEvent(new CustomEvent('event', { detail: event })),
    fail: (error) => void target.dispatchEvent(new CustomEvent('event', { detail: error })),
    closed: closed.promise,
  });
  try {
    yield* begin();
    for await (const [{ detail }] of emitted) {
      if (detail instanceof Error) throw detail;
      yield detail;
    }
  } finally {
    closed.resolve();
  }
}

const described: readonly Route[] = [
  ...routes,
  { method: 'GET', path: '/test/listen', operation: listen, body: undefined },
];

beforeAll(async () => {
  // The deadline is over before the first of the tests: a stream has none.
  const deadlines = { global: 2_000, long: 2_000, expensive: 2_000, bulk: 2_000 };
  surface = await openSurface(described, {
    streams: { lookEveryMs: 20, mostOfUser, mostOfOrganization, mostOfProcess },
    deadlines,
  });
});
afterAll(() => surface.stop());
beforeEach(() => {
  seen = [];
  begin = none;
});

interface Listener {
  readonly headers: Headers;
  readonly source: Source;
  /** The next event or comment, without the empty line behind it; undefined at the end. */
  next(): Promise<string | undefined>;
  /** The next event. */
  event(): Promise<string | undefined>;
  leave(): void;
}

async function open(client: Client, headers: Record<string, string> = {}, url = surface.url): Promise<Listener> {
  const left = new AbortController();
  const reply = await fetch(`${url}/api/v1/test/listen`, {
    headers: { authorization: `Bearer ${client.token}`, ...headers },
    signal: left.signal,
  });
  expect(reply.status).toBe(200);
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<string | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const part = text.slice(0, end);
        text = text.slice(end + 2);
        return part;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  }
  async function event(): Promise<string | undefined> {
    let part = await next();
    while (part === ':') part = await next();
    return part;
  }
  expect(await next()).toBe('retry: 1234');
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  return { headers: reply.headers, source: seen.at(-1)!, next, event, leave: () => left.abort() };
}

/** What the last event says. */
async function endOf(listener: Listener): Promise<{ code: string; message: string }> {
  const [kind, data] = (await listener.event())?.split('\n') ?? [];
  expect(kind).toBe('event: end');
  expect(await listener.next()).toBeUndefined();
  await listener.source.closed;
  return JSON.parse(data?.replace('data: ', '') ?? '');
}

describe('a stream of events', () => {
  it('has ids, kinds and data of several lines, and comments while nothing happens', async () => {
    const listener = await open(surface.admin);
    expect(listener.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(listener.headers.get('cache-control')).toBe('no-store');
    listener.source.emit({ id: '1', event: 'made', data: '{"a":1}' });
    expect(await listener.event()).toBe('id: 1\nevent: made\ndata: {"a":1}');
    listener.source.emit({ data: 'one\ntwo\r\nthree' });
    expect(await listener.event()).toBe('data: one\ndata: two\ndata: three');
    expect(await listener.next()).toBe(':');
    listener.leave();
  });

  it('goes on from the event that the client had last, or says at once that it cannot', async () => {
    const listener = await open(surface.admin, { 'last-event-id': '41' });
    expect(listener.source.lastEventId).toBe('41');
    listener.leave();
    const refused = await surface.admin.get('/test/listen', {}, { 'last-event-id': 'unknown' });
    expect([refused.status, refused.json.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('lasts longer than a request may', async () => {
    const listener = await open(surface.admin);
    for (let beat = 0; beat < 110; beat++) expect(await listener.next()).toBe(':');
    listener.source.emit({ data: 'still there' });
    expect(await listener.event()).toBe('data: still there');
    listener.leave();
  });

  it('ends with what it failed of', async () => {
    const refused = await open(surface.admin);
    refused.source.fail(errors.notFound('It is gone'));
    expect(await endOf(refused)).toEqual({ code: 'NOT_FOUND', message: 'It is gone' });
    const broken = await open(surface.admin);
    broken.source.fail(new Error('A secret'));
    expect(await endOf(broken)).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.not.stringContaining('secret'),
    });
  });
});

describe('the caller is looked at again', () => {
  it('a revoked token ends it', async () => {
    const user = await surface.user('Member');
    const listener = await open(user);
    const tokens = identifier(surface.organization.schema, '_tokens');
    const query = sql`select id from ${tokens} where workspace_user_id = ${user.workspaceUserId}::uuid`;
    const [[tokenId] = []] = await rowsOf(surface.database.database, query);
    await revokeToken(surface.kernel.provision, String(tokenId));
    expect(await endOf(listener)).toMatchObject({ code: 'UNAUTHORIZED', message: expect.stringContaining('revoked') });
  });

  it('a user who is not active any more ends it', async () => {
    const user = await surface.user('Member');
    const listener = await open(user);
    await updateUser(surface.kernel.provision, surface.organization.id, user.email, { active: false });
    expect((await endOf(listener)).code).toBe('UNAUTHORIZED');
  });

  it('another role ends it, so that the next is of that role', async () => {
    const user = await surface.user('Member');
    const listener = await open(user);
    await updateUser(surface.kernel.provision, surface.organization.id, user.email, { role: 'Viewer' });
    expect(await endOf(listener)).toEqual({
      code: 'CONFLICT',
      message: 'The workspace or your role has changed: connect again',
    });
    (await open(user)).leave();
  });
});

describe('an end that comes from outside', () => {
  it('a stop of the service ends it with an event, and does not wait for it', async () => {
    const { client, server, url } = await surface.another();
    const listener = await open(client, {}, url);
    const begun = performance.now();
    const closed = server.close();
    expect(await endOf(listener)).toEqual({ code: 'UNAVAILABLE', message: 'The service is stopping: connect again' });
    await closed;
    // What is not finished is cut after nine seconds.
    expect(performance.now() - begun).toBeLessThan(8_000);
  });

  it('whoever leaves has none any more, and may have another: there is a bound per user', async () => {
    const user = await surface.user('Member');
    const listeners = [];
    for (let count = 0; count < mostOfUser; count++) listeners.push(await open(user));
    const refused = await user.get('/test/listen');
    expect([refused.status, refused.json.message]).toEqual([503, expect.stringContaining('You have 3 event streams')]);
    (await open(surface.admin)).leave();
    listeners[0]!.leave();
    await listeners[0]!.source.closed;
    (await open(user)).leave();
    for (const listener of listeners) listener.leave();
  });

  it('an organization has a bound of its own, whoever of its users they are of', async () => {
    const { client, url } = await surface.another();
    const users = [await surface.user('Member'), await surface.user('Member'), await surface.user('Member')];
    const listeners = [];
    for (let count = 0; count < mostOfOrganization; count++) listeners.push(await open(users[count % 3]!, {}, url));
    const refused = await client.get('/test/listen');
    const message = expect.stringContaining('Your workspace has 8 event streams');
    expect([refused.status, refused.json.code, refused.json.message]).toEqual([503, 'INTERNAL_ERROR', message]);
    listeners[0]!.leave();
    await listeners[0]!.source.closed;
    (await open(client, {}, url)).leave();
    for (const listener of listeners) listener.leave();
  });

  it('a reader that takes nothing is cut off, and nothing is kept for it', async () => {
    let made = 0;
    begin = async function* endless() {
      for (;;) yield { data: 'x'.repeat(100_000), id: String(++made) };
    };
    const socket = await deaf(surface.admin);
    await expect.poll(() => seen.length).toBe(1);
    await seen[0]!.closed;
    // The system itself keeps some megabytes on the way.
    expect(made).toBeLessThan(1_000);
    socket.destroy();
  });
});

/** Asks for the stream, and never reads. */
async function deaf(client: Client): Promise<Socket> {
  const { hostname, port } = new URL(surface.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.pause();
  socket.on('error', () => {});
  socket.write(`GET /api/v1/test/listen HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n\r\n`);
  return socket;
}
