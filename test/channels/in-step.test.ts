/** Connected accounts while the service runs: it brings in by itself what comes. [contract: Accounts] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emailOf } from '../api/conversations.ts';
import { until } from '../api/receiver.ts';
import { kithJson } from '../cli/in-process.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { kithSecret, startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { mailOf } from './mails.ts';

let host: MailHost;
let kith: TestKith;
let organization: TestOrganization;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  host = await startMailHost();
  // So seldom that what comes in time was told by the mail server.
  kith = await startKith({ KITH_PRIVATE_HOSTS: '127.0.0.1', KITH_JOBS: 'on', KITH_SYNC_SECONDS: '3600' });
  organization = await kith.organization();
});
afterAll(async () => {
  await kith?.stop();
  await host?.stop();
});

describe.skipIf(noMailHost !== undefined)('a mailbox', () => {
  it('is brought in by the service, and each new mail as soon as the server tells of it', async () => {
    await host.deliver('ada', [mailOf({ id: '<a1@x.test>', subject: 'There' })]);
    const document = JSON.stringify(host.account('ada'));
    const env = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_PRIVATE_HOSTS: '127.0.0.1' };
    const user = await emailOf(organization.admin);
    await kithJson(['account', 'add', '--org', organization.id, '--user', user, '--file', '-'], env, document);
    const subjects = async () => {
      const { data } = (await organization.admin.get('/inbox/threads')).json;
      return data.map(({ subject }: { subject: string }) => subject);
    };
    await until(subjects, ['There']);
    const state = async () => (await organization.admin.get('/integrations/status')).json.integrations[0];
    await until(async () => (await state()).last_sync_at !== null, true);
    for (const [number, subject] of ['Second', 'Third'].entries()) {
      await host.deliver('ada', [mailOf({ id: `<b${number}@x.test>`, subject })]);
      await until(async () => (await subjects()).includes(subject), true);
    }
    expect(await state()).toMatchObject({ provider: 'imap', status: 'active' });
  });
});
