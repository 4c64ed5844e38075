/** Every key of the table, the record and the frame, each by itself; the same on keyboards of other scripts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

const grid = `document.querySelector('[role=grid]')`;
const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]')`;
const selected = `document.querySelectorAll('[role=row][aria-selected=true]').length`;
const at = `Number(document.querySelector('[role=row][data-current]')?.ariaRowIndex ?? 0)`;
const dialog = `document.querySelector('[role=dialog]')`;

describe.skipIf(chromium === undefined)('the keys (need Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const toTable = async (path = '/r/contacts') => {
    await stage.go(path);
    await stage.page.until(`${rows}.length > 5 && document.activeElement?.role === 'grid'`);
  };
  const closed = async () => {
    await stage.keys('Escape');
    await stage.page.until(`!${dialog}`);
  };

  it('shows what is first opened as soon as its code is there', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/contacts');
    const waits: number[] = [];
    // The machine may have other things to do in one of them.
    for (let time = 0; time < 3; time++) {
      await toTable();
      await page.evaluate(`new MutationObserver(() => ${dialog} && (window.shownAt ??= performance.now()))
        .observe(document.body, { childList: true, subtree: true })`);
      await stage.keys('s');
      waits.push(
        await page.evaluate<number>(`new Promise((resolve) => {
          const look = () => {
            const [code] = performance.getEntriesByType('resource').filter(({ name }) => /pop-over-.*js$/.test(name));
            if (window.shownAt === undefined || code === undefined) return setTimeout(look, 5);
            resolve(window.shownAt - code.responseEnd);
          };
          look();
        })`),
      );
    }
    expect(Math.min(...waits)).toBeLessThan(200);
    stage.expectQuiet();
  });

  it('goes up and down, to the ends and a page at a time', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/contacts');
    await toTable();
    await stage.keys('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp');
    await page.until(`${at} === 3`);
    await stage.keys('PageDown');
    await page.until(`${at} > 20`);
    await stage.keys('PageUp');
    await page.until(`${at} === 3`);
    await stage.keys('End');
    await page.until(`${at} > 90`);
    await stage.keys('Home');
    await page.until(`${at} === 2`);
    await stage.keys('ArrowRight', 'ArrowRight', 'ArrowLeft');
    await page.until(`${grid}.getAttribute('aria-activedescendant').endsWith('-full_name')`);
    await stage.keys('Escape');
    await page.until(`${grid}.getAttribute('aria-activedescendant').startsWith('row-')`);
    stage.expectQuiet();
  });

  it('selects: one, a range, all shown, all there are, none', async () => {
    const { page } = stage;
    await toTable();
    await stage.keys('ArrowDown', ' ');
    await page.until(`${selected} === 1`);
    await stage.keys('Shift+ArrowDown', 'Shift+ArrowDown');
    await page.until(`${selected} === 3`);
    await stage.keys('Control+a');
    // One page of the list, or two where there was time for the second.
    await page.until(`/\\b[12]00 selected/.test(document.body.innerText)`);
    await stage.keys('Control+a');
    await page.until(`/[\\d,]{5,} selected/.test(document.body.innerText)`);
    await stage.keys('Escape');
    await page.until(`${selected} === 0`);
    stage.expectQuiet();
  });

  it('opens what searches, filters, sorts and chooses columns, and shows a record beside', async () => {
    const { page } = stage;
    await toTable();
    for (const key of ['f', 's', 'k']) {
      await stage.keys(key);
      await page.until(`${dialog} && document.activeElement.role === 'combobox'`);
      await closed();
    }
    await stage.keys('/');
    await page.until(`document.activeElement.type === 'search'`);
    await stage.keys('Escape');
    await page.until(`document.activeElement.role === 'grid'`);
    await stage.keys('ArrowDown', 'o');
    await page.until(`document.querySelector('aside dl')`);
    await stage.keys('o');
    await page.until(`!document.querySelector('aside')`);
    stage.expectQuiet();
  });

  it('acts on the row: field, list, trash, merge', async () => {
    const { page } = stage;
    await toTable();
    await stage.keys('ArrowDown');
    for (const key of ['e', 'l']) {
      await stage.keys(key);
      await page.until(`${dialog} && document.activeElement.role === 'combobox'`);
      await closed();
    }
    await stage.keys('Shift+ArrowDown');
    await page.until(`${selected} === 2`);
    await stage.keys('Shift+M');
    await page.until(
      `location.pathname === '/duplicates/contacts' && document.querySelectorAll('thead th').length > 3`,
    );
    await page.evaluate(`history.back()`);
    await toTable();
    const name = await page.evaluate<string>(`${rows}[0].querySelector('a').innerText`);
    await stage.keys('ArrowDown', ' ', 'Delete');
    await stage.sees('1 record in the trash');
    await page.until(`${rows}[0].querySelector('a').innerText !== ${JSON.stringify(name)}`);
    await stage.keys('Control+z');
    await page.until(`[...${rows}].some((row) => row.querySelector('a').innerText === ${JSON.stringify(name)})`);
    stage.expectQuiet();
  });

  it('copies cells as text and as a table', async () => {
    const { page } = stage;
    await toTable('/r/companies?cols=name,employees');
    await page.evaluate(`void (navigator.clipboard.write = async ([item]) => {
      globalThis.copied = await Promise.all(['text/plain', 'text/html'].map(async (type) => (await item.getType(type)).text()));
    })`);
    const name = await page.evaluate<string>(`${rows}[0].querySelector('a').innerText`);
    await stage.keys('ArrowDown', 'Control+c');
    await page.until(`globalThis.copied`);
    const [text, html] = await page.evaluate<[string, string]>(`copied`);
    expect(text.split('\t')[0]).toBe(name);
    expect(html).toMatch(/^<table><tbody><tr><td>/);
  });

  it('opens a record by Enter, acts on it, and goes back by Escape', async () => {
    const { page } = stage;
    await toTable();
    await stage.keys('ArrowDown', 'Enter');
    await page.until(
      `document.querySelectorAll('[data-field]').length > 4 && document.querySelector('[data-field=job_title]')`,
    );
    const first = await page.evaluate<string>(`location.pathname`);
    await stage.keys('e');
    await page.until(`document.activeElement.closest('form[aria-label="New message"]')`);
    await stage.keys('Escape');
    await page.until(`!document.querySelector('form[aria-label="New message"]')`);
    await stage.keys('l');
    await page.until(`${dialog} && document.activeElement.role === 'combobox'`);
    await closed();
    await stage.keys('h');
    await page.until(dialog);
    await closed();
    await stage.keys('n');
    await page.until(`document.activeElement.tagName === 'TEXTAREA'`);
    await page.evaluate(`document.activeElement.blur()`);
    await stage.keys('Alt+ArrowDown');
    await page.until(`location.pathname !== '${first}'`);
    await stage.keys('Alt+ArrowUp');
    await page.until(`location.pathname === '${first}'`);
    await stage.keys('Escape', 'Escape', 'Escape');
    await page.until(`location.pathname === '/r/contacts'`);
    stage.expectQuiet();
  });

  it('makes a record from anywhere, folds the side bar, and goes to pages by two letters', async () => {
    const { page } = stage;
    await stage.go('/home');
    await stage.keys('c');
    await page.until(`${dialog} && document.activeElement.value === 'New '`);
    await page.type('comp');
    await stage.keys('Enter');
    await page.until(`location.pathname === '/r/companies' && ${dialog}?.innerText.includes('New company')`);
    await stage.keys('Escape', 'Escape'); // the field, then the dialog
    await page.until(`!${dialog} && location.search === ''`);
    const width = `document.querySelector('nav').offsetWidth`;
    const before = await page.evaluate<number>(width);
    await stage.keys('b');
    await page.until(`${width} < ${before}`);
    await stage.keys('b');
    await page.until(`${width} === ${before}`);
    for (const [letter, path] of Object.entries({
      h: '/home',
      i: '/inbox',
      t: '/tasks',
      l: '/calendar',
      c: '/r/contacts',
    })) {
      await stage.keys('g', letter);
      await page.until(`location.pathname.startsWith('${path}')`);
    }
    await stage.keys('F1');
    await page.until(`${dialog}?.querySelector('dl')`);
    expect(await page.evaluate(`${dialog}.innerText`)).toContain('Paste cells');
    await closed();
    stage.expectQuiet();
  });

  it.each([
    ['Cyrillic', 'а', 'KeyF'],
    ['Hebrew', 'כ', 'KeyF'],
    ['Greek', 'φ', 'KeyF'],
    ['AZERTY', 'f', 'KeyF'],
    ['Dvorak', 'f', 'KeyY'],
  ])('has the letters of a %s keyboard', async (_, key, place) => {
    const { page } = stage;
    await toTable();
    await page.press(key, place);
    await page.until(`${dialog} && document.activeElement.role === 'combobox'`);
    await closed();
    stage.expectQuiet();
  });

  it('lets the sign of a Latin keyboard decide, wherever it lies', async () => {
    const { page } = stage;
    await toTable();
    // On AZERTY `a` lies where `q` does elsewhere, and Ctrl A still selects.
    await page.press('Control+a', 'KeyQ');
    await page.until(`/\\b[12]00 selected/.test(document.body.innerText)`);
    // `q` lies at the place of `a`: nothing is assigned.
    await page.press('q', 'KeyA');
    await page.press('Control+я', 'KeyZ');
    await stage.sees('Nothing to undo');
    expect(await page.evaluate(`${dialog} === null`)).toBe(true);
    stage.expectQuiet();
  });
});
