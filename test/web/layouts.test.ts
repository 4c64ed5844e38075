/** Every page as others need it: read from right to left, at twice the size, without motion, in their own colours. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { generalPages } from './addresses.ts';
import { openStage, type Stage } from './stage.ts';

const pages = [...generalPages, '/r/contacts', '/r/opportunities?layout=board', '/r/contacts/trash'];

/** Controls that nobody can get at: outside the window, or cut off by what cannot be scrolled. */
const cut = `[...document.querySelectorAll('button, a[href], input, select, textarea, [role=tab], h1')].filter((element) => {
  const box = element.getBoundingClientRect();
  if (box.width === 0 || !element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true })) return false;
  if (element.closest('.skip, [popover]:not(:popover-open)')) return false;
  let [left, right, top, bottom] = [0, innerWidth, 0, innerHeight];
  for (let around = element.parentElement; around; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const scrolls = (over, size, whole) => /auto|scroll/.test(over) && whole > size;
    const isAcross = scrolls(overflowX, around.clientWidth, around.scrollWidth);
    const isDown = scrolls(overflowY, around.clientHeight, around.scrollHeight);
    if (isAcross) [left, right] = [-Infinity, Infinity];
    if (isDown) [top, bottom] = [-Infinity, Infinity];
    if (isAcross && isDown) return false;
    if (isAcross || isDown) continue;
  }
  return box.right < left + 4 || box.left > right - 4 || box.right > right + 2 || box.left < left - 2 || box.top > bottom - 4 || box.bottom < top + 4;
}).map((element) => element.outerHTML.slice(0, 160))`;
const isWide = `document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth`;
const quiet = `document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')`;

