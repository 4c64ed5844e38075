/** Home, notifications and the calendar: what is there, done in place, by keys and by pointer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(chromium === undefined)('home, notifications and the calendar (need Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const get = <T>(path: string) => stage.page.evaluate<T>(`fetch('/api/v1${path}').then((answer) => answer.json())`);
  const unread = async () => (await get<{ unread: number }>('/notifications?limit=1')).unread;
  const counted = `Number(document.querySelector('nav a[href="/notifications"]').textContent.replace(/\\D/g, '') || 0)`;

  it('shows what today asks for, and has a task done in place', async () => {
    const { page } = stage;
    await stage.enter('Diego', '/home');
    await page.until(`document.querySelectorAll('section[aria-label="Yours, changed lately"] li').length > 0`);
    await page.until(`document.querySelector('section[aria-label="Due and overdue"] [type=checkbox]')`);
    await stage.expectAccessible();
    const title = await page.evaluate<string>(
      `document.querySelector('section[aria-label="Due and overdue"] li button').textContent`,
    );
    await page.click('section[aria-label="Due and overdue"] [type=checkbox]');
    await stage.sees(`Done: ${title}`);
    await page.press('Control+z');
    await stage.sees('Undone');
    stage.expectQuiet();
  });

  it('leaves out what a partner may not see', async () => {
    const { page } = stage;
    await stage.enter('Hana', '/home');
    await page.until(`document.querySelectorAll('h2').length > 2 && !document.querySelector('#main [aria-busy=true]')`);
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('marks one notification and all of them, and the count falls at once', async () => {
    const { page } = stage;
    await stage.enter('Diego', '/notifications');
    const before = await unread();
    expect(before).toBeGreaterThan(1);
    await page.until(
      `document.querySelectorAll('ul[aria-label=Notifications] li').length > 2 && ${counted} === ${before}`,
    );
    await stage.expectAccessible();
    await page.press('ArrowDown');
    await page.until(`document.activeElement.closest('ul[aria-label=Notifications]')`);
    await page.press('m');
    await page.until(`${counted} === ${before - 1}`);
    await expect.poll(unread, { timeout: 15_000 }).toBe(before - 1);
    await page.press('Shift+R');
    await page.until(`${counted} === 0`);
    await expect.poll(unread, { timeout: 15_000 }).toBe(0);
    await stage.expectAccessible();
    await page.click('ul[aria-label=Notifications] li button');
    await page.until(`location.pathname !== '/notifications'`);
    stage.expectQuiet();
  });

  it('shows the meetings of a week, of a day and one after the other', async () => {
    const { page } = stage;
    const span = 'start_date=2020-01-01&end_date=2040-01-01&limit=200';
    const { events } = await get<{
      events: { id: string; title: string; start_time: string; attendees: { contact_id?: string }[] }[];
    }>(`/meetings?${span}`);
    const known = events.findLast(({ attendees }) => attendees.some((one) => one.contact_id !== undefined));
    const day = known?.start_time.slice(0, 10) ?? '';
    await stage.go(`/calendar?day=${day}`);
    await page.until(
      `document.querySelector('#main li button[title=${JSON.stringify(JSON.stringify(known?.title)).slice(1, -1)}]')`,
    );
    await stage.expectAccessible();
    await page.press('d');
    await page.until(`location.search.includes('view=day')`);
    await page.press('ArrowRight');
    await page.until(`!location.search.includes('day=${day}')`);
    await page.press('ArrowLeft');
    await page.until(`location.search.includes('day=${day}')`);
    await page.press('a');
    await page.until(`document.querySelector('#main section section h2')`);
    await page.click('#main section section button');
    await page.until(`document.querySelector('aside a[href^="/r/contacts/"]')`);
    await stage.expectAccessible();
    await page.press('Escape');
    await page.until(`!document.querySelector('aside')`);
    stage.expectQuiet();
  });
});
