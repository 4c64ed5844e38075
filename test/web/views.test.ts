/** Views that are shared, renamed and deleted under somebody who looks at them, and columns moved and resized. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]').length`;
const heads = `[...document.querySelectorAll('[data-column]')].map((head) => head.dataset.column).join()`;
const widthOf = (name: string) => `document.querySelector('[data-column=${name}]').offsetWidth`;
const open = `document.querySelector('main nav [aria-current=page] bdi')?.innerText`;
const buttons = `[...document.querySelectorAll('main button')].map(({ innerText }) => innerText)`;
const press = (text: string) =>
  `[...document.querySelectorAll('main button, [role=menuitem]')].find(({ innerText }) => innerText === '${text}').click()`;
const menu = `[...document.querySelectorAll('[role=menuitem]')].map(({ innerText }) => innerText)`;
/** As when somebody comes back to the tab. */
const lookAgain = `void window.dispatchEvent(new Event('visibilitychange'))`;

describe.skipIf(chromium === undefined)('views and columns (need Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  let id = '';
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
    const filters = { type: 'AND', conditions: [{ field: 'name', operator: 'starts_with', value: 'B' }] };
    const columns = [{ field: 'name', width: 300 }, { field: 'industry' }, { field: 'employees' }];
    const body = { object_name: 'companies', name: 'With B', is_shared: true, filters, columns };
    ({
      json: { id },
    } = await ada('POST', '/views', body));
  });
  afterAll(() => stage?.stop());

  const total = () => stage.page.evaluate<number>(`Number(document.querySelector('[role=grid]').ariaRowCount) - 1`);

  it('shows a shared view to others, who keep what they change of it as their own alone', async () => {
    const { page } = stage;
    await stage.enter('Diego', `/r/companies?view=${id}`);
    await page.until(`${open} === 'With B' && ${rows} > 1`);
    expect(await page.evaluate(heads)).toBe('name,industry,employees');
    expect(await page.evaluate(widthOf('name'))).toBe(300);
    const names = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[role=row][data-id] a')].map((a) => a.innerText[0])`,
    );
    expect([...new Set(names)]).toEqual(['B']);
    // A rep neither imports nor deletes here, and the view is not his.
    expect(await page.evaluate(`document.querySelector('[aria-label=More]')`)).toBe(null);
    await page.click('[data-column=employees] button');
    await page.until(`document.querySelector('main nav [role=img]')`);
    const offered = await page.evaluate<string[]>(buttons);
    expect(offered.filter((text) => /^(Save view|Save as new|Reset)$/.test(text))).toEqual(['Reset', 'Save view']);
    await page.evaluate(press('Reset'));
    await page.until(`!document.querySelector('main nav [role=img]')`);
    stage.expectQuiet();
  });

  it('takes another name for it by itself, and keeps what it showed when it is deleted', async () => {
    const { page } = stage;
    await ada('PUT', `/views/${id}`, { name: 'Named B' });
    await page.evaluate(lookAgain);
    await page.until(`${open} === 'Named B'`);
    const [before, shown] = [await total(), await page.evaluate(heads)];
    expect((await ada('DELETE', `/views/${id}`)).status).toBe(200);
    await page.evaluate(lookAgain);
    await stage.sees('View Named B was deleted. What it showed stays here.');
    await page.until(
      `${open} === 'All' && ${rows} > 1 && !location.search.includes('view=') && location.search.includes('f=')`,
    );
    expect([await total(), await page.evaluate(heads)]).toEqual([before, shown]);
    await page.until(`${buttons}.includes('Save view')`);
    stage.expectQuiet();
  });

  it('shows nothing for the address of a view that is gone, until one says so', async () => {
    const { page } = stage;
    const before = page.requests.length;
    // An address that was open before asks ahead for what it showed then.
    await stage.go(`/r/companies?view=${crypto.randomUUID()}`);
    await stage.sees('This view is gone, or not shared with you.');
    expect(
      page.requests.slice(before).some((url) => url.includes('/records/companies?') && url.includes('limit=100')),
    ).toBe(false);
    await stage.expectAccessible();
    await page.evaluate(press('Show all'));
    await page.until(`${rows} > 28 && location.search === ''`);
    stage.expectQuiet();
  });

  it('moves and resizes columns by the pointer, and keeps that over a reload', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/companies?cols=name,industry,employees');
    await page.until(`${rows} > 28`);
    await page.drag('[data-column=employees] button', '[data-column=industry] button');
    await page.until(`${heads} === 'name,employees,industry'`);
    const before = await page.evaluate<number>(widthOf('employees'));
    await page.drag('[data-column=employees] > span', '[data-column=industry] button');
    await page.until(`${widthOf('employees')} > ${before}`);
    const wide = await page.evaluate<number>(widthOf('employees'));
    await page.until(
      `location.search.includes('employees%3A${wide}') || location.search.includes('employees:${wide}')`,
    );
    await stage.go(await page.evaluate<string>(`location.pathname + location.search`));
    await page.until(`${rows} > 28`);
    expect([await page.evaluate(heads), await page.evaluate(widthOf('employees'))]).toEqual([
      'name,employees,industry',
      wide,
    ]);
    expect(await page.evaluate(`location.search`)).not.toContain('sort');
    stage.expectQuiet();
  });

  it('does the same by keys, on the column of the cursor, and takes columns away and back', async () => {
    const { page } = stage;
    await stage.go('/r/companies?cols=name,industry,employees');
    await page.until(`${rows} > 28 && document.activeElement.role === 'grid'`);
    await stage.keys('ArrowDown', 'ArrowRight', 'ArrowRight');
    const before = await page.evaluate<number>(widthOf('industry'));
    await stage.keys('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowLeft');
    await page.until(`${widthOf('industry')} === ${before + 16}`);
    await stage.keys('Control+Shift+ArrowRight');
    await page.until(`${heads} === 'name,employees,industry'`);
    await page.until(
      `document.querySelector('[role=grid]').getAttribute('aria-activedescendant').endsWith('-industry')`,
    );
    await stage.keys('k');
    await page.until(`document.activeElement.role === 'combobox'`);
    await page.type('Employees');
    await stage.keys('Enter');
    await page.until(`${heads} === 'name,industry'`);
    await stage.keys('Escape');
    await stage.keys('k');
    await page.until(`document.activeElement.role === 'combobox'`);
    await page.type('Domain');
    await stage.keys('Enter');
    await page.until(`${heads}.startsWith('name,industry,') && ${heads}.split(',').length === 3`);
    stage.expectQuiet();
  });

  it('renames an own view, and deletes it', async () => {
    const { page } = stage;
    await stage.go('/r/companies?sort=-employees');
    await page.until(`${rows} > 28`);
    await page.evaluate(press('Save view'));
    await page.until(`document.activeElement.getAttribute('aria-label') === 'Name of the view'`);
    await page.type('Largest first');
    await stage.keys('Enter');
    await page.until(`${open} === 'Largest first'`);
    for (const [action, after] of [
      ['Rename this view', 'Largest on top'],
      ['Delete this view', 'All'],
    ] as const) {
      await page.evaluate(`document.querySelector('[aria-label=More]').click()`);
      await page.until(`${menu}.includes('${action}')`);
      await page.evaluate(press(action));
      if (action === 'Rename this view') {
        await page.until(`document.activeElement.value === 'Largest first'`);
        await page.type(after);
        await stage.keys('Enter');
      }
      await page.until(`${open} === '${after}'`);
    }
    stage.expectQuiet();
  });
});
