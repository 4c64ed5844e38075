/** What is not of the public internet is not connected to, however it is written and whatever a name says. */
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isPublic } from '../../src/outgoing/addresses.ts';
import type { OutgoingError } from '../../src/outgoing/failure.ts';
import { rawServer, socketsOpened, wayOut, webServer, type Listener } from './listeners.ts';

const notPublic = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.0.1'],
  ...['168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1'],
  ...['192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:7f00:1'],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  ],
  ...[
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '3fff::1',
  ],
  ...['5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', 'ffff::1'],
];
const isPublicOnes = [
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.0.1',
];

const refused = { reason: 'refused' };

describe('an address', () => {
  it.each(notPublic)('%s is refused, and no socket is opened', async (address) => {
    const { outgoing } = wayOut([], async () => [address]);
    const written = address.includes(':') ? `[${address}]` : address;
    const opened = await socketsOpened(async () => {
      for (const host of [written, 'acme.test']) {
        await expect(outgoing.request({ url: `https://${host}/` })).rejects.toMatchObject(refused);
        await expect(outgoing.connect({ host, port: 993, use: 'mail', tls: true })).rejects.toMatchObject(refused);
      }
    });
    expect(opened).toBe(0);
  });

  it.each([...isPublicOnes, '2001:200::1', '2606:4700::1111', '2a00:1450::1', '3ffe::1'])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each(['', 'acme.test', '1.1.1', 'fe80::1%eth0', '::1%lo', '01.1.1.1'])('%j is none', (text) => {
    expect(isPublic(text)).toBe(false);
  });

  it("of this machine's own is not public, even if the internet has it", () => {
    const families = { IPv4: '1.1.1.1', IPv6: '2606:4700::1111' };
    const own = Object.entries(families).map(([family, address]) => ({ family, address }) as os.NetworkInterfaceInfo);
    const spy = vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: own });
    syncBuiltinESMExports();
    try {
      expect(['1.1.1.1', '2606:4700:0::1111', '1.1.1.2'].map(isPublic)).toEqual([false, false, true]);
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
  });
});

describe('with a server that listens on loopback', () => {
  const servers: Listener[] = [];
  let port: number;

  beforeAll(async () => {
    servers.push(await webServer((_, response) => response.end('secret')));
    port = servers[0]?.port ?? 0;
  });
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  const spellings = [
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '0x7f.0.0.0x1',
    ],
    ...['127.0.0.1.', '127.000.000.001', '0', '0x0', '%31%32%37.0.0.1', '１２７.0.0.1', '127。0。0。1', '①②⑦.0.0.1'],
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::]', '[::127.0.0.1]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'any.localhost', 'ⓛocalhost'],
  ];

  it.each(spellings)('http://%s is refused', async (host) => {
    const { outgoing } = wayOut();
    const opened = await socketsOpened(async () => {
      await expect(outgoing.request({ url: `http://${host}:${port}/` })).rejects.toMatchObject(refused);
      await expect(outgoing.connect({ host, port, use: 'mail', tls: false })).rejects.toMatchObject(refused);
    });
    expect([opened, servers[0]?.count()]).toEqual([0, 0]);
  });

  it.each(['[::1%25lo]', '[fe80::1%25eth0]', '::1', '127.0.0.1.1', '256.0.0.1', '0x1ffffffff', ''])(
    'http://%s is no address',
    async (host) => {
      const { outgoing } = wayOut();
      await expect(outgoing.request({ url: `http://${host}:${port}/` })).rejects.toMatchObject({ reason: 'invalid' });
    },
  );

  it.each(['', '.', 'fe80::1%eth0', 'acme.test:993', 'a/b', 'user@acme.test', 'acme test', '256.1.1.1', '127.0.0.1\n'])(
    'the mail host %j is none',
    async (host) => {
      const { outgoing } = wayOut();
      const opening = outgoing.connect({ host, port, use: 'mail', tls: false });
      await expect(opening).rejects.toMatchObject({ reason: 'invalid' });
    },
  );

  it('nobody can tell an open port from a closed one, nor where a name leads', async () => {
    const { outgoing, logged } = wayOut([], async () => ['10.1.2.3', '::1']);
    const closed = await rawServer(() => {});
    await closed.close();
    const told = [];
    for (const url of [port, closed.port].flatMap((port) => [`http://127.0.0.1:${port}/`, `http://acme.test:${port}/`]))
      told.push(await outgoing.request({ url }).catch((error: unknown) => error));
    const [open, openNamed, shut, shutNamed] = told.map((error) => (error as OutgoingError).message);
    expect([open, openNamed]).toEqual([shut, shutNamed]);
    expect(openNamed).toBe(
      '"acme.test" is not allowed: Kith connects to public addresses, and to others where KITH_PRIVATE_HOSTS names them',
    );
    expect(logged[1]).toEqual({ reason: 'refused', host: 'acme.test', port, addresses: ['10.1.2.3', '::1'] });
  });

  it.each([
    'http://user@127.0.0.1/',
    'https://:pw@acme.test/',
    'ftp://acme.test/',
    'file:///etc/passwd',
    'acme.test',
    '//x',
  ])('%s is no address of the web', async (url) => {
    await expect(wayOut().outgoing.request({ url })).rejects.toMatchObject({ reason: 'invalid' });
  });

  it.each([
    ['http', 'web', [0, 22, 25, 110, 443.5, 993, 1023, 2049, 6000, 6667, 10_080, 65_536]],
    ['imap', 'mail', [0, 22, 25, 80, 443, 4190, -1, Number.NaN]],
  ] as const)('ports of %s are the usual ones', async (_, use, ports) => {
    const { outgoing } = wayOut([], async () => ['1.1.1.1']);
    const opened = await socketsOpened(async () => {
      for (const port of ports) {
        const opening = outgoing.connect({ host: 'acme.test', port, use, tls: false });
        await expect(opening, String(port)).rejects.toMatchObject({ reason: /refused|invalid/ });
      }
    });
    expect(opened).toBe(0);
  });
});
