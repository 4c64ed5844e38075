/** Real mails, of people, lists, and those who send what nobody wants: all of them come in. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMail } from '../../src/channels/mail/read-mail.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startAccounts, type Accounts } from './accounts.ts';

const folder = new URL('../../../shared/data/email', import.meta.url).pathname;
const skipped = noMailHost !== undefined;

let host: MailHost;
let accounts: Accounts;

beforeAll(async () => {
  if (skipped) return;
  host = await startMailHost();
  accounts = await startAccounts();
});
afterAll(async () => {
  await accounts?.stop();
  await host?.stop();
});

describe.skipIf(skipped)('a mailbox of real mails', () => {
  it('comes in as a whole: each message once, and a second time nothing', async () => {
    const groups = new Map<string, Buffer[]>();
    for (const path of readdirSync(folder, { recursive: true }) as string[])
      if (path.endsWith('.eml')) {
        const [group = ''] = path.split('/');
        groups.set(group, [...(groups.get(group) ?? []), readFileSync(join(folder, path))]);
      }
    for (const [group, mails] of groups) await host.deliver('ada', mails, `Real ${group}`);
    const mails = await Promise.all([...groups.values()].flat().map((bytes) => readMail(bytes)));
    const ids = new Set(mails.map(({ id }) => id));
    const id = await accounts.connected(host.account('ada'));
    const sync = async () => (await accounts.sync(id)).json;
    const came = await sync();
    expect(came).toMatchObject({ interactions: ids.size, failed: [] });
    expect(ids.size).toBeGreaterThan(600);
    expect(await sync()).toMatchObject({
      interactions: 0,
      threads: 0,
    });
  });
});
