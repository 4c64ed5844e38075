/** The inbox: threads of all channels, an answer that is previewed and really sent, drafts, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingest, messageLine } from '../api/conversations.ts';
import { account, outboxOf } from '../api/sending.ts';
import { chromium } from '../support/browser.ts';
import type { TestOrganization } from '../support/kith.ts';
import { openStage, type Stage } from './stage.ts';

const user = 'diego@acme.example';
const hostile =
  '<p>Dear Diego</p><script>window.broken = 1</script><img src="https://spy.example/p.gif" onerror="window.broken = 2">';

describe.skipIf(chromium === undefined)('the inbox (needs Chromium)', () => {
  let stage: Stage;
  let organization: TestOrganization;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const value = (label: string) =>
    `[...document.querySelectorAll('form label')].find((one) => one.textContent === '${label}')?.parentElement.querySelector('input, select, textarea')?.value`;

  /** Chooses from which account an answer goes; then the text has the focus. */
  const from = (chosen: string) =>
    stage.page.evaluate(`(() => {
      const label = [...document.querySelectorAll('form label')].find((one) => one.textContent === 'From');
      const select = label.parentElement.querySelector('select');
      select.value = ${chosen};
      select.dispatchEvent(new Event('change', { bubbles: true }));
      document.querySelector('textarea').focus();
    })()`);

  /** What was refused stands in the console as well. */
  const expectNoFault = () =>
    expect(stage.page.complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);

  it('lists threads, finds one by its subject, and opens it', async () => {
    const { page } = stage;
    await stage.enter('Diego', '/home');
    const { organizationId } = await stage.page.evaluate<{ organizationId: string }>(
      `fetch('/api/v1/me').then((answer) => answer.json())`,
    );
    organization = { id: organizationId } as TestOrganization;
    const soon = new Date().toISOString();
    const line = (id: string, more: object) =>
      messageLine(user, id, { external_thread_id: id, date: soon, cc: ['Eve <eve@globex.test>'], ...more });
    const told = await ingest(stage.kith, organization, [
      account(user, ['email'], { account_email: 'sales@acme.example' }),
      line('zebra', {
        subject: 'Zebra',
        content_text: 'Where is the zebra?\n\nOn Monday Ann <a@b.test> wrote:\n> In the garden',
      }),
      line('hostile', { subject: 'Hostile', content_html: `${hostile}<blockquote>Old words</blockquote>` }),
    ]);
    expect(told.errors).toEqual([]);
    await stage.go('/inbox');
    await page.until(`document.querySelectorAll('ul[aria-label=Threads] li').length > 5`);
    // Who takes part and what was said last come with the list.
    await page.until(`document.querySelector('ul[aria-label=Threads]').innerText.includes('Where is the zebra?')`);
    expect(page.requests.filter((url) => /inbox\/threads\/|contacts.*search=/.test(url))).toEqual([]);
    await stage.expectAccessible();
    await page.click('input[type=search]');
    await page.type('zebr');
    await page.until(`document.querySelectorAll('ul[aria-label=Threads] li').length === 1`);
    await stage.sees('1 thread found');
    await page.click('ul[aria-label=Threads] li button');
    await stage.sees('Where is the zebra?');
    await page.until(`document.querySelector('article details')?.open === false`);
    await stage.expectAccessible();
    // Names come with the messages; the card beside them has a contact as a whole.
    expect(page.requests.filter((url) => /contacts.*search=/.test(url))).toHaveLength(1);
    stage.expectQuiet();
  });

  it('keeps a draft over a reload, and refuses an empty one', async () => {
    const { page } = stage;
    await page.evaluate(`document.activeElement.blur()`);
    await page.press('r');
    await page.until(`document.activeElement.matches('textarea')`);
    await page.press('Control+Enter');
    await stage.sees('Write something first.');
    await page.type('In the garden.');
    const address = await page.evaluate<string>('location.pathname + location.search');
    await stage.go(address);
    await page.until(`document.querySelector('textarea')?.value === 'In the garden.'`);
    await page.click('textarea');
    await stage.expectAccessible();
    expect(await page.evaluate(`document.querySelector('textarea').value`)).toBe('In the garden.');
  });

  it('sends an answer to all by keys: previewed, edited, previewed again, and sent once', async () => {
    const { page } = stage;
    await page.press('Escape');
    await page.until(`!document.querySelector('textarea')`);
    await page.press('Shift+R');
    await page.until(`document.activeElement.matches('textarea')`);
    expect(await page.evaluate(value('Cc'))).toBe('Eve <eve@globex.test>');
    // Of two accounts, the one that was written to.
    expect(await page.evaluate(value('From'))).toBe(user);
    await from(`'sales@acme.example'`);
    await page.press('Control+Enter');
    await stage.sees('Nothing has left yet.');
    await stage.sees('Send to 2 people');
    await stage.expectAccessible();
    expect((await outboxOf(stage.kith, organization)).sent).toEqual([]);
    await page.press('Escape');
    await page.until(`document.activeElement.matches('textarea')`);
    await page.type(' <b>Really</b>.');
    await page.until(`!document.body.innerText.includes('Send to 2 people')`); // an edit voids the preview
    await page.press('Control+Enter');
    await stage.sees('Send to 2 people');
    await page.press('Control+Enter');
    await stage.sees('Sent to 2 people.');
    const { sent } = await outboxOf(stage.kith, organization);
    expect(sent).toMatchObject([{ subject: 'Re: Zebra', body: expect.stringContaining('&lt;b&gt;Really&lt;/b&gt;') }]);
    await page.until(`document.querySelectorAll('article').length === 2`);
    expect(await page.evaluate(`Object.keys(localStorage).some((key) => key.startsWith('kith-draft-'))`)).toBe(false);
    expectNoFault();
  });

  it('makes a task of a thread by keys', async () => {
    const { page } = stage;
    await page.evaluate(`document.activeElement.blur()`);
    await page.press('t');
    await page.until(`document.activeElement.closest('form[aria-label="New task"]')`);
    await page.press('Enter');
    await stage.sees('Created: Answer:');
    expectNoFault();
  });

  it('shows hostile mail as text, with nothing of it run or loaded', async () => {
    const { page } = stage;
    await stage.go('/inbox?q=hostile');
    await page.click('ul[aria-label=Threads] li button');
    await page.until(
      `[...document.querySelectorAll('article div')].some((one) => one.shadowRoot?.textContent.includes('Dear Diego'))`,
    );
    expect(await page.evaluate('window.broken')).toBe(undefined);
    expect(page.requests.some((url) => url.includes('spy.example'))).toBe(false);
    await stage.sees('Images are not shown.');
    await stage.expectAccessible();
    expectNoFault();
  });

  it('names who writes and who is written to, where that is known', async () => {
    const { page } = stage;
    const id = await page.evaluate<string>(
      `fetch('/api/v1/inbox/threads?channel=email').then((answer) => answer.json()).then(({ data }) => data.find(({ external_thread_id: id }) => id.startsWith('mail-')).id)`,
    );
    await stage.go(`/inbox/${id}`);
    const heads = `[...document.querySelectorAll('article header')].map((head) => head.innerText).join(' ')`;
    await page.until(`${heads} !== '' && !${heads}.includes('@')`);
    stage.expectQuiet();
  });
});
