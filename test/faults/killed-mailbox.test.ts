/** A large mailbox whose synchronisation is killed again and again, and a send whose service is: nothing is lost, nothing twice. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { mailOf } from '../channels/mails.ts';
import { jsonOf, kithJson, start, type Running } from '../cli/kith.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { ask, serve, type ServiceProcess } from './service.ts';
import { faultStage, type FaultStage } from './stage.ts';

/** Messages of the mailbox. */
const messages = Number(process.env['KITH_MAILBOX'] ?? 100_000);
const kills = 10;
/** What a process that synchronises may need: as much for a hundred messages as for a hundred thousand. */
const mostMemory = 450 * 1024 * 1024;
const skipped = noMailHost !== undefined;

let host: MailHost;
let stage: FaultStage;
let env: Record<string, string>;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  if (skipped) return;
  host = await startMailHost();
  stage = await faultStage();
  env = { ...stage.env, KITH_PRIVATE_HOSTS: '127.0.0.1' };
});
afterEach(async () => {
  service?.kill('SIGTERM');
  await service?.outcome;
  service = undefined;
});
afterAll(async () => {
  await stage?.drop();
  await host?.stop();
});

async function connected(document: object): Promise<string> {
  const [user] = await stage.storage.rows(sql`select email from ${stage.storage.table('_users')} limit 1`);
  const args = ['account', 'add', '--user', user?.[0] ?? '', '--file', '-'];
  const { json } = await kithJson(args, env, JSON.stringify(document));
  expect(json).toMatchObject({ integrationId: expect.any(String) });
  return json['integrationId'] as string;
}

async function kept(): Promise<number> {
  const [row] = await stage.storage.rows(sql`select count(*), count(distinct external_id)
    from ${stage.storage.table('_interactions')} where subject like 'Number %'`);
  expect(row?.[0], 'none twice').toBe(row?.[1]);
  return Number(row?.[0]);
}

/** What `kith account list` says is still to come. */
async function remaining(id: string): Promise<unknown> {
  const { json } = await kithJson(['account', 'list'], env);
  return (json['accounts'] as { id: string; remaining: number }[]).find((one) => one.id === id)?.remaining;
}

/** Bytes that the process has needed at most, so far. */
function peakOf({ process: { pid } }: Running): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

describe.skipIf(skipped)('a mailbox', () => {
  it(
    'comes in as a whole and once, however often its reading is killed, in bounded memory',
    { timeout: 3_600_000 },
    async () => {
      const day = (at: number) => new Date(Date.UTC(2020, 0, 1) + at * 600_000).toISOString();
      await host.fill('ada', messages, (at) =>
        mailOf({ id: `<n${at}@x.test>`, subject: `Number ${at % 5_000}`, date: day(at), from: `p${at % 997}@x.test` }),
      );
      const id = await connected(host.account('ada'));
      const reading = () => start(['account', 'sync', '--account', id, '--json'], env);
      const places: number[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const killed = reading();
        const statements = 45 + Math.round((kill * 45 * messages) / 100_000);
        stage.proxy.arm(statements, kill % 2 === 0 ? 'after' : 'before', () => killed.process.kill('SIGKILL'));
        expect((await killed.outcome).code).toBeNull();
        stage.proxy.cut();
        await stage.untilAlone();
        places.push(await kept());
        // How far it has come is told, and is as true as what is kept.
        if (places.at(-1) !== 0) expect(await remaining(id)).toBe(messages - places.at(-1)!);
      }
      stage.proxy.disarm();
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(new Set(places).size, `killed in the middle: ${places.join()}`).toBeGreaterThan(kills / 2);

      const last = reading();
      let peak = 0;
      const watching = setInterval(() => (peak = Math.max(peak, peakOf(last))), 100);
      const { json } = jsonOf(await last.outcome);
      clearInterval(watching);
      expect(json).toMatchObject({ interactions: messages - (places.at(-1) ?? 0), failed: [] });
      expect([await kept(), await remaining(id)]).toEqual([messages, 0]);
      expect(peak).toBeGreaterThan(0);
      expect(peak, 'bytes at most').toBeLessThan(mostMemory);
      console.log(
        `${messages} messages, ${Math.round(peak / 1024 / 1024)} MiB at most, killed at ${places.join(', ')}`,
      );
    },
  );

  it.each(['before the server has it', 'before the answer comes'])(
    'sends a mail at most once: killed %s',
    async (when) => {
      const relay = await smtpRelay(host.smtpPort, when === 'before the answer comes');
      const sender = when === 'before the answer comes' ? 'cleo' : 'dora';
      const { smtp, ...rest } = host.account(sender) as { smtp: object };
      await connected({ ...rest, smtp: { ...smtp, port: relay.port } });
      service = await serve(env);
      const send = async (path: string, body: object) =>
        (await ask(service?.url ?? '', stage.token, 'POST', `/api/v1/messages/${path}`, body))?.json;
      const message = {
        ...{ channel: 'email', from_account_email: `${sender}@acme.test`, to: [`${sender}@acme.test`] },
        ...{ subject: `Once ${sender}`, body: '<p>Hi</p>' },
      };
      const confirmed = { ...message, confirm_token: (await send('preview', message))?.['confirm_token'] };
      relay.arm();
      const [answer] = await Promise.all([send('send', confirmed), relay.reached.then(() => service?.kill('SIGKILL'))]);
      expect(answer, 'the answer is lost').toBeUndefined();
      await service.outcome;
      relay.close();
      await stage.untilAlone();

      const arrived = when === 'before the answer comes' ? 1 : 0;
      await expect.poll(() => inboxOf(sender), { timeout: 20_000 }).toBe(arrived);
      service = await serve(env);
      expect(await send('send', confirmed)).toMatchObject({ mode: 'duplicate_suppressed' });
      const [state] = await stage.storage.rows(sql`select delivery from ${stage.storage.table('_interactions')}
      where subject = ${message.subject} and direction = 'outbound'`);
      expect(state).toEqual(['unknown']);
      expect(await inboxOf(sender)).toBe(arrived);
    },
  );
});

/** How many mails that begin with Once are there. */
async function inboxOf(user: string): Promise<number> {
  const client = await host.client(user);
  const lock = await client.getMailboxLock('INBOX');
  const found = (await client.search({ subject: 'Once' })) || [];
  lock.release();
  await client.logout();
  return found.length;
}

/** A relay in front of a server for mails. Once armed, it keeps the end of a message for itself, or the answer to it. */
async function smtpRelay(port: number, isForwarded: boolean) {
  const reached = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  let isArmed = false;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let isOver = false;
    let tail = '';
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.on('data', (bytes) => {
      tail = (tail + bytes.toString('latin1')).slice(-5);
      isOver ||= isArmed && tail === '\r\n.\r\n';
      if (!isOver || isForwarded) far.write(bytes);
      if (isOver && !isForwarded) reached.resolve();
    });
    far.on('data', (bytes) => {
      if (!isOver) near.write(bytes);
      else reached.resolve();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    reached: reached.promise,
    arm: () => void (isArmed = true),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
