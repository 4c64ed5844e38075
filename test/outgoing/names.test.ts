/** Names whose owner wants something: those that lead elsewhere the second time, to several places, or nowhere. */
import { afterEach, expect, it } from 'vitest';
import { createResolve } from '../../src/outgoing/resolve.ts';
import { socketsOpened, wayOut, webServer, type Listener } from './listeners.ts';
import { nameServer, type NameServer } from './name-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function track<T extends Listener | NameServer>(server: T): T {
  open.push(server);
  return server;
}

it('a name that leads to loopback is refused, asked of DNS once', async () => {
  const dns = track(await nameServer(() => ['127.0.0.1']));
  const server = track(await webServer((_, response) => response.end()));
  const { outgoing } = wayOut([], createResolve([dns.address]));
  const opened = await socketsOpened(() =>
    expect(outgoing.request({ url: `http://acme.test:${server.port}/` })).rejects.toMatchObject({ reason: 'refused' }),
  );
  expect([opened, server.count(), dns.asked]).toEqual([0, 0, ['acme.test', 'acme.test']]);
});

it('a name that leads elsewhere the second time gains nothing: it is not asked again', async () => {
  const allowed = track(await webServer((_, response) => response.end('allowed'), '127.0.0.2'));
  const dns = track(await nameServer((_, question) => [question < 3 ? '127.0.0.2' : '127.0.0.1']));
  const { outgoing } = wayOut(['127.0.0.2'], createResolve([dns.address]));
  const request = () => outgoing.request({ url: `http://acme.test:${allowed.port}/` });
  expect((await request()).body.toString()).toBe('allowed');
  expect(dns.asked).toEqual(['acme.test', 'acme.test']);
  // The next request asks anew, and judges anew.
  await expect(request()).rejects.toMatchObject({ reason: 'refused' });
});

it('of several addresses, only those that are allowed are tried', async () => {
  const allowed = track(await webServer((_, response) => response.end('allowed'), '127.0.0.2'));
  const dns = track(await nameServer(() => ['127.0.0.1', '10.0.0.1', '127.0.0.2', '127.0.0.3']));
  const { outgoing } = wayOut(['127.0.0.2'], createResolve([dns.address]));
  const { body } = await outgoing.request({ url: `http://acme.test:${allowed.port}/` });
  expect(body.toString()).toBe('allowed');
});

it('goes on to the next address where one takes no connection', async () => {
  const allowed = track(await webServer((_, response) => response.end('allowed'), '127.0.0.3'));
  const { outgoing } = wayOut(['127.0.0.0/8'], async () => ['127.0.0.1', '127.0.0.2', '127.0.0.3', '::1']);
  const { body } = await outgoing.request({ url: `http://acme.test:${allowed.port}/` });
  expect(body.toString()).toBe('allowed');
});

it('a name without an address is told, and what DNS said is in the log alone', async () => {
  const dns = track(await nameServer(() => []));
  const { outgoing, logged } = wayOut([], createResolve([dns.address]));
  const request = outgoing.request({ url: 'https://nowhere.test/' });
  await expect(request).rejects.toMatchObject({
    reason: 'unresolved',
    message: 'The name "nowhere.test" has no address',
  });
  expect(logged).toEqual([{ reason: 'unresolved', host: 'nowhere.test', port: 443, cause: 'ENODATA' }]);
});

it('a name server that does not answer takes no longer than the request may', async () => {
  const dns = track(await nameServer(() => undefined));
  const { outgoing } = wayOut([], createResolve([dns.address]));
  const request = outgoing.request({ url: 'https://slow.test/' }, { timeoutMs: 100 });
  await expect(request).rejects.toMatchObject({
    reason: 'timeout',
    message: '"slow.test" took longer than 0.1 seconds',
  });
});

it('names of loopback are asked of nobody', async () => {
  const dns = track(await nameServer(() => ['1.1.1.1']));
  const resolve = createResolve([dns.address]);
  expect(await resolve('localhost', new AbortController().signal)).toEqual(['127.0.0.1', '::1']);
  expect(await resolve('any.localhost', new AbortController().signal)).toEqual(['127.0.0.1', '::1']);
  expect(dns.asked).toEqual([]);
});
