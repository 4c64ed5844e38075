/** A service with an organization and two people in it, each in a browser of their own. */
import { createOrganization } from '../../src/provision/create-organization.ts';
import { createUser } from '../../src/provision/users.ts';
import { openBrowser, type Browser } from '../signin/browser.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { startMailServer } from '../support/smtp.ts';

export interface Stage {
  readonly kith: TestKith;
  /** The id of the organization. */
  readonly acme: string;
  /** Its admin. */
  readonly ada: Browser;
  /** A member. */
  readonly mia: Browser;
  /** Makes a further organization with that admin; its id. */
  organization(name: string, adminEmail: string): Promise<string>;
  /** Asks for a link to sign in with, in that browser; the link that comes. */
  link(browser: Browser, email: string, next?: string): Promise<string>;
  /** Signs in with the link. */
  follow(browser: Browser, token: string): ReturnType<Browser['submit']>;
  stop(): Promise<void>;
}

/** Environment variables go over those of the stage. */
export async function startStage(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const mail = await startMailServer();
  const kith = await startKith({
    KITH_JOBS: 'on',
    KITH_SMTP_URL: mail.url,
    KITH_MAIL_FROM: 'kith@crm.test',
    KITH_RATE_LIMITS: 'off',
    ...env,
  });
  const organization = async (name: string, adminEmail: string) =>
    (await createOrganization(kith.deps, { name, adminName: 'Ada', adminEmail })).organizationId;
  const acme = await organization('Acme & Co', 'ada@acme.test');
  await createUser(kith.deps, acme, { name: 'Mia', email: 'mia@acme.test', role: 'Member' });
  const link: Stage['link'] = async (browser, email, next = '/settings/tokens') => {
    await browser.submit('/signin', { email, next });
    return (await mail.next(email)).link.searchParams.get('token') ?? '';
  };
  const follow: Stage['follow'] = (browser, token) => browser.submit('/signin/link', { token });
  const signedIn = async (email: string) => {
    const browser = openBrowser(kith.url);
    await follow(browser, await link(browser, email));
    return browser;
  };
  return {
    kith,
    acme,
    ada: await signedIn('ada@acme.test'),
    mia: await signedIn('mia@acme.test'),
    organization,
    link,
    follow,
    async stop() {
      await kith.stop();
      await mail.stop();
    },
  };
}
