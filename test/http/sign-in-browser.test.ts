/** From nothing to the first request in a real browser, where there is one: signup, the link, the first token. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium, openPage, type Page } from '../support/browser.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { startMailServer, type MailServer } from '../support/smtp.ts';

describe.skipIf(chromium === undefined)('sign-in (needs Chromium)', () => {
  let kith: TestKith;
  let mail: MailServer;
  let page: Page;
  beforeAll(async () => {
    mail = await startMailServer();
    kith = await startKith({ KITH_JOBS: 'on', KITH_SMTP_URL: mail.url, KITH_MAIL_FROM: 'kith@crm.test' });
    page = await openPage(chromium ?? '');
  }, 60_000);
  afterAll(async () => {
    await page?.close();
    await kith?.stop();
    await mail?.stop();
  });

  const heading = `document.querySelector('h1')?.textContent`;
  /** Types into the fields of the page's form by their labels, and sends it. */
  const send = async (fields: Readonly<Record<string, string>>, then: string) => {
    await page.evaluate(`{ const fields = ${JSON.stringify(fields)};
      for (const label of document.querySelectorAll('label')) {
        const name = label.firstChild.textContent.trim();
        if (name in fields) label.querySelector('input').value = fields[name];
      }
      setTimeout(() => document.querySelector('button.main').click()) }`);
    await expect.poll(() => page.evaluate(heading).catch(() => ''), { timeout: 10_000 }).toBe(then);
  };

  it('leads from signup to the first request, without script', async () => {
    await page.open(`${kith.url}/signup`);
    await send({ 'Your name': 'Grace', Email: 'grace@new.test', Organization: 'Navy' }, 'Look into your mailbox');
    const { link } = await mail.next('grace@new.test');
    await page.open(link.href);
    expect(await page.evaluate('document.body.innerText')).toContain('grace@new.test');
    await send({}, 'API tokens');
    expect(await page.evaluate('document.cookie')).toBe('');
    await send({ Name: 'First' }, 'API tokens');
    const shown = `document.querySelector('#token')?.textContent ?? ''`;
    await expect.poll(() => page.evaluate(shown).catch(() => ''), { timeout: 10_000 }).toMatch(/^svc_/);
    const token = await page.evaluate<string>(shown);
    expect((await kith.client(token).get('/me')).json).toMatchObject({ isAdmin: true, profile: { name: 'Grace' } });
    expect(await page.evaluate(`document.querySelectorAll('script').length`)).toBe(0);
  }, 60_000);

  it('fits a phone, in light and dark, and has names for all that is typed into or pressed', async () => {
    for (const path of ['/signin/sent', '/signup', '/settings/tokens', '/settings/people']) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.look(360, 800, scheme);
        await page.open(kith.url + path);
        expect(await page.evaluate(`document.documentElement.scrollWidth`), `${path} ${scheme}`).toBeLessThanOrEqual(
          360,
        );
      }
      const nameless = await page.evaluate(`[...document.querySelectorAll('input:not([type=hidden]),select,button')]
        .filter((one) => !one.labels?.length && !one.ariaLabel && !one.textContent.trim()).length`);
      expect([path, nameless]).toEqual([path, 0]);
      expect(await page.evaluate(`document.querySelectorAll('h1').length`)).toBe(1);
    }
    expect(page.complaints).toEqual([]);
  }, 60_000);
});
