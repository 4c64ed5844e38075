/** Connected accounts while the service runs: it brings in by itself what comes. [contract: Accounts] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../api/receiver.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startAccounts, type Accounts } from './accounts.ts';
import { mailOf } from './mails.ts';

let host: MailHost;
let accounts: Accounts;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  host = await startMailHost();
  // So seldom that what comes in time was told by the mail server.
  accounts = await startAccounts({ env: { KITH_JOBS: 'on', KITH_SYNC_SECONDS: '3600' } });
});
afterAll(async () => {
  await accounts?.stop();
  await host?.stop();
});

describe.skipIf(noMailHost !== undefined)('a mailbox', () => {
  it('is brought in by the service, and each new mail as soon as the server tells of it', async () => {
    await host.deliver('ada', [mailOf({ id: '<a1@x.test>', subject: 'There' })]);
    await accounts.connected(host.account('ada'));
    const subjects = async () => {
      const { data } = (await accounts.admin.get('/inbox/threads')).json;
      return data.map(({ subject }: { subject: string }) => subject);
    };
    await until(subjects, ['There']);
    const state = async () => (await accounts.admin.get('/integrations/status')).json.integrations[0];
    await until(async () => (await state()).last_sync_at !== null, true);
    for (const [number, subject] of ['Second', 'Third'].entries()) {
      await host.deliver('ada', [mailOf({ id: `<b${number}@x.test>`, subject })]);
      await until(async () => (await subjects()).includes(subject), true);
    }
    expect(await state()).toMatchObject({ provider: 'imap', status: 'active' });
  });
});
