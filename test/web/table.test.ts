/** The records as a table: what is shown, found, sorted, selected and changed, by mouse and by keys alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]').length`;
const foot = `document.querySelector('main footer')?.innerText ?? ''`;

describe.skipIf(chromium === undefined)('the table of records (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const total = () => stage.page.evaluate<number>(`Number(document.querySelector('[role=grid]').ariaRowCount) - 1`);

  it('shows the first rows whole, and tells of all', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/contacts');
    await page.until(`${rows} > 28`);
    const whole = await page.evaluate<number>(`(() => {
      const box = document.querySelector('[role=grid]').getBoundingClientRect();
      return [...document.querySelectorAll('[role=row][data-id]')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= box.top + 27 && bottom <= box.bottom;
      }).length;
    })()`);
    expect(whole).toBe(29);
    expect(await total()).toBeGreaterThan(29);
    // No column is cut off at the edge of the window.
    expect(
      await page.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth === clientWidth)(document.querySelector('[role=grid]'))`,
      ),
    ).toBe(true);
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('goes through rows and cells by keys, edits one, and takes it back', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/companies');
    await page.until(`document.activeElement.role === 'grid' && ${rows} > 28`);
    await stage.keys('ArrowDown', 'ArrowDown', 'ArrowRight');
    const active = `document.getElementById(document.querySelector('[role=grid]').getAttribute('aria-activedescendant'))`;
    const id = await page.evaluate<string>(`${active}.id`);
    expect(id).toMatch(/-name$/);
    const cell = `document.getElementById('${id}')`;
    const before = await page.evaluate<string>(`${cell}.innerText`);
    await stage.keys('Enter');
    await page.until(`document.activeElement.tagName === 'INPUT'`);
    await stage.keys('Control+a');
    await page.type('Keeper of keys');
    await stage.keys('Enter');
    await page.until(`${cell}?.innerText === 'Keeper of keys' && document.activeElement.role === 'grid'`);
    await stage.keys('Control+z');
    await page.until(`${cell}?.innerText === ${JSON.stringify(before)}`);
    stage.expectQuiet();
  });

  it('filters by an own condition with seven keys, and the address says it', async () => {
    const { page } = stage;
    await stage.go('/r/opportunities');
    await page.until(`${rows} > 5`);
    const all = await total();
    await stage.keys('f');
    await page.until(`document.activeElement.role === 'combobox'`);
    await stage.keys('o', 'w', 'Enter');
    await page.until(`document.activeElement.getAttribute('aria-label')?.startsWith('Owner')`);
    await stage.keys('m', 'e', 'Enter');
    await page.until(
      `location.search.includes('f=') && Number(document.querySelector('[role=grid]').ariaRowCount) < ${all}`,
    );
    await stage.sees('Ada Lindqvist');
    expect(await page.evaluate(foot)).toContain('€');
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('selects all that match and assigns them with six keys more', async () => {
    const { page } = stage;
    const mine = await total();
    await stage.keys('Control+a', 'Control+a');
    await stage.sees(`${mine} selected`);
    await stage.keys('a');
    await page.until(`document.activeElement.role === 'combobox'`);
    await stage.keys('d', 'i', 'Enter');
    await stage.sees('No opportunities match.');
    await stage.sees(`Owner set in ${mine} records`);
    await stage.keys('Control+z');
    await page.until(`document.querySelector('[role=grid]')?.ariaRowCount === '${mine + 1}'`);
    stage.expectQuiet();
  });

  it('puts all that match into the trash as one change, and takes them back as one', async () => {
    const { page, kith } = stage;
    await stage.enter('Ada', '/r/contacts');
    await page.until(`${rows} > 28`);
    const all = await total();
    const f = JSON.stringify({
      type: 'AND',
      conditions: [{ field: 'last_name', operator: 'starts_with', value: 'Be' }],
    });
    await stage.go(`/r/contacts?f=${encodeURIComponent(f)}`);
    await page.until(`${rows} > 1`);
    const count = await total();
    expect(count).toBeLessThan(all);
    await stage.keys('Control+a', 'Control+a');
    await stage.sees(`${count} selected`);
    const before = page.requests.length;
    await stage.keys('Delete');
    await stage.sees(`${count} records in the trash`);
    await page.until(`${rows} === 0`);
    const asked = page.requests.slice(before).filter((url) => url.startsWith(`${kith.url}/api/v1/records/`));
    expect(asked.every((url) => url.includes('?'))).toBe(true);
    await stage.keys('Control+z');
    await page.until(`${rows} > 1`);
    expect(await total()).toBe(count);
    stage.expectQuiet();
  });

  it('searches while one types, sorts by a click, and goes back', async () => {
    const { page } = stage;
    await stage.go('/r/companies');
    await page.until(`${rows} > 5`);
    const all = await total();
    await stage.keys('/');
    await page.type('gmbh');
    await page.until(`Number(document.querySelector('[role=grid]')?.ariaRowCount) < ${all}`);
    await page.until(`location.search === '?q=gmbh'`);
    const found = await total();
    // Letters that follow while an answer is on its way stay, and the address has all of them at once.
    for (const letter of ' ag') await page.type(letter);
    await page.until(`location.search === '?q=gmbh+ag'`);
    expect(await page.evaluate(`document.activeElement.value`)).toBe('gmbh ag');
    for (let letters = 3; letters > 0; letters--) await page.press('Backspace');
    await page.until(`location.search === '?q=gmbh'`);
    await page.until(`Number(document.querySelector('[role=grid]')?.ariaRowCount) === ${found + 1}`);
    await page.click('[role=columnheader][data-column=name] button');
    await page.until(`document.querySelector('[data-column=name]').ariaSort === 'ascending'`);
    const names = `[...document.querySelectorAll('[role=row][data-id] [role=gridcell]:nth-child(2)')].map((cell) => cell.innerText.toLowerCase())`;
    await page.until(`${names}.length > 3 && ${names}.every((name, at, all) => at === 0 || all[at - 1] <= name)`);
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('builds a nested filter in words, and counts while it is built', async () => {
    const { page } = stage;
    const filter = {
      type: 'AND',
      conditions: [
        { field: 'name', operator: 'contains', value: 'a' },
        {
          type: 'OR',
          conditions: [
            { field: 'amount', operator: 'greater_than', value: 1000 },
            { field: 'company_id.name', operator: 'is_empty' },
          ],
        },
      ],
    };
    await stage.go(`/r/opportunities?f=${encodeURIComponent(JSON.stringify(filter))}`);
    await stage.sees('Any of 2');
    await page.click('[aria-haspopup=dialog]');
    await stage.sees(
      'Opportunities where Name contains “a” and (Amount is more than 1,000 or Company › Name is empty).',
    );
    await stage.sees('match');
    await stage.expectAccessible();
    await stage.keys('Escape');
    await page.until(`!document.querySelector('[role=dialog]')`);
    expect(await page.evaluate(`JSON.parse(new URLSearchParams(location.search).get('f'))`)).toEqual(filter);
    stage.expectQuiet();
  });

  it('keeps what was changed as a view, with the count of it', async () => {
    const { page } = stage;
    await stage.sees('Save view');
    await page.evaluate(
      `[...document.querySelectorAll('main button')].find((one) => one.innerText === 'Save view').click()`,
    );
    await page.until(`document.activeElement.getAttribute('aria-label') === 'Name of the view'`);
    await page.type('Worth a call');
    await stage.keys('Enter');
    await page.until(
      `document.querySelector('main nav [aria-current=page] bdi')?.innerText === 'Worth a call' && location.search.startsWith('?view=')`,
    );
    await page.until(`!document.querySelector('main nav [role=img]')`);
    await stage.keys('v');
    await page.until(`document.querySelector('main nav [aria-current=page]').innerText.startsWith('All')`);
    stage.expectQuiet();
  });

  it('keeps the focus in what is built, and keeps no condition that lacks its value', async () => {
    const { page } = stage;
    await stage.go(
      `/r/companies?f=${encodeURIComponent('{"type":"AND","conditions":[{"field":"name","operator":"contains","value":"a"}]}')}`,
    );
    await page.until(`${rows} > 5`);
    await page.click('[aria-haspopup=dialog]');
    await page.until(`document.querySelector('[role=dialog] [aria-label="Field: Name"]')`);
    await page.evaluate(
      `[...document.querySelectorAll('[role=dialog] button')].find((one) => one.innerText === 'Condition').focus()`,
    );
    await stage.keys('Enter');
    await page.until(`document.querySelectorAll('[role=dialog] select[aria-label]').length >= 3`);
    await page.evaluate(`[...document.querySelectorAll('[role=dialog] [aria-label^="Field: "]')].at(-1).focus()`);
    await stage.keys('Enter');
    await page.until(`document.activeElement.role === 'combobox'`);
    await page.type('Industry');
    await stage.keys('Enter');
    await page.until(`document.activeElement.getAttribute('aria-label') === 'Field: Industry'`);
    await page.click('[role=dialog] header');
    await stage.keys('Escape');
    await page.until(`!document.querySelector('[role=dialog]')`);
    await page.evaluate(
      `[...document.querySelectorAll('main button')].find((one) => one.innerText === 'Save view').click()`,
    );
    await page.until(`document.activeElement.getAttribute('aria-label') === 'Name of the view'`);
    await page.type('With a');
    await stage.keys('Enter');
    await page.until(`location.search.startsWith('?view=')`);
    await page.click('[aria-haspopup=dialog]');
    await page.until(`document.querySelectorAll('[role=dialog] [aria-label^="Field: "]').length === 1`);
    await page.evaluate(`document.querySelector('[role=dialog] [aria-label="Remove this condition"]').focus()`);
    await stage.keys('Enter');
    await page.until(`document.activeElement.innerText === 'Condition'`);
    await stage.keys('Escape');
    stage.expectQuiet();
  });

  it('sums up a column of choice, and keeps it with a view that is shared', async () => {
    const { page } = stage;
    const f = JSON.stringify({
      type: 'AND',
      conditions: [
        { field: 'amount', operator: 'greater_than', value: 1 },
        { field: 'probability', operator: 'is_not_empty' },
      ],
    });
    await stage.go(`/r/opportunities?f=${encodeURIComponent(f)}&cols=name,probability,amount`);
    await page.until(`${rows} > 5`);
    await page.until(`(${foot}).includes('Amount')`);
    await stage.keys('k');
    await page.until(`document.querySelector('[role=dialog] [aria-label="Sum of Probability at the foot"]')`);
    await page.click('[role=dialog] [aria-label="Sum of Probability at the foot"]');
    await page.until(`/Probability\\s[\\d,.]+%/.test(${foot})`);
    expect(await page.evaluate(foot)).not.toContain('Amount');
    await stage.expectAccessible();
    await stage.keys('Escape');
    await page.until(`!document.querySelector('[role=dialog]')`);
    await page.evaluate(
      `[...document.querySelectorAll('main button')].find((one) => one.innerText === 'Save view').click()`,
    );
    await page.until(`document.activeElement.getAttribute('aria-label') === 'Name of the view'`);
    await page.type('Shared sums');
    await page.click('[role=dialog] input[type=checkbox]');
    await page.click('[role=dialog] button[type=submit]');
    await page.until(`location.search.startsWith('?view=')`);
    await page.until(`/Probability\\s[\\d,.]+%/.test(${foot})`);
    stage.expectQuiet();
  });

  it('shows nothing where the filter of the address is cut off, until it is removed', async () => {
    const { page } = stage;
    await stage.go(`/r/contacts?f=${encodeURIComponent('{"type":"AND","conditions":[{"field":"las')}`);
    await stage.sees('The filter in this address is cut off or broken.');
    expect(await page.evaluate(rows)).toBe(0);
    await stage.expectAccessible();
    await page.evaluate(
      `[...document.querySelectorAll('main button')].find((one) => one.innerText === 'Remove the filter').click()`,
    );
    await page.until(`${rows} > 28 && !location.search.includes('f=')`);
    stage.expectQuiet();
  });

  it('shows a partner no amounts, and nothing of what they add up to', async () => {
    const { page } = stage;
    await stage.enter('Hana', '/r/opportunities');
    await page.until(`${rows} > 0`);
    expect(await page.evaluate(`document.querySelector('main').innerText`)).not.toMatch(/Amount|€|£/);
    const shared = `[...document.querySelectorAll('main nav button')].find((one) => one.innerText.startsWith('Shared sums'))`;
    await page.until(shared);
    await page.evaluate(`${shared}.click()`);
    await stage.sees('Parts of this view are left out: their fields are gone, or not for your role.');
    expect(await page.evaluate(`document.querySelector('main').innerText`)).not.toMatch(/Amount|€|£/);
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('shows two lines a row on a phone', async () => {
    const { page } = stage;
    await page.look(390, 844, 'light');
    await page.until(`document.querySelector('[role=row][data-id]')?.getBoundingClientRect().height === 52`);
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(390);
    await page.look(1440, 900, 'light');
  });

  it('puts the old value back where a new one is refused, and says why', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/opportunities?cols=name,probability');
    await page.until(`${rows} > 5`);
    await page.until(`document.activeElement.role === 'grid'`);
    await stage.keys('ArrowDown', 'ArrowRight', 'Enter');
    await page.until(`document.activeElement.tagName === 'INPUT'`);
    await stage.keys('Control+a', 'Backspace', 'Enter');
    await stage.sees('required');
    await stage.keys('Escape');
    await page.until(`document.activeElement.role === 'grid'`);
    expect(
      await page.evaluate(
        `document.querySelector('[role=row][aria-rowindex="2"] [role=gridcell]:nth-child(2)').innerText`,
      ),
    ).not.toBe('');
  });
});
