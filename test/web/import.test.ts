/** Files come in: columns, dry run, review, the import, and its way back; by the pointer and by keys. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { dropFile } from './drop-file.ts';
import { openStage, type Stage } from './stage.ts';

/** 80 people as Outlook writes them, in windows-1252. */
const outlook = readFileSync('test/web/files/outlook-contacts.csv');

describe.skipIf(chromium === undefined)('imports (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const counts = () =>
    stage.page.evaluate<number[]>(`[...document.querySelectorAll('dl dd')].map((one) => Number(one.textContent))`);

  it('brings in a file that is dropped, and takes it back', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/import?object=contacts');
    await stage.sees('Nothing was imported yet.');
    await stage.expectAccessible();
    await dropFile(page, outlook, 'outlook.csv');
    await page.until(`location.pathname.length > '/import/'.length`);
    await stage.sees('outlook.csv 8 rows');
    await stage.sees('outlook, windows-1252, commas');
    await stage.sees('A dry run of all 8 rows');
    expect((await counts()).reduce((sum, n) => sum + n)).toBe(8);
    await stage.expectAccessible();
    await page.click('header button:last-of-type');
    await stage.sees('Why rows are refused');
    await stage.sees('Petronilla');
    await stage.expectAccessible();
    const [created] = await counts();
    await page.click('header button:last-of-type');
    await stage.sees('Done');
    expect((await counts())[0]).toBe(created);
    await page.until(`[...document.querySelectorAll('button')].some((one) => one.textContent.startsWith('Revert '))`);
    await stage.expectAccessible();
    await page.evaluate(
      `[...document.querySelectorAll('#main button')].find((one) => one.textContent.startsWith('Revert ')).click()`,
    );
    await stage.sees('This import is reverted.');
    await stage.go('/import');
    await stage.sees('outlook.csv');
    stage.expectQuiet();
  });

  /** Chooses where a column goes by keys: down from the first until it is the one that begins so. */
  const goesTo = async (column: string, wanted: string) => {
    const select = `document.querySelector('select[aria-label="${column} goes to"]')`;
    await stage.page.evaluate(`${select}.focus()`);
    await stage.page.press('Home');
    for (let tries = 0; tries < 60; tries++) {
      if (await stage.page.evaluate<boolean>(`${select}.value.startsWith('${wanted}')`)) return;
      await stage.page.press('ArrowDown');
    }
    throw new Error(`${column} cannot go to ${wanted}`);
  };

  /** The dry run is over: until then, the main button and its key wait. */
  const isAtRest = `[...document.querySelectorAll('#main header button')].at(-1)?.getAttribute('aria-busy') === 'false'`;

  it('goes by keys alone, changes where a column goes, and keeps that over a reload', async () => {
    const { page } = stage;
    await stage.go('/import?object=companies');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Firm;Rating;Seen\\nNordlicht Werke;A;02.03.2026\\nOstwind <b>AG</b>;B;31.03.2026\\n');
      window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
    })()`);
    await stage.sees('2 rows, 3 columns, UTF-8, semicolons');
    await stage.sees('Each record needs Name');
    await goesTo('Firm', 'map name');
    await goesTo('Rating', 'new');
    await page.until(`document.querySelector('input[aria-label="Name of the new field for Rating"]')`);
    await stage.go(await page.evaluate<string>('location.pathname'));
    await stage.sees('New fields: rating.');
    await page.until(isAtRest);
    await page.press('Control+Enter');
    await stage.sees('Back to columns');
    await stage.sees('Ostwind <b>AG</b>');
    expect((await counts())[0]).toBe(2);
    await page.until(isAtRest);
    await page.press('Control+Enter');
    await stage.sees('Revert 2 records');
    stage.expectQuiet();
  });

  it('makes the records that a column names, where one says so', async () => {
    const { page } = stage;
    await stage.go('/import?object=contacts');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'First name;Last name;Company\\nUte;Quick;Ganz Neue Werke\\n');
      window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
    })()`);
    await stage.sees('1 row, 3 columns');
    await goesTo('Company', 'map company_id');
    await stage.sees('Make those that are not there');
    await page.evaluate(
      `[...document.querySelectorAll('label')].find((one) => one.innerText.includes('Make those')).control.click()`,
    );
    await page.until(isAtRest);
    await page.press('Control+Enter');
    await stage.sees('Back to columns');
    await page.until(isAtRest);
    await page.press('Control+Enter');
    await stage.sees('Revert 2 records');
    await stage.go('/r/companies?q=Ganz%20Neue');
    await page.until(`document.querySelector('[role=row][data-id] a')?.innerText === 'Ganz Neue Werke'`);
    stage.expectQuiet();
  });

  it('is for admins, and says so', async () => {
    await stage.enter('Diego', '/import');
    await stage.sees('Importing is for admins.');
    await stage.expectAccessible();
    stage.expectQuiet();
  });
});
