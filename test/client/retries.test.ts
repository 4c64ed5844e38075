/** The typed client where a service refuses, falls silent or goes away: what it sends again, when, and how often it is done. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KithError, type ClientSettings, type KithClient } from '../../client/index.js';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { refusal, typed } from '../support/typed.ts';

let kith: TestKith;
let limited: TestKith;
let organization: TestOrganization;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  limited = await startKith({ KITH_RATE_LIMITS: '{"api:global":{"limit":2,"windowSeconds":1}}' });
});
afterAll(async () => {
  await kith.stop();
  await limited.stop();
});

const clientOf = (settings: Partial<ClientSettings> = {}) => typed(kith, organization.admin, settings);

/** `fetch` whose first answers are lost on the way, after the service has done what was asked. */
function losing(count: number) {
  const sent: Headers[] = [];
  const lossy = async (url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers));
    const response = await fetch(url, init);
    if (sent.length > count) return response;
    await response.text();
    throw new TypeError('fetch failed', { cause: new Error('the line is cut') });
  };
  return { sent, fetch: lossy };
}

describe('an answer that is lost', () => {
  it('is asked for again, and what has a key is done once', async () => {
    const { sent, fetch } = losing(2);
    const made = await clientOf({ fetch }).records.create('companies', { name: 'Once' }).withResponse();
    const keys = sent.map((headers) => headers.get('idempotency-key'));
    expect([keys.length, new Set(keys).size, made.isReplayed]).toEqual([3, 1, true]);
    expect((await clientOf().records.list('companies', { search: 'Once' })).total).toBe(1);
  });

  it('is not asked for again where that could be done twice', async () => {
    const { id } = await clientOf().records.create('companies', { name: 'Twice' });
    const { sent, fetch } = losing(1);
    const error = await refusal(clientOf({ fetch }).records.update('companies', id, { employees: 3 }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: undefined });
    expect(error.message).toContain('the line is cut');
    expect(sent).toHaveLength(1);
  });

  it('is asked for no more often than told', async () => {
    const { sent, fetch } = losing(9);
    const error = await refusal(clientOf({ fetch, maxRetries: 1 }).me.get());
    expect([error.code, sent.length]).toEqual(['CONNECTION_FAILED', 2]);
  });

  it('is no other call: each has a key of its own, unless it brings one', async () => {
    const client = clientOf();
    const one = await client.records.create('contacts', { last_name: 'Key' }, { idempotencyKey: 'my-own' });
    const same = client.records.create('contacts', { last_name: 'Key' }, { idempotencyKey: 'my-own' });
    expect(await same.withResponse()).toMatchObject({ isReplayed: true, data: { id: one.id } });
    await client.records.create('contacts', { last_name: 'Key' });
    await client.records.create('contacts', { last_name: 'Key' });
    expect((await client.records.list('contacts', { search: 'Key' })).total).toBe(3);
  });
});

describe('a limit', () => {
  it('RL-04: is waited for as long as the service says', async () => {
    const { admin } = await limited.organization();
    const log: { at: number; status: number; retryAfter: number }[] = [];
    const client = typed(limited, admin, {
      maxRetries: 9,
      fetch: async (url, init) => {
        const at = performance.now();
        const response = await fetch(url, init);
        log.push({ at, status: response.status, retryAfter: Number(response.headers.get('retry-after')) });
        return response;
      },
    });
    const denied = () => log.findIndex(({ status }) => status === 429);
    // A PUT has no key: but what is denied was not begun.
    while (denied() === -1) await client.notifications.markAll({ read: true });
    const [first, next] = [log[denied()], log[denied() + 1]];
    expect((next?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual((first?.retryAfter ?? 99) * 1000 - 2);
  });

  it('RL-04: is an error where nobody waits so long, with all that is told of it', async () => {
    const { admin } = await limited.organization();
    const client = typed(limited, admin, { maxWaitMs: 500 });
    const all = await Promise.all([1, 2, 3].map(() => client.me.get().catch((error: unknown) => error)));
    const [error] = all.filter((one) => one instanceof KithError);
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      retryAfterSeconds: 1,
      rateLimit: { policy: 'api:global', limit: 2, remaining: 0, reset: expect.any(Date) },
      body: { error: 'Too many requests', policy: 'api:global', retryAfterSeconds: 1 },
    });
  });
});

