/** People connect their own mailboxes by REST, tried with a real mail server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emailOf } from '../api/conversations.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { mailOf } from './mails.ts';

let host: MailHost;
let kith: TestKith;
let admin: Client;
let mia: Client;
let noa: Client;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  host = await startMailHost();
  kith = await startKith({ KITH_JOBS: 'on', KITH_PRIVATE_HOSTS: '127.0.0.1' });
  const organization = await kith.organization();
  ({ admin } = organization);
  [mia, noa] = [await organization.user('Member'), await organization.user('Member')];
});
afterAll(async () => {
  await kith?.stop();
  await host?.stop();
});

const document = (password = 'secret') => ({
  provider: 'imap',
  account_email: 'mia@acme.test',
  send_enabled: true,
  imap: { host: '127.0.0.1', port: host.imapPort, security: 'none', user: 'mia', password },
  smtp: { host: '127.0.0.1', port: host.smtpPort, security: 'none', user: 'mia', password },
});
const accountsOf = async (client: Client) => (await client.get('/accounts')).json.accounts;

describe.skipIf(noMailHost !== undefined)('accounts by REST', () => {
  it('say what the server says, and are not stored then', async () => {
    const { status, json, text } = await mia.post('/accounts', document('guessed <b>'));
    expect([status, json]).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', message: expect.stringMatching(/does not accept user and password/) },
    ]);
    expect(text).not.toContain('guessed');
    expect(await accountsOf(mia)).toEqual([]);
  });

  it('connect the caller’s own mailbox, whose mails are theirs, and tell how it is', async () => {
    await host.deliver('mia', [mailOf({ id: '<a1@x.test>', to: 'mia@acme.test', subject: 'For Mia' })]);
    const { status, json, text } = await mia.post('/accounts', document());
    expect([status, json]).toEqual([
      200,
      { integrationId: expect.any(String), provider: 'imap', account_email: 'mia@acme.test', status: 'active' },
    ]);
    const subjects = async (client: Client) =>
      (await client.get('/inbox/threads')).json.data.map(({ subject }: { subject: string }) => subject);
    await expect.poll(() => subjects(mia), { timeout: 20_000 }).toEqual(['For Mia']);
    expect(await subjects(admin)).toEqual([]);
    const told = await mia.get('/accounts');
    expect(told.json.accounts).toMatchObject([
      { account_email: 'mia@acme.test', channels: ['email'], send_enabled: true, status: 'active' },
    ]);
    expect(text + told.text).not.toContain('secret');
  });

  it('are brought up to date by the same address', async () => {
    const { smtp: _, ...reading } = document();
    expect((await mia.post('/accounts', { ...reading, send_enabled: false })).status).toBe(200);
    expect(await accountsOf(mia)).toMatchObject([{ account_email: 'mia@acme.test', send_enabled: false }]);
  });

  it('are looked at by their owner when that is asked for', async () => {
    const [{ id }] = await accountsOf(mia);
    await host.deliver('mia', [mailOf({ id: '<a2@x.test>', to: 'mia@acme.test', subject: 'Asked for' })]);
    const { status, json } = await mia.post(`/accounts/${id}/sync`);
    expect([status, json]).toEqual([
      200,
      { threads: expect.any(Number), interactions: expect.any(Number), events: 0, failed: [] },
    ]);
    const found = (await mia.get('/inbox/threads')).json.data.map(({ subject }: { subject: string }) => subject);
    expect(found).toContain('Asked for');
    await host.stopImap();
    expect((await mia.post(`/accounts/${id}/sync`)).json).toMatchObject({
      code: 'WRITE_FAILED',
      message: expect.stringContaining('could not be synchronised'),
    });
    await host.startImap();
    expect((await mia.post(`/accounts/${id}/sync`)).status).toBe(200);
  });

  it('are everybody’s own; an admin sees them all, and ends them', async () => {
    const [{ id }] = await accountsOf(mia);
    expect(await accountsOf(noa)).toEqual([]);
    expect((await noa.delete(`/accounts/${id}`)).json.code).toBe('RECORD_NOT_FOUND');
    expect(await accountsOf(mia)).toHaveLength(1);
    expect(await accountsOf(admin)).toMatchObject([{ user: await emailOf(mia), account_email: 'mia@acme.test' }]);
    expect((await admin.delete(`/accounts/${id}`)).json).toEqual({ removed: true });
    expect(await accountsOf(mia)).toEqual([]);
  });
});
