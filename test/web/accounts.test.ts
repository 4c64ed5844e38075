/** People connect their own mailboxes in the application, tried with a real mail server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailOf } from '../channels/mails.ts';
import { chromium } from '../support/browser.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startTokenServer, type TokenServer } from '../support/token-server.ts';
import { openStage, type Stage } from './stage.ts';

const path = '/settings/accounts';

describe.skipIf(chromium === undefined || noMailHost !== undefined)(
  'mail and messages (needs Chromium and a mail server)',
  () => {
    let host: MailHost;
    let stage: Stage;
    let tokens: TokenServer;
    beforeAll(async () => {
      tokens = await startTokenServer('otto');
      host = await startMailHost({ tokenInfoUrl: tokens.infoUrl });
      stage = await openStage(chromium ?? '', { KITH_PRIVATE_HOSTS: '127.0.0.1' });
    });
    afterAll(async () => {
      await stage?.stop();
      await host?.stop();
      await tokens?.stop();
    });

    /** Puts a text in the place of what a field of the form holds. */
    const fill = async (name: string, text: string) => {
      await stage.page.click(`input[name="${name}"]`);
      await stage.page.press('Control+a');
      await stage.page.type(text);
    };
    const choose = (name: string, value: string) =>
      stage.page.evaluate(`{ const select = document.querySelector('select[name="${name}"]');
        Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, '${value}');
        select.dispatchEvent(new Event('change', { bubbles: true })); }`);
    const held = (name: string) => stage.page.evaluate<string>(`document.querySelector('input[name="${name}"]').value`);
    const isShown = `[...document.querySelectorAll('[role=alert]')].map((one) => one.textContent).join(' ')`;
    /** An answer to the session of the page. */
    const asked = <T>(route: string) =>
      stage.page.evaluate<T>(`fetch('/api/v1${route}').then((reply) => reply.json())`);
    /** Those that are reached: the demo has others, which came from a file. */
    const accounts = async () =>
      (await asked<{ accounts: { id: string; status: string; provider: string }[] }>('/accounts')).accounts.filter(
        ({ provider }) => provider === 'imap',
      );
    const row = `[...document.querySelectorAll('[role=region] tbody tr')].find((one) => one.innerText.includes('diego@mail.test'))`;
    const subjects = async () =>
      (await asked<{ data: { subject: string }[] }>('/inbox/threads?limit=100')).data.map(({ subject }) => subject);
    const look = '[role=region] button[aria-label^="Look now"]';

    it('guesses the servers from the address, and says what the provider asks for', async () => {
      const { page } = stage;
      await stage.enter('Diego', path);
      await stage.sees('Brought in from a file; nobody looks there');
      await stage.expectAccessible();
      expect(await held('account_email')).toBe('diego@acme.example');
      expect(await held('imap.host')).toBe('imap.acme.example');
      await fill('account_email', 'diego@gmail.com');
      expect([await held('imap.host'), await held('smtp.port')]).toEqual(['imap.gmail.com', '465']);
      await stage.sees('make an app password there');
      await fill('account_email', 'diego@outlook.com');
      await stage.sees('Microsoft takes no password here');
      await page.click('input[name="hasCalendar"]');
      await page.until(`document.querySelector('input[name="caldav.url"]')`);
      await page.click('input[name="hasCalendar"]');
    });

    it('says what the server says, and keeps what was typed', async () => {
      const { page } = stage;
      await fill('account_email', 'diego@mail.test');
      await fill('user', 'diego');
      await fill('imap.host', '127.0.0.1');
      await fill('imap.port', String(host.imapPort));
      await choose('imap.security', 'none');
      await fill('smtp.host', '127.0.0.1');
      await fill('smtp.port', String(host.smtpPort));
      await choose('smtp.security', 'none');
      await fill('password', 'guessed');
      await page.press('Enter');
      await page.until(`${isShown}.includes('does not accept user and password')`);
      expect(await held('imap.port')).toBe(String(host.imapPort));
      expect(await held('user')).toBe('diego');
      expect(await accounts()).toEqual([]);
      await stage.expectAccessible();
    });

    it('connects the own mailbox, and shows by itself how it comes in', async () => {
      const { page } = stage;
      const toDiego = { to: 'diego@mail.test', subject: 'Earlier' };
      await host.fill('diego', 1_500, (at) => mailOf({ id: `<e${at}@x.test>`, ...toDiego }));
      await host.deliver('diego', [mailOf({ ...toDiego, id: '<a1@x.test>', subject: 'For Diego' })]);
      await fill('password', 'secret');
      await page.press('Enter');
      await stage.sees('diego@mail.test is connected');
      await page.until(`/[\\d,]+ messages still to come/.test(${row}?.innerText ?? '')`);
      await page.until(`${row}?.innerText.includes('Works')`);
      await expect.poll(subjects, { timeout: 20_000 }).toContain('For Diego');
      expect(await held('password')).toBe('');
      expect(await page.evaluate('document.body.innerText')).not.toContain('secret');
      await stage.expectAccessible();
    });

    it('looks at once, and tells what came, or why it did not work and when it is tried again', async () => {
      const { page } = stage;
      await host.deliver('diego', [mailOf({ id: '<a2@x.test>', to: 'diego@mail.test', subject: 'Asked for' })]);
      await page.click(look);
      await page.until(
        `/diego@mail\\.test: 1 new message|Nothing is new in diego@mail\\.test/.test(document.body.innerText)`,
      );
      expect(await subjects()).toContain('Asked for');
      await host.stopImap();
      await page.click(look);
      await page.until(`${isShown}.includes('could not be synchronised')`);
      await stage.sees('It is tried again');
      await stage.expectAccessible();
      await host.startImap();
      await page.click(look);
      await page.until(`!${row}.innerText.includes('It is tried again')`);
      expect(await accounts()).toMatchObject([{ status: 'active' }]);
    });

    it('takes messengers, too, whose fields it keeps where the provider does not answer', async () => {
      const { page } = stage;
      await page.click('input[name="kind"]');
      await page.press('ArrowDown');
      await stage.sees('BotFather gives it');
      await fill('account_email', '@acme_bot');
      await fill('bot_token', '1:token');
      await fill('secret_token', 'chosen');
      await fill('base_url', 'http://127.0.0.1:9/');
      await page.press('Enter');
      await page.until(`${isShown} !== ''`);
      expect([await held('account_email'), await held('bot_token')]).toEqual(['@acme_bot', '1:token']);
      expect(await accounts()).toHaveLength(1);
      for (const kind of ['app_secret', 'api_key']) {
        await page.click('input[name="kind"]:checked');
        await page.press('ArrowDown');
        await page.until(`document.querySelector('input[name="${kind}"]')`);
        await stage.expectAccessible();
      }
    });

    it('fits a phone', async () => {
      const { page } = stage;
      for (const scheme of ['light', 'dark'] as const) {
        await page.look(390, 844, scheme);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      }
      await page.look(1440, 900, 'light');
    });

    it('is everybody’s own; an admin sees whose each is, and disconnects by keys alone', async () => {
      const { page } = stage;
      const [{ id } = { id: '' }] = await accounts();
      await stage.enter('Hana', path);
      await stage.sees('Nothing is connected');
      expect(await accounts()).toEqual([]);
      await stage.enter('Ada', path);
      await page.until(`${row}?.innerText.includes('Diego Marín')`);
      expect((await accounts()).map((account) => account.id)).toEqual([id]);
      expect(await subjects()).not.toContain('For Diego');
      for (let count = 0; count < 20; count++) {
        await page.press('ArrowDown');
        if (await page.evaluate(`document.activeElement === ${row}`)) break;
      }
      await page.press('Delete');
      await page.until(`document.querySelector('[role=alertdialog]')?.innerText.includes('diego@mail.test')`);
      await stage.expectAccessible();
      await page.press('Escape');
      await page.until(`!document.querySelector('[role=alertdialog]')`);
      expect(await accounts()).toHaveLength(1);
      await page.press('Delete');
      await page.until(
        `document.activeElement?.closest('[role=alertdialog]') && document.activeElement.tagName === 'BUTTON'`,
      );
      await page.press('Enter');
      await stage.sees('diego@mail.test is disconnected');
      await page.until(`!${row}`);
      expect(await accounts()).toEqual([]);
      // The focus goes on with what is left.
      await page.until(`document.activeElement?.closest('[role=region] tbody')`);
      await stage.enter('Diego', path);
      await stage.sees('Brought in from a file; nobody looks there');
      expect(await subjects()).toContain('For Diego');
    });

    it('speaks German', async () => {
      const { page } = stage;
      await page.evaluate(`localStorage.setItem('kith-language', 'de')`);
      await stage.go(path);
      await stage.sees('Konto verbinden');
      await stage.sees('Aus der Adresse geraten');
      await stage.expectAccessible();
      await page.evaluate(`localStorage.removeItem('kith-language')`);
      stage.expectQuiet();
    });

    it('connects a mailbox by OAuth 2.0, which is offered at once where no password does', async () => {
      const { page } = stage;
      await stage.enter('Diego', path);
      await fill('account_email', 'diego@outlook.com');
      await page.until(`document.querySelector('input[name="xoauth2.refresh_token"]')`);
      expect(await held('xoauth2.token_url')).toContain('login.microsoftonline.com');
      await fill('account_email', 'otto@mail.test');
      await page.until(`document.querySelector('input[name="password"]')`);
      await page.click('input[name="byTokens"]');
      await fill('user', 'otto');
      await fill('imap.host', '127.0.0.1');
      await fill('imap.port', String(host.imapPort));
      await choose('imap.security', 'none');
      await page.click('input[name="sends"]');
      await fill('xoauth2.token_url', tokens.tokenUrl);
      await fill('xoauth2.client_id', 'kith');
      await fill('xoauth2.refresh_token', 'another');
      await page.press('Enter');
      await page.until(`${isShown}.includes('The token was taken back')`);
      expect(await held('xoauth2.token_url')).toBe(tokens.tokenUrl);
      await stage.expectAccessible();
      await fill('xoauth2.refresh_token', 'refresh');
      await page.press('Enter');
      await stage.sees('otto@mail.test is connected');
      expect(tokens.given()).toBeGreaterThan(0);
      expect(await page.evaluate(`document.querySelector('input[name="xoauth2.refresh_token"]')`)).toBeNull();
    });
  },
);
