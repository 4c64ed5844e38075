/** Bots of Telegram: fetched where Telegram cannot call in, else by hooks that prove where they come from. [contract: Accounts, Hooks] */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOrganization } from '../../src/provision/delete-organization.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { restore } from '../../src/transfer/restore.ts';
import { kithJson } from '../cli/in-process.ts';
import { kithSecret } from '../support/kith.ts';
import { until } from '../api/receiver.ts';
import { startTelegramServer, type TelegramServer } from '../support/telegram-server.ts';
import { startMessenger, type Messenger } from './messenger.ts';

let telegram: TelegramServer;
let here: Messenger;

beforeAll(async () => {
  telegram = await startTelegramServer();
  here = await startMessenger({ KITH_JOBS: 'on' });
});
afterAll(async () => {
  await here?.stop();
  await telegram?.stop();
});

const bob = '123456789';
const secret = (name: string) => ({ 'x-telegram-bot-api-secret-token': `${name}-secret` });

describe('a bot of Telegram', () => {
  it('is not connected where it does not work, and the answer says why', async () => {
    const refused = await here.add({ ...telegram.account('ada'), bot_token: '1:guess' });
    expect(refused).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR', message: /Telegram.*Unauthorized/ } });
    const odd = await here.add({ ...telegram.account('ada'), base_url: 'ftp://x.test' });
    expect(odd).toMatchObject({ json: { code: 'VALIDATION_ERROR', message: /base_url/ } });
    expect(await here.add({ ...telegram.account('ada'), secret_token: 'a b' })).toMatchObject({ code: 2 });
  });

  it('IT-03: is fetched without a public address, and each message as soon as it is there', async () => {
    telegram.write('ada', { text: 'Hello', date: 1_790_000_000 });
    telegram.write('ada', { caption: 'The plan', document: { file_id: 'f', file_name: 'plan.pdf' } });
    const own = { phone_number: '4915112345678', first_name: 'Bob', user_id: Number(bob) };
    telegram.write('ada', { contact: own });
    telegram.write('ada', { text: 'To all', chat: { id: -5, title: 'Team', type: 'group' } });
    telegram.write('ada', { new_chat_title: 'Nothing that anybody says' });
    const id = await here.connected(telegram.account('ada'));
    await until(async () => (await here.messages(bob)).length, 3);
    const [contact, plan, hello] = await here.messages(bob);
    expect(hello).toMatchObject({
      channel: 'telegram',
      direction: 'inbound',
      date: '2026-09-21T14:13:20.000Z',
      content_text: 'Hello',
      participants: ['Bob Builder <@bob>', '@ada_bot'],
    });
    expect(plan).toMatchObject({ content_text: '[file: plan.pdf]\nThe plan' });
    expect(contact).toMatchObject({ participants: ['Bob Builder <@bob>', '@ada_bot', '+4915112345678'] });
    expect((await here.threads()).find((thread) => thread.external_thread_id === '-5')).toMatchObject({
      subject: 'Team',
      message_count: 1,
      managed_by_workspace_user_id: here.admin.workspaceUserId,
    });
    for (const text of ['First', 'Second']) {
      await until(async () => telegram.isAwaited('ada'), true);
      telegram.write('ada', { text });
      await until(async () => (await here.messages(bob))[0]?.['content_text'], text);
    }
    await until(async () => telegram.waiting('ada'), 0);
    expect(await here.account(id)).toMatchObject({ status: 'active', channels: ['telegram'], remaining: 0 });
  });

  it('fetches each update once, wherever it is asked from, and begins anew with another bot', async () => {
    telegram.write('cleo', { text: 'Once' });
    const id = await here.connected(telegram.account('cleo'));
    await until(async () => telegram.isAwaited('cleo'), true);
    telegram.write('cleo', { text: 'Twice' });
    await until(async () => (await here.command(['sync', '--account', id])).json['interactions'], 0);
    const texts = async () => (await here.messages(bob)).map((message) => message['content_text']);
    expect((await texts()).filter((text) => text === 'Twice')).toHaveLength(1);
    telegram.write('clea', { text: 'Other bot', message_id: 101 });
    const other = { ...telegram.account('clea'), account_email: '@cleo_bot' };
    expect(await here.connected(other)).toBe(id);
    await until(async () => (await texts()).includes('Other bot'), true);
  });

  it('is called in for by Telegram alone, and what comes again is there already', async () => {
    const id = await here.connected(telegram.account('dora'));
    const update = {
      update_id: 7,
      message: { message_id: 1, date: 1_790_000_000, text: 'By hook', chat: { id: 777 } },
    };
    const refused = [
      await here.hook(`telegram/${id}`, update),
      await here.hook(`telegram/${id}`, update, secret('ada')),
      await here.hook(`telegram/${id.toUpperCase()}`, update, secret('ada')),
      await here.hook(`telegram/${randomUUID()}`, update, secret('dora')),
      await here.hook('telegram/none', update, secret('dora')),
      await here.hook(`whatsapp/${id}`, update, secret('dora')),
    ];
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(refused.map(({ body }) => body)).size).toBe(1);
    expect(await here.messages('777')).toEqual([]);
    expect(await here.hook(`telegram/${id}`, '{', secret('dora'))).toMatchObject({ status: 400 });
    expect(await here.hook(`telegram/${id}`, [], secret('dora'))).toMatchObject({ status: 200 });
    for (let time = 0; time < 2; time++)
      expect(await here.hook(`telegram/${id}`, update, secret('dora'))).toEqual({
        status: 200,
        body: '{"received":true}',
      });
    expect(await here.messages('777')).toMatchObject([{ content_text: 'By hook' }]);
    const asked = await fetch(`${here.kith.url}/api/hooks/telegram/${id}`);
    expect(asked.status).toBe(403);
    await here.command(['remove', '--account', id]);
    expect(await here.hook(`telegram/${id}`, update, secret('dora'))).toEqual(refused[0]);
  });

  it('is told as expired where its token is taken back, and is left alone for as long as Telegram asks for', async () => {
    const id = await here.connected(telegram.account('emil'));
    await until(async () => telegram.isAwaited('emil'), true);
    telegram.busyOnce(9_000);
    telegram.write('emil');
    await until(async () => /Too Many Requests/.test(String((await here.account(id))['last_error'])), true);
    const { status, next_sync_at: next } = await here.account(id);
    expect(status).toBe('active');
    expect(Date.parse(String(next)) - Date.now()).toBeGreaterThan(8_000_000);
    telegram.revoke('emil');
    await here.command(['sync', '--account', id]);
    expect(await here.account(id)).toMatchObject({ status: 'expired', last_error: /Unauthorized/ });
  });

  it('has its hook set where the service has a public address, which counts calls by where they come from', async () => {
    const there = await startMessenger({
      KITH_JOBS: 'on',
      KITH_PUBLIC_URL: 'https://crm.example/kith',
      KITH_RATE_LIMITS: '{"api:ip":{"limit":10,"windowSeconds":3600}}',
    });
    try {
      const id = await there.connected(telegram.account('fred'));
      await until(async () => telegram.hook('fred'), {
        url: `https://crm.example/kith/api/hooks/telegram/${id}`,
        secret_token: 'fred-secret',
      });
      const update = telegram.write('fred', { text: 'Hooked' });
      expect(await there.hook(`telegram/${id}`, update, secret('fred'))).toMatchObject({ status: 200 });
      expect(await there.messages(bob)).toMatchObject([{ content_text: 'Hooked' }]);
      expect((await there.command(['sync', '--account', id])).json).toMatchObject({ interactions: 0 });
      const statuses = [];
      for (let call = 0; call < 10; call++) statuses.push((await there.hook(`telegram/${id}`, {})).status);
      expect([...new Set(statuses)]).toEqual([401, 429]);
    } finally {
      await there.stop();
    }
    // Without one, what is left of the hook goes.
    telegram.write('fred');
    await here.connected(telegram.account('fred'));
    await until(async () => telegram.hook('fred'), {});
  });

  it('is called in for within a budget of its own at an address that many share, and guesses use up that of the address', async () => {
    const there = await startMessenger({ KITH_RATE_LIMITS: '{"api:ip":{"limit":30,"windowSeconds":3600}}' });
    try {
      const [lea, max] = [
        await there.connected(telegram.account('lea')),
        await there.connected(telegram.account('max')),
      ];
      const calls = async (count: number, id: () => string, headers = {}) => {
        const statuses: number[] = [];
        for (let at = 0; at < count; at++) statuses.push((await there.hook(`telegram/${id()}`, {}, headers)).status);
        return statuses;
      };
      const [first, ...more] = [await calls(31, () => lea, secret('lea')), await calls(30, () => max, secret('max'))];
      expect(first).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
      expect(more).toEqual([Array.from({ length: 30 }, () => 200)]);
      expect((await there.admin.get('/me')).status).toBe(200);
      const guessed = await calls(31, randomUUID, secret('lea'));
      expect([guessed[0], guessed.at(-1)]).toEqual([401, 429]);
      expect((await there.admin.get('/me')).status).toBe(429);
    } finally {
      await there.stop();
    }
  });

  it('has its hook deleted there when it is removed, once, and by nobody but the service that has it', async () => {
    const publicly = { KITH_PUBLIC_URL: 'https://crm.example' };
    const there = await startMessenger({ KITH_JOBS: 'on', ...publicly });
    const folder = await mkdtemp(join(tmpdir(), 'kith-leaving-'));
    const command = (args: readonly string[], organization: string, input = '') => {
      const settings = { DATABASE_URL: there.kith.database.url, KITH_SECRET_KEY: kithSecret };
      const all = { ...settings, KITH_PRIVATE_HOSTS: '127.0.0.1', ...publicly };
      return kithJson(['account', ...args, '--org', organization], all, input);
    };
    const remove = (id: string, organization: string) => command(['remove', '--account', id], organization);
    const { deps } = there.kith;
    const original = there.organization.id;
    const hooked = async (name: string) => {
      const id = await there.connected(telegram.account(name));
      const url = `https://crm.example/api/hooks/telegram/${id}`;
      await until(async () => telegram.hook(name).url, url);
      return { id, url };
    };
    try {
      const [ida, jan, kim] = [await hooked('ida'), await hooked('jan'), await hooked('kim')];
      await backUp(deps, { path: join(folder, 'one.kith'), organizationId: original });
      const [copy] = await restore(deps, { path: join(folder, 'one.kith'), as: 'new' });
      const copied = copy!.organizationId;
      expect((await remove(jan.id, copied)).json).toEqual({ removed: true });
      expect(telegram.hook('jan').url).toBe(jan.url);
      const again = JSON.stringify(telegram.account('ida'));
      const { json } = await command(['add', '--user', there.user, '--file', '-'], copied, again);
      expect(json).toMatchObject({ integrationId: ida.id });
      expect((await remove(ida.id, copied)).json).toEqual({ removed: true });
      expect(telegram.hook('ida').url).toBe(ida.url);
      expect((await remove(ida.id, original)).json).toEqual({ removed: true });
      expect(telegram.hook('ida')).toEqual({});
      expect(telegram.deletions('ida')).toBe(1);
      const elsewhere = `https://other.example/api/hooks/telegram/${jan.id}`;
      telegram.hookTo('jan', elsewhere);
      expect((await remove(jan.id, original)).json).toEqual({ removed: true });
      expect(telegram.hook('jan').url).toBe(elsewhere);
      telegram.silence('kim');
      const gone = await remove(kim.id, original);
      expect(gone.json).toEqual({ removed: true });
      expect(gone.stderr).toContain(`may still call in at ${kim.url}`);
      expect([telegram.deletions('ida'), telegram.deletions('jan'), telegram.deletions('kim')]).toEqual([1, 0, 0]);
      expect((await remove(kim.id, original)).json).toMatchObject({ code: 'RECORD_NOT_FOUND' });
    } finally {
      await there.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('is called in for after a restore, and a copy does not take that away', async () => {
    const id = await here.connected(telegram.account('gina'));
    const folder = await mkdtemp(join(tmpdir(), 'kith-hooks-'));
    try {
      const path = join(folder, 'one.kith');
      const { deps } = here.kith;
      const organizationId = here.organization.id;
      await backUp(deps, { path, organizationId });
      const told = async (message_id: number) => {
        const message = { message_id, date: 1_790_000_000, text: String(message_id), chat: { id: 888 } };
        return (await here.hook(`telegram/${id}`, { update_id: 1, message }, secret('gina'))).status;
      };
      await restore(deps, { path, as: 'new' });
      expect(await told(1)).toBe(200);
      expect(await here.messages('888')).toHaveLength(1);
      await deleteOrganization(deps, organizationId, 'Test');
      expect(await told(2)).toBe(401);
      await restore(deps, { path });
      expect(await told(3)).toBe(200);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
