/** Lists of records: made, filled, their fields edited in place, and all of it undone; as an admin and as a rep. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(chromium === undefined)('lists (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  it('makes a list by keys, puts a record on it, and edits what it keeps', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/lists');
    await page.until(`document.querySelector('#main form input')`);
    await stage.expectAccessible();
    await page.press('c');
    await page.type('Fair 2026');
    await page.press('Enter');
    await stage.sees('No record is on this list.');
    await stage.expectAccessible();
    const name = await page.evaluate<string>(
      `fetch('/api/v1/records/contacts?limit=1&fields=full_name').then((answer) => answer.json()).then(({ data }) => data[0].full_name)`,
    );
    await page.press('l');
    await page.type(name);
    await page.until(`document.querySelector('[role=option]')`);
    await stage.expectAccessible();
    await page.press('Enter');
    await page.until(`document.querySelector('tbody th')`);
    await page.click('#main p button');
    await page.until(`document.activeElement.tagName === 'INPUT'`);
    await page.type('Booth');
    await page.press('Enter');
    await stage.sees('Booth');
    await page.click('td button');
    await page.until(`document.activeElement.tagName === 'INPUT'`);
    await page.type('A 12');
    await page.press('Enter');
    await stage.sees('A 12');
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('takes a record off and back, and the list itself', async () => {
    const { page } = stage;
    await page.click('button[aria-label$="off the list"]');
    await stage.sees('No record is on this list.');
    await page.press('Control+z');
    await stage.sees('A 12');
    await page.click('button[aria-label="Delete list"]');
    await page.until(`location.pathname === '/lists'`);
    await page.press('Control+z');
    await stage.sees('Fair 2026');
    stage.expectQuiet();
  });

  it('lets a rep see it, and make none', async () => {
    const { page } = stage;
    await stage.enter('Diego', '/lists');
    await stage.sees('Fair 2026');
    expect(await page.evaluate(`document.querySelector('#main form')`)).toBe(null);
    await stage.expectAccessible();
    stage.expectQuiet();
  });
});