describe.skipIf(chromium === undefined)('the layouts (need Chromium)', () => {
  let stage: Stage;
  let record = '';
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  /** Goes to each page, and gives what the expression says of it where that is not nothing. */
  const ofEach = async (before: string, expression: string) => {
    const found: Record<string, unknown> = {};
    for (const path of [...pages, record]) {
      await stage.go(path);
      await stage.page.until(quiet);
      await stage.page.evaluate(`void (${before})`);
      await stage.page.evaluate(
        `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`,
      );
      const told = await stage.page.evaluate<unknown>(expression);
      if (Array.isArray(told) ? told.length > 0 : told) found[path] = told;
    }
    return found;
  };

  it('leaves nothing outside at twice the size', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/contacts');
    await page.until(`document.querySelector('[role=row][data-id]')`);
    record = await page.evaluate(`'/r/contacts/' + document.querySelector('[role=row][data-id]').dataset.id`);
    await page.look(720, 450, 'light');
    expect(await ofEach('0', `(${isWide}) ? ['the page is too wide'] : ${cut}`)).toEqual({});
    stage.expectQuiet();
  });

  it('has a whole chip for as much of a filter as there is room for, and a way to the rest', async () => {
    const { page } = stage;
    const fields = ['first_name', 'last_name', 'job_title', 'emails', 'phones', 'birthday'];
    const filter = { type: 'AND', conditions: fields.map((field) => ({ field, operator: 'is_not_empty' })) };
    const chip = `button[aria-label^="Remove this condition"]`;
    const bar = `document.querySelector('[aria-label$=" more conditions"]')?.parentElement`;
    const shown: number[] = [];
    for (const width of [390, 1024, 1440, 1024]) {
      await page.look(width, 844, 'light');
      if (shown.length === 0) await stage.go(`/r/contacts?f=${encodeURIComponent(JSON.stringify(filter))}`);
      await page.until(`${quiet} && [...document.querySelectorAll('${chip}')].length > 0`);
      await page.evaluate(
        `document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))`,
      );
      const chips = await page.evaluate<number>(`document.querySelectorAll('${chip}').length`);
      await page.until(
        `document.querySelector('[aria-label="${fields.length - chips} more conditions"]')?.innerText === '+${fields.length - chips}'`,
      );
      // On a phone the one chip that is there may end with dots.
      const texts =
        width === 390
          ? '[]'
          : `[...${bar}.querySelectorAll('bdi')].filter((text) => text.scrollWidth > text.clientWidth)`;
      expect(await page.evaluate(`${texts}.map((text) => text.innerText)`)).toEqual([]);
      expect(
        await page.evaluate(
          `[...${bar}.children].slice(0, 3).filter((part) => part.getBoundingClientRect().right > innerWidth).length`,
        ),
      ).toBe(0);
      shown.push(chips);
    }
    const [phone = 0, small = 0, large = 0, again] = shown;
    expect([phone, again]).toEqual([1, small]);
    expect(small).toBeGreaterThan(phone);
    expect(large).toBeGreaterThan(small);
    await page.evaluate(`document.querySelector('${chip}').focus()`);
    for (let tab = 1; tab < 2 * small; tab++) await page.press('Tab');
    await page.until(`document.activeElement.innerText === '+${fields.length - small}'`);
    await page.press('Enter');
    await page.until(`document.querySelectorAll('[role=dialog] [aria-label="How"]').length === ${fields.length}`);
    await stage.keys('Escape', 'Shift+Tab', 'Enter');
    // The chip that comes next has the focus of the one that was removed.
    await page.until(
      `!location.search.includes('${fields[small - 1]}') && document.activeElement.ariaLabel?.startsWith('Remove this condition')`,
    );
    stage.expectQuiet();
  });

  it('shows where the focus is at twice the size, and hides it under nothing', async () => {
    const { page } = stage;
    await page.look(720, 450, 'light');
    for (const path of ['/home', '/r/contacts', '/tasks', record]) {
      await stage.go(path);
      await page.until(quiet);
      for (let stop = 0; stop < 25; stop++) {
        await page.press('Tab');
        const wrong = await page.evaluate<string>(`(() => {
          const element = document.activeElement;
          if (element === document.body) return '';
          const box = element.getBoundingClientRect();
          const look = getComputedStyle(element);
          const around = element.closest('label') ?? element;
          const isSeen = look.outlineStyle !== 'none' || look.boxShadow !== 'none' || getComputedStyle(around).outlineStyle !== 'none' ||
            getComputedStyle(around).boxShadow !== 'none' || element.matches('[role=grid], textarea, input');
          if (!isSeen) return 'no mark: ' + element.outerHTML.slice(0, 160);
          const [x, y] = [Math.min(innerWidth - 1, Math.max(0, box.x + box.width / 2)), Math.min(innerHeight - 1, Math.max(0, box.y + box.height / 2))];
          const top = document.elementFromPoint(x, y);
          return top && (around.contains(top) || top.contains(element)) ? '' : 'covered: ' + element.outerHTML.slice(0, 160);
        })()`);
        expect(wrong, path).toBe('');
      }
    }
    await page.look(1440, 900, 'light');
  });

  it.each([
    [1440, 900],
    [390, 844],
  ])('mirrors every page for who reads from right to left, at %i by %i', async (width, height) => {
    const { page } = stage;
    await page.look(width, height, 'light');
    const turn = `document.documentElement.dir = 'rtl'`;
    expect(await ofEach(turn, `(${isWide}) ? ['the page is too wide'] : ${cut}`)).toEqual({});
    await page.look(1440, 900, 'light');
    stage.expectQuiet();
  });

  it('goes to the side by the arrows that point there, and resizes and drags from right to left', async () => {
    const { page } = stage;
    await stage.go('/r/contacts');
    await page.until(`document.querySelectorAll('[role=row][data-id]').length > 5`);
    await page.evaluate(`void (document.documentElement.dir = 'rtl')`);
    const side = await page.evaluate<boolean>(
      `document.querySelector('nav').getBoundingClientRect().left > document.querySelector('main').getBoundingClientRect().left`,
    );
    expect(side).toBe(true);
    const active = `document.querySelector('[role=grid]').getAttribute('aria-activedescendant')`;
    await page.press('ArrowDown');
    await page.press('ArrowLeft');
    await page.until(`${active}.endsWith('-full_name')`);
    await page.press('ArrowLeft');
    await page.until(`!${active}.endsWith('-full_name')`);
    await page.press('ArrowRight');
    await page.until(`${active}.endsWith('-full_name')`);
    const head = `document.querySelector('[data-column=full_name]')`;
    const before = await page.evaluate<number>(`${head}.offsetWidth`);
    // The edge of the name lies to the left of it; what is dragged further left is wider.
    await page.drag('[data-column=full_name] > span', '[data-column=company_id] button');
    await page.until(`${head}.offsetWidth > ${before}`);
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('keeps names of either direction apart from what is around them', async () => {
    const { page } = stage;
    await stage.go('/r/contacts');
    await page.until(`document.querySelectorAll('[role=row][data-id]').length > 5`);
    const bare = await page.evaluate<string[]>(`[...document.querySelectorAll('[role=row][data-id] [role=gridcell]')]
      .filter((cell) => cell.innerText.trim() !== '' && !cell.querySelector('bdi, time, input') && !cell.querySelector('.faint'))
      .filter((cell) => getComputedStyle(cell.querySelector('a') ?? cell).unicodeBidi !== 'plaintext')
      .map((cell) => cell.outerHTML.slice(0, 160))`);
    expect(bare).toEqual([]);
  });

  it('moves nothing for who wants no motion', async () => {
    const moving = `[...document.querySelectorAll('*')].filter((element) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
      return (animationName !== 'none' && animationDuration !== '0s') || transitionDuration.split(', ').some((time) => time !== '0s');
    }).map((element) => element.outerHTML.slice(0, 120))`;
    expect(await ofEach('0', moving)).toEqual({});
  });

  it('says by lines what is chosen, where the reader has colours of their own', async () => {
    const { page } = stage;
    await stage.go('/r/contacts');
    await page.until(`document.querySelectorAll('[role=row][data-id]').length > 5`);
    await page.wish('forced-colors', 'active');
    await page.press('ArrowDown');
    await page.press(' ');
    const lines = (selector: string) => `getComputedStyle(document.querySelector('${selector}')).outlineStyle`;
    await page.until(`${lines('[role=row][aria-selected=true]')} === 'solid'`);
    expect(await page.evaluate(lines('nav [aria-current=page]'))).toBe('solid');
    await page.press('Control+k');
    await page.until(`document.querySelector('[role=option][data-active]')`);
    expect(await page.evaluate(lines('[role=option][data-active]'))).toBe('solid');
    await page.press('Escape');
    await page.look(1440, 900, 'light');
    stage.expectQuiet();
  });
});
