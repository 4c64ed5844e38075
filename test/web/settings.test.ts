/** The settings: their list, who somebody is here, keys, tokens, apps, the audit; by the pointer and by keys, as admin and as member. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '../oauth/app.ts';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(chromium === undefined)('the settings (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const at = (path: string) => stage.page.until(`location.pathname === '${path}'`);
  const list = () =>
    stage.page.evaluate<string[]>(
      `[...document.querySelectorAll('#main nav[aria-label="Settings"] a')].map((one) => one.textContent)`,
    );
  /** A button by its name; it is marked, so that the pointer finds it. */
  const clickOn = async (name: string, within = 'body') => {
    await stage.page.until(`(() => {
      const found = [...document.querySelectorAll('${within} button, ${within} a')].find(
        (one) => (one.ariaLabel ?? one.textContent) === ${JSON.stringify(name)} && !one.disabled);
      if (!found) return false;
      document.querySelector('[data-wanted]')?.removeAttribute('data-wanted');
      found.dataset.wanted = '';
      return true;
    })()`);
    await stage.page.click('[data-wanted]');
  };
  const rows = () =>
    stage.page.evaluate<string[]>(`[...document.querySelectorAll('#main tbody tr')].map((one) => one.innerText)`);
  const seesRow = (text: string, is = true) =>
    stage.page.until(
      `[...document.querySelectorAll('#main tbody tr')].some((one) => one.innerText.includes(${JSON.stringify(text)})) === ${is}`,
    );
  const choose = (label: string, value: string) =>
    stage.page.evaluate(`(() => {
      const found = [...document.querySelectorAll('#main label')].find((one) => one.textContent === ${JSON.stringify(label)});
      const select = document.getElementById(found.htmlFor);
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, ${JSON.stringify(value)});
      select.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
  const tokenShown = () =>
    stage.page.evaluate<string>(`document.querySelector('#main [role=status] pre')?.textContent ?? ''`);

  it('open from the side bar and by keys, within the application, and say who somebody is', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/home');
    await page.evaluate(`window.isSame = true`);
    await clickOn('Settings', 'nav');
    await at('/settings/you');
    await stage.sees('ada@acme.example');
    await stage.sees('may do everything');
    expect(await list()).toEqual([
      'Profile',
      'Keyboard',
      'Mail and messages',
      'API tokens',
      'Connected apps',
      'General',
      'People',
      'Roles',
      'Audit',
    ]);
    await stage.expectAccessible();
    await page.press('g');
    await page.press('h');
    await at('/home');
    await page.press('g');
    await page.press('s');
    await at('/settings/you');
    await page.press('Control+k');
    await page.until(`document.querySelector('[role=dialog] input')`);
    await page.type('api tok');
    await stage.sees('Open API tokens');
    await page.press('Enter');
    await at('/settings/tokens');
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(await page.evaluate('document.title')).toBe('API tokens · Kith');
    await stage.go('/settings/nothing');
    await stage.sees('There is nothing here, or not for your role.');
    stage.expectQuiet();
  });

  it('speak German, look dark, have roomy tables, and remember all of it', async () => {
    const { page } = stage;
    const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    await stage.go('/settings/you');
    await stage.sees('ada@acme.example');
    await choose('Language', 'de');
    await stage.sees('Überall abmelden');
    await choose('Hell oder dunkel', 'dark');
    expect(await scheme()).toBe('dark');
    await stage.go('/settings/tokens');
    await stage.sees('Token anlegen');
    expect(await scheme()).toBe('dark');
    await stage.expectAccessible();
    await stage.go('/settings/audit');
    await stage.sees('Anmeldung');
    await stage.go('/settings/you');
    await stage.sees('Überall abmelden');
    await choose('Zeilen der Tabellen', 'roomy');
    await stage.go('/r/contacts');
    await page.until(`document.querySelector('[role=row][data-id]')?.offsetHeight === 34`);
    await stage.go('/settings/you');
    await stage.sees('Überall abmelden');
    await choose('Zeilen der Tabellen', 'dense');
    await choose('Hell oder dunkel', 'system');
    expect(await scheme()).toBe('light dark');
    await choose('Sprache', 'en');
    await stage.sees('Sign out everywhere');
    stage.expectQuiet();
  });

  it('switch off single letters, in this browser', async () => {
    const { page } = stage;
    await stage.go('/settings/keyboard');
    await stage.sees('Single letters are keys');
    await stage.expectAccessible();
    await page.click('#main input[type=checkbox]');
    await page.press('g');
    await page.press('h');
    await page.press('?');
    // Combinations count: what the letters had done would be there by now.
    await page.press('Control+k');
    await page.until(`document.querySelector('[role=dialog] input')`);
    expect(await page.evaluate(`document.querySelectorAll('[role=dialog]').length`)).toBe(1);
    expect(await page.evaluate('location.pathname')).toBe('/settings/keyboard');
    await stage.go('/settings/keyboard');
    await page.until(`document.querySelector('#main input[type=checkbox]')?.checked === false`);
    await page.evaluate(`document.querySelector('#main input[type=checkbox]').focus()`);
    await page.press(' ');
    await page.until(`document.querySelector('#main input[type=checkbox]').checked`);
    await page.evaluate(`document.activeElement.blur()`);
    await page.press('g');
    await page.press('h');
    await at('/home');
    stage.expectQuiet();
  });

  it('make a token by three keys, which works and is shown once, and revoke it by two', async () => {
    const { page, kith } = stage;
    await stage.go('/settings/tokens');
    await seesRow('First token');
    await page.press('c'); // 1
    await page.type('<b>Nightly</b>');
    await page.press('Enter'); // 2
    await stage.sees('“<b>Nightly</b>” is ready');
    await page.until(`document.activeElement.textContent === 'Copy'`);
    const token = await tokenShown();
    expect((await kith.client(token).get('/me')).json).toMatchObject({ isAdmin: true, scopes: ['mcp'] });
    await page.press('Enter'); // 3
    await stage.sees('Copied');
    await seesRow('<b>Nightly</b>');
    await stage.expectAccessible();
    const [first = ''] = await rows();
    expect(first).toMatch(/<b>Nightly<\/b>\s+Ada Lindqvist\s+mcp/);
    await stage.go('/settings/tokens');
    await seesRow('<b>Nightly</b>');
    expect(await page.evaluate('document.body.innerText')).not.toContain('svc_');
    await page.press('Delete'); // 1
    await page.until(`document.querySelector('[role=alertdialog]')?.contains(document.activeElement)`);
    await stage.expectAccessible();
    await page.press('Enter'); // 2
    await stage.sees('“<b>Nightly</b>” is revoked');
    await seesRow('<b>Nightly</b>', false);
    await page.until(`document.activeElement.matches('#main tbody tr')`);
    expect((await kith.client(token).get('/me')).status).toBe(401);
    stage.expectQuiet();
  });

  it('make a token with the pointer, with scopes and an end, say what is wrong, and ask before revoking', async () => {
    const { page, kith } = stage;
    await stage.go('/settings/tokens');
    await page.until(`document.querySelector('#main form input')`);
    await page.click('#main form input');
    await page.type('Of a program');
    await page.click('#main form div:nth-child(2) input');
    await page.press('Control+a');
    await page.type('A');
    await choose('Good for', '30d');
    await clickOn('Create token');
    await page.until(`document.querySelector('#main form [role=alert]')?.textContent.includes('scopes')`);
    await stage.expectAccessible();
    expect(await page.evaluate(`document.querySelector('#main form input').value`)).toBe('Of a program');
    await page.click('#main form div:nth-child(2) input');
    await page.press('Control+a');
    await page.type('read, mcp');
    await clickOn('Create token');
    await stage.sees('“Of a program” is ready');
    const token = await tokenShown();
    expect((await kith.client(token).get('/me')).json).toMatchObject({ scopes: ['read', 'mcp'] });
    await clickOn('Revoke: Of a program');
    await page.until(`document.querySelector('[role=alertdialog]')`);
    await clickOn('Cancel', '[role=alertdialog]');
    await page.until(`!document.querySelector('[role=alertdialog]')`);
    expect((await kith.client(token).get('/me')).status).toBe(200);
    await clickOn('Revoke: Of a program'); // 1
    await clickOn('Revoke', '[role=alertdialog]'); // 2
    await seesRow('Of a program', false);
    expect((await kith.client(token).get('/me')).status).toBe(401);
    stage.expectQuiet();
  });

  it('list the apps that somebody allowed, and disconnect one', async () => {
    const { page, kith } = stage;
    await stage.go('/settings/apps');
    await stage.sees('No apps. One asks you here when you give it the address of this service.');
    const redirectUri = `${kith.url}/home`;
    const { json } = await register(kith.url, { client_name: 'A notebook', redirect_uris: [redirectUri] });
    const asked = new URLSearchParams({
      client_id: json.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    await page.open(`${kith.url}/oauth/authorize?${asked.toString()}`);
    await page.evaluate(`setTimeout(() => document.querySelector('button.main').click())`);
    const where = () => page.evaluate<string>('location.href').catch(() => '');
    await expect.poll(where, { timeout: 10_000 }).toContain(`${redirectUri}?code=`);
    await stage.go('/settings/apps');
    await seesRow('A notebook');
    expect((await rows())[0]).toMatch(/A notebook\s+127\.0\.0\.1:\d+\s+Ada Lindqvist[^]*never used/);
    await stage.expectAccessible();
    await clickOn('Disconnect: A notebook');
    await clickOn('Disconnect', '[role=alertdialog]');
    await stage.sees('“A notebook” is disconnected');
    await stage.sees('No apps.');
    stage.expectQuiet();
  });

  it('show admins the audit, narrowed in the address and by pages', async () => {
    const { page } = stage;
    await stage.go('/settings/audit');
    await seesRow('app disconnected');
    await seesRow('name: <b>Nightly</b>');
    await stage.expectAccessible();
    expect(await page.evaluate('document.querySelector("#main header a[href=\\"/docs/rest/audit\\"]") !== null')).toBe(
      true,
    );
    await choose('What', 'token.revoked');
    await page.until(`location.search.includes('action=token.revoked')`);
    await seesRow('app disconnected', false);
    await seesRow('token revoked');
    await choose(
      'Who',
      await page.evaluate<string>(`[...document.querySelectorAll('#main option')]
      .find((one) => one.textContent === 'Diego Marín').value`),
    );
    await stage.sees('No entry is of this kind and by this person.');
    await clickOn('Show all');
    await seesRow('app disconnected');
    await page.evaluate(`(async () => {
      for (let at = 0; at < 50; at++)
        await fetch('/api/v1/tokens', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: 'Token ' + at }) });
    })()`);
    await stage.go('/settings/audit?action=token.created');
    await seesRow('name: Token 49');
    expect(await rows()).toHaveLength(50);
    await clickOn('Show more');
    await seesRow('name: <b>Nightly</b>');
    expect((await rows()).length).toBeGreaterThan(50);
    stage.expectQuiet();
  });

  it('are a list on a phone, then a page, then the list again', async () => {
    const { page } = stage;
    await stage.go('/home');
    await page.look(390, 844, 'dark');
    await page.click('#main header a[href="/settings"]');
    await at('/settings');
    await page.until(`document.querySelector('#main nav[aria-label="Settings"]')`);
    expect(await list()).toContain('API tokens');
    expect(await page.evaluate(`document.querySelector('#main table')`)).toBeNull();
    await clickOn('API tokens', '#main');
    await at('/settings/tokens');
    await seesRow('First token');
    expect(await list()).toEqual([]);
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(390);
    await clickOn('Settings', '#main header');
    await at('/settings');
    for (const name of ['you', 'keyboard', 'apps', 'audit']) {
      await page.click(`#main a[href="/settings/${name}"]`);
      await at(`/settings/${name}`);
      await page.until(`!document.querySelector('#main [aria-busy=true]')`);
      expect([name, await page.evaluate(`document.documentElement.scrollWidth <= 390`)]).toEqual([name, true]);
      await clickOn('Settings', '#main header');
      await at('/settings');
    }
    await page.look(1440, 900, 'light');
    stage.expectQuiet();
  });

  it('show a member their own tokens and apps, and no audit', async () => {
    const { page } = stage;
    await stage.enter('Diego', '/settings');
    await at('/settings/you');
    await stage.sees('Account executive');
    expect(await list()).not.toContain('Audit');
    await clickOn('What it may', '#main');
    await at('/settings/roles');
    await stage.go('/settings/tokens');
    await seesRow('First token');
    expect(await rows()).toHaveLength(1);
    expect(await page.evaluate(`document.querySelector('#main thead').innerText`)).not.toContain('Acts as');
    const before = page.requests.length;
    await stage.go('/settings/audit');
    await stage.sees('Your role has no access to Audit.');
    await stage.expectAccessible();
    expect(page.requests.slice(before).filter((url) => url.includes('/api/v1/audit'))).toEqual([]);
    await stage.enter('Hana', '/settings/tokens');
    await seesRow('First token');
    expect(await rows()).toHaveLength(1);
    stage.expectQuiet();
  });

  it('lead whoever signed out to where one signs in, and back', async () => {
    const { page, kith } = stage;
    await stage.go('/settings/tokens');
    await seesRow('First token');
    // What was typed while the session ended stays.
    await page.evaluate(`fetch('/signout', { method: 'POST' })`);
    await page.press('c');
    await page.type('Kept');
    await page.press('Enter');
    await page.until(`document.querySelector('#main form [role=alert]')`);
    expect(await page.evaluate(`document.querySelector('#main form input').value`)).toBe('Kept');
    await stage.enter('Diego', '/settings/you');
    await clickOn('Sign out', '#main');
    await expect
      .poll(() => page.evaluate<string>('location.pathname').catch(() => ''), { timeout: 10_000 })
      .toBe('/signin');
    await page.open(`${kith.url}/settings/tokens`);
    expect(await page.evaluate('location.pathname + location.search')).toBe('/signin?next=%2Fsettings%2Ftokens');
    expect(await page.evaluate(`document.querySelector('input[name=next]').value`)).toBe('/settings/tokens');
    stage.expectQuiet();
  });
});
