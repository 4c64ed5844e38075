/** The page on which people connect their own mailboxes, tried with a real mail server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { createUser } from '../../src/provision/users.ts';
import { openBrowser, type Browser } from '../signin/browser.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { startMailServer, type MailServer } from '../support/smtp.ts';
import { mailOf } from './mails.ts';

const path = '/settings/accounts';

let host: MailHost;
let links: MailServer;
let kith: TestKith;
let admin: Browser;
let mia: Browser;
let noa: Browser;

beforeAll(async () => {
  if (noMailHost !== undefined) return;
  host = await startMailHost();
  links = await startMailServer();
  kith = await startKith({
    KITH_JOBS: 'on',
    KITH_SMTP_URL: links.url,
    KITH_MAIL_FROM: 'kith@crm.test',
    KITH_PRIVATE_HOSTS: '127.0.0.1',
  });
  const first = { name: 'Acme', adminName: 'Ada', adminEmail: 'ada@acme.test' };
  const { organizationId } = await createOrganization(kith.deps, first);
  for (const name of ['Mia', 'Noa'])
    await createUser(kith.deps, organizationId, { name, email: `${name.toLowerCase()}@acme.test`, role: 'Member' });
  [admin, mia, noa] = [
    await signedIn('ada@acme.test'),
    await signedIn('mia@acme.test'),
    await signedIn('noa@acme.test'),
  ];
});
afterAll(async () => {
  await kith?.stop();
  await links?.stop();
  await host?.stop();
});

async function signedIn(email: string): Promise<Browser> {
  const browser = openBrowser(kith.url);
  await browser.submit('/signin', { email });
  const { link } = await links.next(email);
  await browser.submit('/signin/link', { token: link.searchParams.get('token') ?? '' });
  return browser;
}

const typed = (more: Record<string, string> = {}) => ({
  ...{ account_email: 'mia@acme.test', user: 'mia', password: 'secret' },
  ...{ imap_host: '127.0.0.1', imap_port: String(host.imapPort), imap_security: 'none' },
  ...{ smtp_host: '127.0.0.1', smtp_port: String(host.smtpPort), smtp_security: 'none', send_enabled: 'on' },
  ...more,
});
const idsIn = (html: string) => [...html.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id ?? '');

describe.skipIf(noMailHost !== undefined)('/settings/accounts', () => {
  it('says what the server says, and keeps what was typed but the password', async () => {
    const { status, html } = await mia.submit(path, typed({ password: 'guessed <b>' }));
    expect(status).toBe(400);
    expect(html).toMatch(/role="alert">[^<]*does not accept user and password/);
    expect(html).toContain(`name="imap_port" value="${host.imapPort}"`);
    expect(html).not.toContain('guessed');
    expect((await mia.submit(path, typed({ imap_port: 'x' }))).status).toBe(400);
    expect((await mia.open(path)).html).toContain('Nothing is connected');
  });

  it("connects the person's own mailbox, whose mails are theirs, and tells how it is", async () => {
    await host.deliver('mia', [mailOf({ id: '<a1@x.test>', to: 'mia@acme.test', subject: 'For Mia' })]);
    expect(await mia.submit(path, typed())).toMatchObject({ status: 200, url: path });
    const subjects = async (browser: Browser) =>
      (await browser.api('GET', '/inbox/threads')).json.data.map(({ subject }: { subject: string }) => subject);
    await expect.poll(() => subjects(mia), { timeout: 20_000 }).toEqual(['For Mia']);
    expect(await subjects(admin)).toEqual([]);
    const { html } = await mia.open(path);
    expect(html).toMatch(/<strong><bdi>mia@acme\.test<\/bdi>.*email.*active/s);
    expect(html).not.toContain('secret');
  });

  it("is everybody's own; an admin sees them all, and ends them", async () => {
    const [id = ''] = idsIn((await mia.open(path)).html);
    expect(idsIn((await noa.open(path)).html)).toEqual([]);
    expect((await noa.submit(`${path}/remove`, { id })).status).toBe(400);
    expect(idsIn((await mia.open(path)).html)).toEqual([id]);
    expect((await admin.open(path)).html).toContain('<bdi>mia@acme.test</bdi>');
    expect(await admin.submit(`${path}/remove`, { id })).toMatchObject({ status: 200, url: path });
    expect((await mia.open(path)).html).toContain('Nothing is connected');
  });
});
