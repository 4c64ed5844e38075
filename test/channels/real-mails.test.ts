/** Real mails, of people, lists, and those who send what nobody wants: all of them come in. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMail } from '../../src/channels/mail/read-mail.ts';
import { emailOf } from '../api/conversations.ts';
import { kithJson } from '../cli/in-process.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { kithSecret, startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

const folder = new URL('../../../shared/data/email', import.meta.url).pathname;
const skipped = noMailHost !== undefined;

let host: MailHost;
let kith: TestKith;
let organization: TestOrganization;

beforeAll(async () => {
  if (skipped) return;
  host = await startMailHost();
  kith = await startKith({ KITH_PRIVATE_HOSTS: '127.0.0.1' });
  organization = await kith.organization();
});
afterAll(async () => {
  await kith?.stop();
  await host?.stop();
});

const command = async (args: readonly string[], input = '') => {
  const env = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_PRIVATE_HOSTS: '127.0.0.1' };
  return (await kithJson(['account', ...args, '--org', organization.id], env, input)).json;
};

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
    const added = await command(
      ['add', '--user', await emailOf(organization.admin), '--file', '-'],
      JSON.stringify(host.account('ada')),
    );
    const came = await command(['sync', '--account', added['integrationId'] as string]);
    expect(came).toMatchObject({ interactions: ids.size, failed: [] });
    expect(ids.size).toBeGreaterThan(600);
    expect(await command(['sync', '--account', added['integrationId'] as string])).toMatchObject({
      interactions: 0,
      threads: 0,
    });
  });
});
