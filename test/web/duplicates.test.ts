/** Records that look the same: chosen field by field, merged, and taken apart again; by the pointer and by keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(chromium === undefined)('duplicates (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const groups = () =>
    stage.page.evaluate<number>(`document.querySelectorAll('#main nav li a[aria-current], #main nav ul li').length`);
  const ready = () =>
    stage.page.until(
      `[...document.querySelectorAll('#main header button')].some((one) => one.textContent.startsWith('Merge ') && !one.disabled)`,
    );

  it('merges with the value that was chosen, and takes the merge back', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/home');
    await stage.go('/duplicates/contacts');
    await ready();
    await stage.expectAccessible();
    const before = await groups();
    const chosen = await page.evaluate<string>(`(() => {
      const other = [...document.querySelectorAll('tbody input[type=radio]:not(:checked)')][0]
        ?? document.querySelector('thead input[type=radio]:not(:checked)');
      other.click();
      return other.closest('tbody') ? other.closest('label').textContent.trim() : '';
    })()`);
    if (chosen !== '')
      await page.until(
        `[...document.querySelectorAll('tbody tr')].some((row) => row.lastElementChild.textContent.trim() === ${JSON.stringify(chosen)})`,
      );
    await ready();
    await page.evaluate(
      `[...document.querySelectorAll('#main header button')].find((one) => one.textContent.startsWith('Merge ')).click()`,
    );
    await stage.sees('Merged into');
    await page.until(`document.querySelectorAll('#main nav ul li').length < ${before}`);
    await page.press('Control+z');
    await stage.sees('Undone: Merged into');
    await stage.go('/duplicates/contacts');
    await ready();
    expect(await groups()).toBe(before);
    stage.expectQuiet();
  });

  it('goes by keys alone: the next group, not the same, and merge', async () => {
    const { page } = stage;
    await page.press('ArrowDown');
    await page.until(`location.search.includes('at=')`);
    await page.press('x');
    await stage.sees('Marked as not the same');
    await stage.sees('1 group is marked as not the same');
    await ready();
    await page.press('Control+Enter');
    await stage.sees('Merged into');
    await page.press('Control+z');
    await stage.sees('Undone: Merged into');
    stage.expectQuiet();
  });

  it('is for admins, and says so', async () => {
    await stage.enter('Diego', '/duplicates');
    await stage.sees('Merging records is for admins.');
    await stage.expectAccessible();
    stage.expectQuiet();
  });
});
