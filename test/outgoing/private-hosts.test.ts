/** What KITH_PRIVATE_HOSTS lets through, and what it does not. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parsePrivateHost } from '../../src/outgoing/private-hosts.ts';
import { socketsOpened, wayOut, webServer, type Listener } from './listeners.ts';

let server: Listener;
let other: Listener;

beforeAll(async () => {
  server = await webServer((_, response) => response.end('from inside'));
  other = await webServer((_, response) => response.end('from inside'));
});
afterAll(() => Promise.all([server.close(), other.close()]));

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.0/8', '127.0.0.1'],
  ['127.0.0.0/8', '127.1'],
  ['127.0.0.0/8', '[::ffff:127.0.0.1]'],
  ['0.0.0.0/0', '127.0.0.1'],
  ['127.0.0.1:PORT', '127.0.0.1'],
  ['127.0.0.0/8:PORT', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['LocalHost.', 'localhost'],
  ['localhost:PORT', 'localhost.'],
  ['127.0.0.1', 'localhost'],
  ['127.0.0.1', 'acme.test'],
])('%s lets http://%s through', async (entry, host) => {
  const { outgoing } = wayOut([entry.replace('PORT', String(server.port))], async (name) =>
    name === 'localhost' ? ['127.0.0.1', '::1'] : ['10.0.0.1', '127.0.0.1', '::1'],
  );
  const { status, body } = await outgoing.request({ url: `http://${host}:${server.port}/` });
  expect([status, body.toString()]).toEqual([200, 'from inside']);
});

it.each([
  ['127.0.0.2', '127.0.0.1'],
  ['127.0.0.1:PORT', '127.0.0.1'],
  ['10.0.0.0/8', '127.0.0.1'],
  ['::1', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['localhost', 'any.localhost'],
  ['acme.test', 'www.acme.test'],
  ['::/0', 'localhost.'],
])('%s does not let http://%s through', async (entry, host) => {
  const entries = [entry.replace('PORT', String(server.port))];
  const { outgoing } = wayOut(entries, async () => ['127.0.0.1']);
  const opened = await socketsOpened(() =>
    expect(outgoing.request({ url: `http://${host}:${other.port}/` })).rejects.toMatchObject({ reason: 'refused' }),
  );
  expect([opened, other.count()]).toEqual([0, 0]);
});

it('opens a port that is not usual only by its number', async () => {
  const { outgoing } = wayOut(['127.0.0.1', '127.0.0.2:25']);
  const to = (host: string) => outgoing.connect({ host, port: 25, use: 'mail', tls: false });
  await expect(to('127.0.0.1')).rejects.toMatchObject({
    reason: 'refused',
    message: expect.stringContaining('Port 25 of "127.0.0.1" is not allowed'),
  });
  const opened = await socketsOpened(() => to('127.0.0.2').catch(() => {}));
  expect(opened).toBe(1);
});

it('judges where the socket has really come to: 0.0.0.0 leads to loopback', async () => {
  const { outgoing, logged } = wayOut(['0.0.0.0/32']);
  const request = outgoing.request({ url: `http://0.0.0.0:${server.port}/` });
  await expect(request).rejects.toMatchObject({ reason: 'refused' });
  expect(logged).toEqual([{ reason: 'refused', host: '0.0.0.0', port: server.port, addresses: ['127.0.0.1'] }]);
});

it('gives a socket that is connected, for other protocols', async () => {
  const { outgoing } = wayOut(['127.0.0.1']);
  const socket = await outgoing.connect({ host: '127.0.0.1', port: server.port, use: 'mail', tls: false });
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toContain('from inside');
  socket.destroy();
});

it.each([
  ['mail.corp', { name: 'mail.corp' }],
  ['Mail_1.Corp.:8080', { name: 'mail_1.corp', port: 8080 }],
  ['bücher.test', { name: 'xn--bcher-kva.test' }],
  ['10.1.2.3', { network: '10.1.2.3', bits: 32 }],
  ['10.0.0.0/8:443', { network: '10.0.0.0', bits: 8, port: 443 }],
  ['fd00::/8', { network: 'fd00::', bits: 8 }],
  ['fd00::1', { network: 'fd00::1', bits: 128 }],
  ['[fd00::1]', { network: 'fd00::1', bits: 128 }],
  ['[fd00::/8]:443', { network: 'fd00::', bits: 8, port: 443 }],
])('reads %s', (text, entry) => {
  expect(parsePrivateHost(text)).toEqual(entry);
});

it.each(
  [
    '*',
    '*.corp',
    '.corp',
    'a..b',
    'http://mail.corp',
    'mail.corp/8',
    'mail.corp:',
    'mail.corp:0',
    'mail.corp:65536',
  ].concat([
    'mail.corp:x',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '127.1',
    'fd00::/129',
    'fe80::1%eth0',
    'a b',
    '[]',
  ]),
)('does not take %j', (text) => {
  expect(parsePrivateHost(text)).toBeUndefined();
});
