/** The organization's pages of the settings: what it is called, who is in it, and what roles may. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { startMailServer, type MailServer } from '../support/smtp.ts';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(chromium === undefined)('the organization (needs Chromium)', () => {
  let mail: MailServer;
  let stage: Stage;
  beforeAll(async () => {
    mail = await startMailServer();
    stage = await openStage(chromium ?? '', { KITH_SMTP_URL: mail.url, KITH_MAIL_FROM: 'kith@crm.test' });
  });
  afterAll(async () => {
    await stage?.stop();
    await mail?.stop();
  });

  /** What the session of the page is answered. */
  const asked = <T>(route: string) => stage.page.evaluate<T>(`fetch('/api/v1${route}').then((reply) => reply.json())`);
  interface Person {
    readonly id: string;
    readonly name: string;
    readonly role_id: string;
    readonly is_active: boolean;
  }
  const person = async (name: string) => {
    const { data } = await asked<{ data: Person[] }>(`/users?search=${name}`);
    const { roles } = await asked<{ roles: { id: string; name: string }[] }>('/roles');
    return { isActive: data[0]?.is_active, role: roles.find(({ id }) => id === data[0]?.role_id)?.name };
  };
  const table = `document.querySelector('[role=region]')`;
  const alerts = `[...document.querySelectorAll('[role=alert]')].map((one) => one.textContent).join(' ')`;
  const fill = async (selector: string, text: string) => {
    await stage.page.click(selector);
    await stage.page.press('Control+a');
    await stage.page.type(text);
  };
  const fits = async () => {
    await stage.page.look(390, 844, 'light');
    expect(await stage.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await stage.page.look(1440, 900, 'light');
  };
  /** The input that has this label. */
  const labelled = async (label: string) =>
    stage.page.evaluate<string>(`(() => { const found = [...document.querySelectorAll('label')]
      .find((one) => one.textContent === '${label}').htmlFor; return '[id="' + found + '"]'; })()`);

  it('invites by keys alone, with an address and Enter, and takes an invitation back', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/settings/people');
    await stage.sees('No invitation is open');
    await page.until(`document.querySelector('form select')?.value === 'Member'`);
    await page.press('c');
    await page.until(`document.activeElement?.type === 'email'`);
    await page.type('noor@acme.test');
    await page.press('Enter');
    const { text } = await mail.next('noor@acme.test');
    expect(text).toContain('as Member');
    await stage.sees('An invitation is on its way to noor@acme.test');
    await page.until(`document.querySelector('button[aria-label="Take back the invitation of noor@acme.test"]')`);
    await stage.expectAccessible();
    await fits();
    await page.click('button[aria-label="Take back the invitation of noor@acme.test"]');
    await stage.sees('No invitation is open');
    expect(await asked('/invitations')).toEqual({ data: [], total: 0 });
  });

  it('says why somebody is not invited, and keeps the address', async () => {
    const { page } = stage;
    await fill('input[type=email]', 'Diego@acme.example');
    await page.press('Enter');
    await page.until(`${alerts}.includes('is a user here already')`);
    expect(await page.evaluate(`document.querySelector('input[type=email]').value`)).toBe('Diego@acme.example');
  });

  it('changes a role by its first letters, and takes that back', async () => {
    const { page } = stage;
    await page.evaluate(`document.querySelector('button[aria-label="Role of Ben Okafor: Member"]').focus()`);
    await page.press('Enter');
    await page.until(`document.activeElement?.role === 'combobox'`);
    await page.type('view');
    await stage.expectAccessible();
    await page.press('Enter');
    await stage.sees('Ben Okafor is Viewer now');
    await page.until(`document.querySelector('button[aria-label="Role of Ben Okafor: Viewer"]')`);
    expect((await person('Ben')).role).toBe('Viewer');
    await page.evaluate(
      `[...document.querySelectorAll('[role=status] button')].find((one) => one.textContent === 'Undo').click()`,
    );
    await page.until(`document.querySelector('button[aria-label="Role of Ben Okafor: Member"]')`);
    expect((await person('Ben')).role).toBe('Member');
  });

  it('deactivates and activates, but not the last admin', async () => {
    const { page } = stage;
    await page.click('button[aria-label="Deactivate Clara Weiss"]');
    await stage.sees('Clara Weiss cannot come in any more, nor can their tokens and apps');
    await page.until(`${table}.innerText.includes('inactive')`);
    expect((await person('Clara')).isActive).toBe(false);
    await stage.expectAccessible();
    await page.click('button[aria-label="Activate Clara Weiss"]');
    await page.until(`!${table}.innerText.includes('inactive')`);
    expect((await person('Clara')).isActive).toBe(true);
    await page.click('button[aria-label="Deactivate Ada Lindqvist"]');
    await page.until(`${alerts}.includes('needs an active admin')`);
    expect((await person('Ada')).isActive).toBe(true);
  });

  it('changes what the organization is called and counts in, and keeps what is refused', async () => {
    const { page } = stage;
    await stage.go('/settings/organization');
    await stage.sees('Where a day begins');
    await stage.expectAccessible();
    await fits();
    await fill(await labelled('Name'), 'Acme <b>3');
    await fill(await labelled('Currency'), 'chf');
    await fill(await labelled('Time zone'), 'Nowhere');
    await page.press('Enter');
    await page.until(`${alerts}.includes('timezone must be a time zone')`);
    await stage.expectAccessible();
    const values = `[...document.querySelectorAll('#main input')].map((one) => one.value)`;
    expect(await page.evaluate(values)).toEqual(['Acme <b>3', 'chf', 'Nowhere']);
    await fill(await labelled('Time zone'), 'Europe/Zurich');
    await page.press('Enter');
    await stage.sees('The organization was changed');
    await stage.sees('Acme <b>3');
    const { organization, currency, timezone } = await asked<Record<string, string>>('/workspace');
    expect({ organization, currency, timezone }).toEqual({
      organization: 'Acme <b>3',
      currency: 'CHF',
      timezone: 'Europe/Zurich',
    });
  });

  it('tells an admin what every role may, with its conditions and hidden fields in words', async () => {
    await stage.go('/settings/roles');
    await stage.sees('Sees and may do everything.');
    const words = `document.querySelector('[aria-label="What Partner may"]')?.innerText ?? ''`;
    await stage.page.until(`/where .*Industry is “?Software/i.test(${words}) && /hidden: .*Amount/.test(${words})`);
    await stage.expectAccessible();
    await fits();
  });

  it('tells whoever has a role what it may, and neither its conditions nor what it hides', async () => {
    const { page } = stage;
    const rule = { type: 'AND', conditions: [{ field: 'company_id.industry', operator: 'equals', value: 'software' }] };
    const permissions = {
      contacts: { view: rule, fields: { birthday: 'none', job_title: 'read' } },
      companies: { view: 'all' },
    };
    const sent = (method: string, route: string, body: object) =>
      page.evaluate<number>(`fetch('/api/v1${route}', { method: '${method}', body: JSON.stringify(${JSON.stringify(body)}),
        headers: { 'content-type': 'application/json' } }).then(({ status }) => status)`);
    expect(await sent('POST', '/manifest', { roles: [{ name: 'Regional', permissions }] })).toBe(200);
    await stage.go('/settings/roles');
    const words = `document.querySelector('[aria-label="What Regional may"]')?.innerText ?? ''`;
    await page.until(`/where Company › Industry is .?software.?\\s/i.test(${words})`);
    expect(await page.evaluate(words)).toMatch(/hidden: Birthday; only read: Job title/);
    const hana = (await asked<{ data: Person[] }>('/users?search=Hana')).data[0];
    expect(await sent('PUT', `/users/${hana?.id}`, { role: 'Regional' })).toBe(200);
    await stage.enter('Hana', '/settings/roles');
    await stage.sees('some of them');
    expect(await page.evaluate(words)).toContain('only read: Job title');
    expect(await page.evaluate(`document.querySelector('#main').innerText`)).not.toMatch(
      /industry|birthday|Account executive|Viewer/i,
    );
    await stage.expectAccessible();
    await stage.enter('Ada', '/settings/people');
    expect(await sent('PUT', `/users/${hana?.id}`, { role: 'Partner' })).toBe(200);
  });

  it('shows others what they may read: no button, a lock and its reason', async () => {
    const { page } = stage;
    await stage.enter('Diego', '/settings/people');
    await page.until(`${table}?.innerText.includes('Ada Lindqvist')`);
    await stage.sees('Administrators invite people, and say which role each has.');
    expect(await page.evaluate(`document.querySelectorAll('#main form, #main td button').length`)).toBe(0);
    await stage.expectAccessible();
    await stage.go('/settings/organization');
    await stage.sees('Administrators change this.');
    await stage.sees('Europe/Zurich');
    expect(await page.evaluate(`document.querySelectorAll('#main input').length`)).toBe(0);
    await stage.expectAccessible();
  });

  it('speaks German', async () => {
    const { page } = stage;
    await page.evaluate(`localStorage.setItem('kith-language', 'de')`);
    await stage.go('/settings/roles');
    await stage.sees('einige');
    await stage.go('/settings/people');
    await stage.sees('Administratoren laden ein');
    await stage.expectAccessible();
    await page.evaluate(`localStorage.removeItem('kith-language')`);
    stage.expectQuiet();
  });
});
