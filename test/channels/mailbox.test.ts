/** Mailboxes of a real mail server: connected by the command line, brought in, kept in step, written to. [contract: Accounts] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kithJson } from '../cli/in-process.ts';
import { preview, send } from '../api/sending.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { kithSecret, startKith, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { mailOf } from './mails.ts';

let host: MailHost;
let kith: TestKith;
let organization: TestOrganization;
let user: string;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  host = await startMailHost();
  kith = await startKith({ KITH_PRIVATE_HOSTS: '127.0.0.1' });
  organization = await kith.organization();
  user = (await organization.admin.get("/users")).json.data[0].email;
});
afterAll(async () => {
  await kith?.stop();
  await host?.stop();
});

const command = async (args: readonly string[], input = '', env: Record<string, string> = {}) => {
  const all = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_PRIVATE_HOSTS: '127.0.0.1', ...env };
  return kithJson(['account', ...args, '--org', organization.id], all, input);
};
const add = (document: object, env = {}) =>
  command(['add', '--user', user, '--file', '-'], JSON.stringify(document), env);
const sync = (id: string) => command(['sync', '--account', id]);

async function connected(name: string): Promise<string> {
  const { code, json } = await add(host.account(name));
  expect({ code, json }).toMatchObject({ code: 0 });
  return json['integrationId'] as string;
}

const threads = async () => (await organization.admin.get('/inbox/threads', { limit: '100' })).json.data;
const threadWith = async (subject: string) =>
  (await threads()).find((thread: { subject: string }) => thread.subject === subject);
const messagesOf = async (threadId: string) =>
  (await organization.admin.get(`/inbox/threads/${threadId}/messages`)).json.data;

describe.skipIf(noMailHost !== undefined)('a mailbox', () => {
  it('is not connected where it does not work, and the answer says why', async () => {
    const wrong = host.account('ada') as { imap: object };
    const refused = await add({ ...wrong, imap: { ...wrong.imap, password: 'guess' } });
    expect(refused).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR', message: /password: .*fail/i } });
    const hidden = await add(wrong, { KITH_PRIVATE_HOSTS: '' });
    expect(hidden).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR', message: /KITH_PRIVATE_HOSTS/ } });
    expect((await command(['list'])).json).toEqual({ accounts: [] });
  });

  it('is brought in once, whatever folders its messages lie in', async () => {
    await host.deliver('ada', [
      mailOf({ id: '<p1@globex.test>', subject: 'Offer' }),
      mailOf({ id: '<p2@globex.test>', subject: 'Re: Offer', inReplyTo: '<p1@globex.test>', date: '2026-10-02T09:00:00Z' }),
      mailOf({ subject: 'No id' }),
    ]);
    await host.deliver('ada', [mailOf({ id: '<p1@globex.test>', subject: 'Offer' })], 'Archive');
    await host.deliver('ada', [mailOf({ id: '<s1@acme.test>', from: 'sales@acme.test', to: 'bob@globex.test', subject: 'Sent' })], 'Sent');
    await host.deliver('ada', [mailOf({ id: '<j1@spam.test>', subject: 'Win' })], 'Junk');
    const id = await connected('ada');
    expect((await sync(id)).json).toEqual({ threads: 3, interactions: 4, events: 0, failed: [] });
    expect((await sync(id)).json).toEqual({ threads: 0, interactions: 0, events: 0, failed: [] });
    const offer = await threadWith('Offer');
    expect(offer).toMatchObject({ message_count: 2, external_thread_id: '<p1@globex.test>' });
    expect(await messagesOf(offer.id)).toMatchObject([{ subject: 'Re: Offer', direction: 'inbound' }, { subject: 'Offer' }]);
    expect(await messagesOf((await threadWith('Sent')).id)).toMatchObject([{ direction: 'outbound' }]);
    const [listed] = (await command(['list'])).json['accounts'] as object[];
    expect(listed).toMatchObject({ id, user, provider: 'imap', account_email: 'ada@acme.test', status: 'active', last_error: null, remaining: 0 });
    expect(JSON.stringify(listed)).not.toContain('secret');
  });
});

void preview;
void send;
type Unused = Reply;
export type { Unused };
