/** Mail servers that break off, and accounts that do not work beside one that does. [contract: Accounts; decisions: Integration status] */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../api/receiver.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startTokenServer, type TokenServer } from '../support/token-server.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { mailOf } from './mails.ts';

let host: MailHost;
let tokens: TokenServer;
let accounts: Accounts | undefined;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  tokens = await startTokenServer('otto');
  host = await startMailHost({ tokenInfoUrl: tokens.infoUrl });
});
afterEach(async () => {
  await accounts?.stop();
  accounts = undefined;
});
afterAll(async () => {
  await host?.stop();
  await tokens?.stop();
});

/** In front of a server: each connection ends after so many bytes of what the server says. */
async function breakingProxy(port: number) {
  let most = Infinity;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    let said = 0;
    for (const one of [socket, upstream]) {
      open.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          open.delete(one);
          socket.destroy();
          upstream.destroy();
        });
    }
    socket.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const left = most - said;
      said += chunk.length;
      socket.write(chunk.subarray(0, Math.max(0, left)));
      if (said >= most) socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    breakAfter: (bytes: number) => void (most = bytes),
    async stop() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Within some looks of the service. */
const eventually = (what: () => unknown, expected: unknown) =>
  expect.poll(what, { timeout: 60_000, interval: 100 }).toEqual(expected);

const stateOf = async ({ command }: Accounts, id: string) => {
  const { json } = await command(['list']);
  return (json['accounts'] as { id: string; status: string; next_sync_at: string }[]).find((one) => one.id === id)!;
};

describe.skipIf(noMailHost !== undefined)('a mailbox', () => {
  it(
    'loses nothing and has nothing twice where the server goes away in the middle, again and again',
    { timeout: 200_000 },
    async () => {
      const count = 350;
      await host.fill('ada', count, (at) =>
        mailOf({ id: `<b${at}@x.test>`, subject: `Broken ${at}`, from: `p${at}@x.test`, text: 'x'.repeat(2_000) }),
      );
      const proxy = await breakingProxy(host.imapPort);
      accounts = await startAccounts();
      try {
        const document = host.account('ada') as { imap: object };
        const id = await accounts.connected({ ...document, imap: { ...document.imap, port: proxy.port } });
        const { admin, sync } = accounts;
        const kept = async () => (await admin.get('/inbox/threads', { limit: '1' })).json.total as number;
        const places: number[] = [];
        // Within the greeting, the lists of folders, the headers, and the messages of the second and of the last hundred.
        for (const bytes of [50, 1_500, 20_000, 400_000, 300_000]) {
          proxy.breakAfter(bytes);
          expect(await sync(id), String(bytes)).toMatchObject({ json: { code: 'WRITE_FAILED' } });
          places.push(await kept());
        }
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.at(-1), 'broken off in the middle').toBeGreaterThan(0);
        expect(places.at(-1), 'broken off in the middle').toBeLessThan(count);
        expect(await stateOf(accounts, id)).toMatchObject({ status: 'error', last_error: expect.stringMatching(/\w/) });
        proxy.breakAfter(Infinity);
        expect((await sync(id)).json).toMatchObject({ interactions: count - places.at(-1)!, failed: [] });
        expect(await kept()).toBe(count);
        expect(await stateOf(accounts, id)).toMatchObject({ status: 'active', last_error: null, remaining: 0 });
      } finally {
        await proxy.stop();
      }
    },
  );

  it(
    'whose credentials have ended is expired, is tried again later each time, and holds up no other',
    { timeout: 200_000 },
    async () => {
      accounts = await startAccounts({ env: { KITH_JOBS: 'on', KITH_SYNC_SECONDS: '5' } });
      const { admin } = accounts;
      const { imap } = host.account('otto') as { imap: { password?: string } };
      const { password: _, ...server } = imap;
      const xoauth2 = { client_id: 'kith', refresh_token: 'refresh', token_url: tokens.tokenUrl };
      const ended = await accounts.connected({
        provider: 'imap',
        account_email: 'otto@acme.test',
        imap: { ...server, xoauth2 },
      });
      const good = await accounts.connected(host.account('nina'));
      const subjects = async () =>
        (await admin.get('/inbox/threads')).json.data.map(({ subject }: { subject: string }) => subject);
      await host.deliver('otto', [mailOf({ id: '<o1@x.test>', subject: 'While it works' })]);
      await until(async () => (await subjects()).includes('While it works'), true);

      tokens.end();
      tokens.revoke();
      // Whoever listens still has to sign in anew.
      await host.stopImap();
      await host.startImap();
      const state = async (id: string) =>
        (await admin.get('/integrations/status')).json.integrations.find((one: { id: string }) => one.id === id);
      await eventually(async () => (await state(ended)).status, 'expired');
      await host.deliver('nina', [mailOf({ id: '<n1@x.test>', subject: 'Meanwhile' })]);
      await eventually(async () => (await subjects()).includes('Meanwhile'), true);
      await eventually(async () => (await state(good)).status, 'active');
      expect(await state(ended)).toMatchObject({ status: 'expired' });
      expect(await stateOf(accounts, ended)).toMatchObject({ last_error: /invalid_grant/ });

      const own = accounts;
      const next = async () => Date.parse((await stateOf(own, ended)).next_sync_at);
      const first = await next();
      await eventually(async () => (await next()) > first, true);
      // What works is looked at every five seconds; this was tried again after ten at least, and is after twenty.
      expect((await next()) - first).toBeGreaterThan(15_000);
    },
  );
});
