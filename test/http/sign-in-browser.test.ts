/** The pages for people in a real browser, where there is one: from signup to the first request, by keys alone, and as axe sees them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '../oauth/app.ts';
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

  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  /** What axe finds wrong with the page. */
  const violations = (
    rules: readonly string[],
  ) => `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 160))))`;

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

  it('leads from signup to the first request, by keys alone where it counts', async () => {
    await page.open(`${kith.url}/signup`);
    await send({ 'Your name': 'Grace', Email: 'grace@new.test', Organization: 'Navy' }, 'Look into your mailbox');
    const { link } = await mail.next('grace@new.test');
    await page.open(link.href);
    expect(await page.evaluate('document.body.innerText')).toContain('grace@new.test');
    await send({}, 'Navy');
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.open(`${kith.url}/settings/tokens`);
    await page.until(`document.querySelector('#main form')`);
    for (let count = 0; count < 40; count++) {
      await page.press('Tab');
      if (count === 0) expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
      if (await page.evaluate(`document.activeElement.matches('#main form input')`)) break;
    }
    await page.type('By keys');
    await page.press('Enter');
    const shown = `document.querySelector('#main [role=status] pre')?.textContent ?? ''`;
    await expect.poll(() => page.evaluate(shown).catch(() => ''), { timeout: 10_000 }).toMatch(/^svc_/);
    const token = await page.evaluate<string>(shown);
    expect((await kith.client(token).get('/me')).json).toMatchObject({ isAdmin: true, profile: { name: 'Grace' } });
  }, 60_000);

  it('shows the reference to who is signed in, without a token', async () => {
    await page.open(`${kith.url}/docs`);
    await page.until(`${heading} === 'Quick start'`);
    expect(await page.evaluate(`document.querySelector('#menu').textContent`)).toContain('You are signed in as Grace.');
    await page.evaluate(`location.hash = '#/listContacts'`);
    await page.until(`${heading} === 'List contacts'`);
    await page.evaluate(`document.querySelector('.try').requestSubmit()`);
    await page.until(`document.querySelector('.answer strong')?.textContent === '200 OK'`);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  }, 60_000);

  it('keeps the colours that were chosen, also in the documentation', async () => {
    await page.look(1280, 900, 'light');
    const scheme = 'getComputedStyle(document.documentElement).colorScheme';
    for (const colours of ['dark', 'light']) {
      await page.open(`${kith.url}/`);
      await page.evaluate(`document.querySelector('.theme').click()`);
      await page.open(`${kith.url}/docs/sign-in`);
      expect(await page.evaluate(scheme)).toBe(colours);
    }
    await page.evaluate('localStorage.clear()');
  }, 60_000);

  it('asks whether an app may act, and goes back to it', async () => {
    const app = createServer((_request, response) =>
      response.end('<title>An app</title><link rel="icon" href="data:,">'),
    ).listen(0, '127.0.0.1');
    await once(app, 'listening');
    const redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
    const { json } = await register(kith.url, { client_name: 'A notebook', redirect_uris: [redirectUri] });
    const asked = new URLSearchParams({
      client_id: json.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    await page.look(360, 800, 'dark');
    await page.open(`${kith.url}/oauth/authorize?${asked.toString()}`);
    expect(await page.evaluate(heading)).toBe('“A notebook” wants to act as you');
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(360);
    await page.evaluate(`setTimeout(() => document.querySelector('button.main').click())`);
    const where = () => page.evaluate<string>('document.title + location.href').catch(() => '');
    await expect.poll(where, { timeout: 10_000 }).toContain(`An app${redirectUri}?code=`);
    app.close();
  }, 60_000);

  it('fits a phone, in light and dark, and has nothing that axe finds wrong', async () => {
    for (const path of ['/', '/signin/sent', '/signup', '/signin/organization']) {
      await page.open(kith.url + path);
      await page.evaluate(`{ ${axe.source} }`);
      for (const [scheme, rules] of [
        ['light', tags],
        ['dark', ['color-contrast']], // in nothing else they differ
      ] as const) {
        await page.look(360, 800, scheme);
        expect(await page.evaluate(`document.documentElement.scrollWidth`), `${path} ${scheme}`).toBeLessThanOrEqual(
          360,
        );
        expect(await page.evaluate(violations(rules)), `${path} ${scheme}`).toEqual([]);
      }
      const nameless = await page.evaluate(`[...document.querySelectorAll('input:not([type=hidden]),select,button')]
        .filter((one) => !one.labels?.length && !one.ariaLabel && !one.textContent.trim()).length`);
      expect([path, nameless]).toEqual([path, 0]);
      expect(await page.evaluate(`document.querySelectorAll('h1').length`)).toBe(1);
    }
    expect(page.complaints).toEqual([]);
  }, 60_000);
});
