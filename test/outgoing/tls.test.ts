/** TLS is verified, with the name that was asked for. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { certificate as cert, certificateKey as key } from './certificate.ts';
import { rawServer, wayOut } from './listeners.ts';

const usual = getCACertificates();
const open: Server[] = [];
const names: (string | false | null)[] = [];
const { outgoing, logged } = wayOut(['127.0.0.0/8'], async () => ['127.0.0.1']);

async function serving(server: Server): Promise<number> {
  open.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

let port: number;
beforeAll(async () => {
  const answer: RequestListener = ({ socket, headers }, response) => {
    names.push(socket instanceof TLSSocket ? (socket as TLSSocket & { servername: string | false }).servername : null);
    response.end(headers.host);
  };
  port = await serving(createServer({ cert, key }, answer));
});
afterEach(() => {
  setDefaultCACertificates(usual);
  vi.unstubAllEnvs();
});
afterAll(() => open.forEach((server) => server.close()));

it('takes a certificate of the name', async () => {
  setDefaultCACertificates([cert]);
  const { body } = await outgoing.request({ url: `https://acme.test:${port}/` });
  expect([body.toString(), names]).toEqual([`acme.test:${port}`, ['acme.test']]);
});

it.each([
  ['of another name', 'www.acme.test', [cert], 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['of a name, for an address', '127.0.0.1', [cert], 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['that nobody vouches for', 'acme.test', usual, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
])('takes no certificate %s', async (_, host, authorities, code) => {
  setDefaultCACertificates(authorities);
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  logged.length = 0;
  await expect(outgoing.request({ url: `https://${host}:${port}/` })).rejects.toMatchObject({
    reason: 'tls',
    message: `There is no safe connection to "${host}": ${code}`,
  });
  expect(logged).toMatchObject([{ reason: 'tls', host, port, address: '127.0.0.1' }]);
});

it('tells a server that speaks no TLS', async () => {
  const plain = await rawServer((socket) => socket.end('220 ready\r\n'));
  await expect(outgoing.request({ url: `https://acme.test:${plain.port}/` })).rejects.toMatchObject({ reason: 'tls' });
  await plain.close();
});

it('gives up on a handshake that does not end', async () => {
  const silent = await rawServer(() => {});
  const host = { host: 'acme.test', port: silent.port, use: 'mail', tls: true } as const;
  await expect(outgoing.connect(host, { timeoutMs: 200 })).rejects.toMatchObject({ reason: 'timeout' });
  await silent.close();
});

it('gives a socket that is secured, and stays when the time for opening it is over', async () => {
  setDefaultCACertificates([cert]);
  const mail = await serving(createTlsServer({ cert, key }, (socket) => void socket.pipe(socket)));
  const host = { host: 'acme.test', port: mail, use: 'mail', tls: true } as const;
  const socket = await outgoing.connect(host, { timeoutMs: 500 });
  expect(socket).toMatchObject({ authorized: true });
  await once(AbortSignal.timeout(500), 'abort');
  socket.write('still there');
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toBe('still there');
  socket.destroy();
});
