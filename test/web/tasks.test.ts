/** Tasks: by day, ticked off, moved, assigned and made, by keys and by pointer, and what a role leaves out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

const rows = `[...document.querySelectorAll('[role=grid] [role=row][tabindex]')]`;
const chosen = `document.querySelector('[role=row][aria-selected=true] button')?.textContent`;

describe.skipIf(chromium === undefined)('tasks (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  /** The reader's open tasks, as the service tells them. */
  const open = () =>
    stage.page.evaluate<{ id: string; title: string; due_date: string | null; due_all_day: boolean }[]>(`(async () => {
      const { workspaceUserId } = await (await fetch('/api/v1/me')).json();
      const filters = JSON.stringify({ type: 'AND', conditions: [{ field: 'is_completed', operator: 'is_false' }] });
      const query = new URLSearchParams({ assigned_to: workspaceUserId, filters, limit: 100 });
      return (await (await fetch('/api/v1/tasks?' + query)).json()).data;
    })()`);

  it('makes a task by keys, and tells bad input at its field', async () => {
    const { page } = stage;
    await stage.enter('Diego', '/tasks');
    await page.until(`${rows}.length > 0 || document.body.innerText.includes('Nothing due.')`);
    await page.press('c');
    await page.until(`document.activeElement.closest('form[aria-label="New task"]')`);
    await page.type('Water the <b>ficus</b>');
    await page.press('Tab');
    await page.type('someday');
    await page.press('Enter');
    await stage.sees('“someday” is no day.');
    await stage.expectAccessible();
    await page.evaluate(`document.activeElement.select()`);
    await page.type('tomorrow');
    await page.press('Enter');
    await page.until(`${rows}.some((row) => row.textContent.includes('Water the <b>ficus</b>'))`);
    expect((await open()).map(({ title }) => title)).toContain('Water the <b>ficus</b>');
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('moves a task to Friday by D fr Enter', async () => {
    const { page } = stage;
    await page.press('ArrowDown');
    await page.until(`document.activeElement.matches('[role=row]')`);
    const title = await page.evaluate<string>(chosen);
    await page.press('d');
    await page.until(`document.activeElement.matches('[role=dialog] input')`);
    await page.type('fr');
    await page.press('Enter');
    await page.until(`!document.querySelector('[role=dialog]')`);
    const now = new Date();
    const friday = new Date(now.getFullYear(), now.getMonth(), now.getDate() + ((5 - now.getDay() + 7) % 7 || 7));
    const day = `${friday.getFullYear()}-${String(friday.getMonth() + 1).padStart(2, '0')}-${String(friday.getDate()).padStart(2, '0')}`;
    const moved = (await open()).filter((task) => task.title === title);
    expect(moved.map((task) => task.due_date?.slice(0, 10))).toContain(day);
    await page.until(`document.activeElement.matches('[role=row]')`);
    stage.expectQuiet();
  });

  it('is done by one key, and undone by another', async () => {
    const { page } = stage;
    const before = (await open()).length;
    const title = await page.evaluate<string>(chosen);
    await page.press(' ');
    await stage.sees(`Done: ${title}`);
    await expect.poll(async () => (await open()).length, { timeout: 15_000 }).toBe(before - 1);
    await page.until(`document.activeElement.matches('[role=row]')`);
    await page.press('Control+z');
    await expect.poll(async () => (await open()).length, { timeout: 15_000 }).toBe(before);
    stage.expectQuiet();
  });

  it('is done by the pointer, and given to somebody by keys', async () => {
    const { page } = stage;
    const before = (await open()).length;
    await page.click('[role=row] input[type=checkbox]');
    await expect.poll(async () => (await open()).length, { timeout: 15_000 }).toBe(before - 1);
    await page.press('ArrowDown');
    await page.until(`document.activeElement.matches('[role=row]')`);
    await page.press('a');
    await page.until(`document.activeElement.matches('[role=dialog] input')`);
    await page.type('Greta');
    await page.until(`document.querySelectorAll('[role=option]').length === 1`);
    await stage.expectAccessible();
    await page.press('Enter');
    await expect.poll(async () => (await open()).length, { timeout: 15_000 }).toBe(before - 2);
    await stage.sees('assigned to Greta');
    stage.expectQuiet();
  });

  it('opens one beside the list, and keeps what is changed there', async () => {
    const { page } = stage;
    await page.press('ArrowDown');
    await page.until(`document.activeElement.matches('[role=row]')`);
    await page.press('Enter');
    await page.until(`document.querySelector('aside input:not([type=checkbox])')`);
    await stage.expectAccessible();
    await page.click('aside input:not([type=checkbox])');
    await page.type(' (soon)');
    await page.press('Enter');
    await expect
      .poll(async () => (await open()).some(({ title }) => title.includes('(soon)')), { timeout: 15_000 })
      .toBe(true);
    await page.press('Escape');
    await page.until(`!location.search.includes('task=')`);
    stage.expectQuiet();
  });

  it('shows completed ones, the last first, and a partner what the role shows', async () => {
    const { page } = stage;
    await stage.go('/tasks?show=completed');
    await page.until(`${rows}.length > 5`);
    await stage.expectAccessible();
    await stage.enter('Hana', '/tasks?show=all');
    await page.until(
      `document.querySelector('[role=grid]') || document.body.innerText.includes('Nothing due.') || document.body.innerText.includes('no access')`,
    );
    await stage.expectAccessible();
    stage.expectQuiet();
  });
});
