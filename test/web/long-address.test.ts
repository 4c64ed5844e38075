/** Lists whose address would be too long: a draft of a view stands in it, which a reload, the way back and another tab show. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium, type Page } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const longest = 2_000;
const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]')`;
const isShort = `location.href.length <= ${longest}`;
const draftIn = `new URLSearchParams(location.search).get('draft')`;

describe.skipIf(chromium === undefined)('long addresses (need Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  const names = ['Abbott', 'Brandt', 'Castro'];
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
    for (const last_name of names) await ada('POST', '/records/contacts', { first_name: 'Long', last_name });
  });
  afterAll(() => stage?.stop());

  /** Any of so many names, of which the given ones alone are there. */
  const anyOf = (given: readonly string[], count: number) =>
    JSON.stringify({
      type: 'OR',
      conditions: [
        ...given.map((value) => ({ field: 'full_name', operator: 'equals', value: `Long ${value}` })),
        ...Array.from({ length: count }, (_, at) => ({
          field: 'full_name',
          operator: 'equals',
          value: `Nobody of the number ${at}`,
        })),
      ],
    });
  const shows = (page: Page, count: number) => page.until(`${rows}.length === ${count}`);
  const address = (filter: string) =>
    `/r/contacts?cols=full_name:300,job_title&sort=-full_name&f=${encodeURIComponent(filter)}`;
  const sortedHead = `document.querySelector('[data-column=full_name]').getAttribute('aria-sort')`;

  it('are kept in a draft, and the short address shows the same after a reload and in another tab', async () => {
    const { page } = stage;
    await stage.enter('Ada', address(anyOf(names.slice(0, 2), 60)));
    await page.until(`${isShort} && ${draftIn}`);
    await shows(page, 2);
    const short = await page.evaluate<string>(`location.pathname + location.search`);
    expect(short).not.toContain('Nobody');
    await stage.go(short);
    await shows(page, 2);
    expect(await page.evaluate(sortedHead)).toBe('descending');
    expect(await page.evaluate(`document.querySelector('[data-column=full_name]').offsetWidth`)).toBe(300);
    const other = await page.openTab();
    await other.open(stage.kith.url + short);
    await shows(other, 2);
    await other.close();
    expect(
      (await ada('GET', '/views?object=contacts')).json.data.map(({ is_draft: is }: { is_draft: boolean }) => is),
    ).not.toContain(true);
    await stage.expectAccessible();
  });

  it('take further changes, go back and forward, and are short again by themselves', async () => {
    const { page } = stage;
    const first = await page.evaluate<string>(draftIn);
    await page.press('/');
    await page.until(`document.activeElement.type === 'search'`);
    await page.type('Abbott');
    await page.until(`${isShort} && ${draftIn} && ${draftIn} !== '${first}'`);
    await shows(page, 1);
    const second = await page.evaluate<string>(draftIn);
    // A record beside, and the layout, stand in the address themselves.
    await page.evaluate(`document.querySelector('[role=grid]').focus()`);
    await page.press('ArrowDown');
    await page.press('o');
    await page.until(`location.search.includes('peek=') && ${draftIn} === '${second}'`);
    await page.until(`document.querySelector('aside h2')?.innerText === 'Long Abbott'`);
    await page.press('Escape');
    for (const key of ['g', 't']) await page.press(key);
    await page.until(`location.pathname === '/tasks' && document.querySelector('main h1')?.innerText === 'Tasks'`);
    await page.evaluate(`history.back()`);
    await page.until(`${draftIn} === '${second}'`);
    await shows(page, 1);
    await page.evaluate(`history.forward()`);
    await page.until(`location.pathname === '/tasks'`);
    await page.evaluate(`history.back()`);
    await shows(page, 1);
    await stage.go(`/r/contacts?draft=${first}`);
    await shows(page, 2);
    await page.evaluate(
      `[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Reset').click()`,
    );
    await page.until(`${draftIn} === null && ${rows}.length > 5`);
    stage.expectQuiet();
  });

  it('are sent to others, who see what their role shows, and become views', async () => {
    const { page } = stage;
    await stage.go(address(anyOf(names, 60)));
    await page.until(`${isShort} && ${draftIn}`);
    const draft = await page.evaluate<string>(draftIn);
    const hana = await beside(stage.kith.url, 'Hana');
    expect((await hana('GET', `/views/${draft}`)).status).toBe(200);
    await shows(page, 3);
    await page.evaluate(
      `[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Save view').click()`,
    );
    await page.until(`document.activeElement.maxLength === 200`);
    await page.type('Out of a long one');
    await page.press('Enter');
    await page.until(`new URLSearchParams(location.search).get('view') && ${draftIn} === null`);
    await stage.sees('Out of a long one');
    await shows(page, 3);
    stage.expectQuiet();
  });

  it('say so where nothing keeps them any more', async () => {
    const { page } = stage;
    const made = await ada('POST', '/views', {
      object_name: 'companies',
      name: 'Other',
      is_draft: true,
      search: 'nobody',
    });
    for (const draft of [made.json.id, '01a22192-11f3-7000-9d82-7dcd9cf9523b', 'x']) {
      await stage.go(`/r/contacts?draft=${draft}`);
      await stage.sees('What this address showed is no longer kept.');
      expect(await page.evaluate(`${rows}.length`)).toBe(0);
    }
    await stage.expectAccessible();
    await page.evaluate(
      `[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Show all').click()`,
    );
    await page.until(`!location.search && ${rows}.length > 5`);
    stage.expectQuiet();
  });
});