describe('what is no Kith, or does not answer', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serving(listener: RequestListener): Promise<KithClient> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return clientOf({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 1 });
  }

  it.each([
    ['a page of a proxy', 404, '<html>', 'UNEXPECTED_ANSWER', 1],
    ['a proxy without a service', 502, '<html>', 'UNEXPECTED_ANSWER', 2],
    ['a success that is no JSON', 200, 'hello', 'UNEXPECTED_ANSWER', 1],
    ['a service that is busy', 503, '{"error":"…","code":"INTERNAL_ERROR","message":"busy"}', 'INTERNAL_ERROR', 2],
    ['a defect', 500, '{"error":"…","code":"INTERNAL_ERROR","message":"defect"}', 'INTERNAL_ERROR', 1],
    ['a code of a newer service', 400, '{"code":"NEW_CODE","message":"new"}', 'NEW_CODE', 1],
    ['a redirect, which could lead a token away', 302, '', 'CONNECTION_FAILED', 2],
  ])('%s', async (_what, status, body, code, asked) => {
    let requests = 0;
    const client = await serving((_, response) => {
      requests++;
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    });
    expect([(await refusal(client.me.get())).code, requests]).toEqual([code, asked]);
  });

  it('breaks off in the middle of an answer: that is asked for again', async () => {
    let requests = 0;
    const client = await serving((_, response) => {
      response.writeHead(200, { 'content-length': '13' });
      if (requests++ > 0) response.end('{"fine":true}');
      else response.write('{"fine":', () => response.destroy());
    });
    expect(await client.me.get()).toEqual({ fine: true });
  });

  it('times out, each attempt by itself', async () => {
    let requests = 0;
    const client = await serving(() => requests++);
    const error = await refusal(client.me.get({ timeoutMs: 40 }));
    expect([error.code, requests]).toEqual(['TIMEOUT', 2]);
  });

  it('is left by a signal: during a request, a wait and a loop over pages', async () => {
    const client = await serving((_, response) => response.writeHead(503, { 'retry-after': '30' }).end('{"code":"X"}'));
    const hanging = await serving(() => controller.abort(new Error('enough')));
    const controller = new AbortController();
    await expect(hanging.me.get({ signal: controller.signal })).rejects.toThrow('enough');
    await expect(client.me.get({ signal: controller.signal })).rejects.toThrow('enough');
    const waiting = new AbortController();
    const call = client.me.get({ signal: waiting.signal });
    waiting.abort(new Error('no wait'));
    await expect(call).rejects.toThrow('no wait');
    const pages = client.records.listAll('contacts', {}, { signal: controller.signal });
    await expect(pages[Symbol.asyncIterator]().next()).rejects.toThrow('enough');
  });
});

describe('a service that goes away', () => {
  let relay: Proxy;
  let client: KithClient;
  beforeAll(async () => {
    relay = await startProxy(kith.url);
    client = clientOf({ baseUrl: String(relay.connection).replace(/\/$/, '') });
  });
  afterAll(() => relay.close());

  it('is asked again when it is back', async () => {
    await client.me.get();
    relay.cut();
    const calls = Array.from({ length: 5 }, (_, at) => client.records.create('companies', { name: `Back ${at}` }));
    relay.cut();
    await Promise.all(calls);
    expect((await client.records.list('companies', { search: 'Back' })).total).toBe(5);
  });

  it('has its stream of changes gone on with: none is lost, none comes twice', async () => {
    const { position } = await client.events.list({ object: 'companies', after: 'now' });
    const stream = client.events.stream({ object: 'companies', after: position });
    // `now` is before what was committed while an older transaction of the server went on: the tests before wrote such.
    const heard = async () => {
      for (;;) {
        const { value } = await stream.next();
        const name = String(value?.data.record?.['name']);
        if (name.startsWith('Heard')) return { id: value?.id, name };
      }
    };
    const write = (name: string) => clientOf().records.create('companies', { name });
    await write('Heard 0');
    const all = [await heard()];
    relay.cut();
    await write('Heard 1');
    await write('Heard 2');
    all.push(await heard(), await heard());
    const later = heard();
    relay.cut();
    await write('Heard 3');
    all.push(await later);
    expect(all.map(({ name }) => name)).toEqual(['Heard 0', 'Heard 1', 'Heard 2', 'Heard 3']);
    expect(new Set(all.map(({ id }) => id)).size).toBe(4);
    await stream.return();
    const again = client.events.stream({ object: 'companies' }, { lastEventId: all[2]?.id });
    expect((await again.next()).value?.data.record?.['name']).toBe('Heard 3');
    await again.return();
  });

  it('ends a stream whose token is no good', async () => {
    const stranger = clientOf({ token: 'svc_nonsense' }).notifications.stream();
    expect(await refusal(stranger.next())).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is left by a stream that nobody reads on, and by one whose signal says so', async () => {
    const controller = new AbortController();
    const stream = client.notifications.stream({ signal: controller.signal });
    const next = stream.next();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(await stream.next()).toMatchObject({ done: true });
  });
});
