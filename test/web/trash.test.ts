/** The trash: what was deleted comes back or goes for good; merged records are taken apart; what roles see of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const rows = `[...document.querySelectorAll('main tbody tr')].map((row) => row.cells[0].innerText)`;
const button = (label: string) => `document.querySelector('main [aria-label="${label}"]')`;

describe.skipIf(chromium === undefined)('the trash (needs Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
  });
  afterAll(() => stage?.stop());

  const made = async (name: string): Promise<string> => (await ada('POST', '/records/companies', { name })).json.id;
  const gone = async (name: string): Promise<string> => {
    const id = await made(name);
    expect((await ada('DELETE', `/records/companies/${id}`)).status).toBe(200);
    return id;
  };
  const status = async (id: string) => (await ada('GET', `/records/companies/${id}`)).status;

  it('is reached from the list, and gives back by keys', async () => {
    const { page } = stage;
    const id = await gone('Comes back');
    await gone('Ends here');
    await stage.enter('Ada', '/r/companies');
    await page.until(`document.querySelector('[aria-label=More]')`);
    await page.click('[aria-label=More]');
    await page.until(
      `[...document.querySelectorAll('[role=menuitem]')].some(({ innerText }) => innerText === 'Trash')`,
    );
    await page.type('t');
    for (const key of ['t', 'Enter']) await page.press(key);
    await page.until(`location.pathname === '/r/companies/trash' && ${rows}.length === 2`);
    await stage.sees('removed for good after 30 days');
    await stage.expectAccessible();
    await page.evaluate(`${button('Restore: Comes back')}.focus()`);
    await page.press('Enter');
    await stage.sees('Comes back is back');
    await page.until(`${rows}.join() === 'Ends here'`);
    expect(await status(id)).toBe(200);
    await page.press('Control+z');
    await page.until(`${rows}.length === 2`);
    expect(await status(id)).not.toBe(200);
    stage.expectQuiet();
  });

  it('asks before something goes for good, and keeps it where one says no', async () => {
    const { page } = stage;
    await page.evaluate(`${button('Delete for good: Ends here')}.click()`);
    await page.until(`document.querySelector('[role=alertdialog]')`);
    await stage.sees('Ends here will be gone for good. This cannot be undone.');
    expect(await page.evaluate(`document.activeElement.innerText`)).toBe('Cancel');
    await stage.expectAccessible();
    await page.press('Enter');
    await page.until(`!document.querySelector('[role=alertdialog]') && ${rows}.length === 2`);
    await page.evaluate(`${button('Delete for good: Ends here')}.click()`);
    await page.until(`document.querySelector('[role=alertdialog]')`);
    await page.press('Tab');
    await page.press('Enter');
    await stage.sees('Ends here is gone');
    await page.until(`${rows}.join() === 'Comes back'`);
    stage.expectQuiet();
  });

  it('takes a merge apart, since a merged record does not simply come back', async () => {
    const { page } = stage;
    const [master, twin] = [await made('Twin one'), await made('Twin two')];
    const body = { action: 'merge', object_name: 'companies', master_id: master, duplicate_ids: [twin] };
    expect((await ada('POST', '/duplicates', body)).status).toBe(200);
    await page.until(`${rows}.includes('Twin two')`);
    await page.evaluate(`${button('Restore: Twin two')}.click()`);
    await stage.sees('Twin two is here because it was merged.');
    await page.evaluate(
      `[...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Unmerge').click()`,
    );
    await stage.sees('Twin two is back');
    await page.until(`!${rows}.includes('Twin two')`);
    expect([await status(master), await status(twin)]).toEqual([200, 200]);
    stage.expectQuiet();
  });

  it.each(['Diego', 'Hana'] as const)('is not there for %s, whose role deletes no companies', async (person) => {
    const { page } = stage;
    await stage.enter(person, '/r/companies');
    await page.until(`document.querySelector('[role=row][data-id]')`);
    expect(await page.evaluate(`document.querySelector('[aria-label=More]')`)).toBe(null);
    await stage.go('/r/companies/trash');
    await stage.sees('Your role deletes no companies');
    expect(await page.evaluate(`document.body.innerText.includes('Comes back')`)).toBe(false);
    stage.expectQuiet();
  });

  it('saves what a list shows as CSV, which the trash is no part of', async () => {
    const { page } = stage;
    await made('Exported AG');
    await gone('Not exported AG');
    const filter = { type: 'AND', conditions: [{ field: 'name', operator: 'contains', value: 'xported AG' }] };
    await stage.enter('Ada', `/r/companies?cols=name,industry&f=${encodeURIComponent(JSON.stringify(filter))}`);
    await page.until(`document.querySelectorAll('[role=row][data-id]').length === 1`);
    await page.evaluate(
      `void (URL.createObjectURL = (blob) => (blob.text().then((text) => (globalThis.saved = text)), 'data:,'))`,
    );
    await page.click('[aria-label=More]');
    await page.until(
      `[...document.querySelectorAll('[role=menuitem]')].some(({ innerText }) => innerText === 'Export as CSV')`,
    );
    await page.evaluate(
      `[...document.querySelectorAll('[role=menuitem]')].find(({ innerText }) => innerText === 'Export as CSV').click()`,
    );
    await page.until(`globalThis.saved`);
    const lines = (await page.evaluate<string>(`saved`)).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^name,industry/);
    expect(lines[1]).toMatch(/^Exported AG/);
    stage.expectQuiet();
  });
});
