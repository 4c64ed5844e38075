/** Every page over an organization that is full of endless names, every script and hostile HTML: nothing of it runs, and nothing gives way. */
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingest } from '../api/conversations.ts';
import { account } from '../api/sending.ts';
import { chromium } from '../support/browser.ts';
import type { TestOrganization } from '../support/kith.ts';
import { beside } from './beside.ts';
import { fill, lines } from './hostile.ts';
import { openStage, type Stage } from './stage.ts';

const quiet = `document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')`;
const sizes = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;
const drawn = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;

/** What is wider than its place, by more than a border, where that neither scrolls nor ends in dots. Marks go where their font puts them. */
const spilling = `[...document.querySelectorAll('body *')].filter((element) => {
  if (element.clientWidth < 2 || element.clientHeight < 2 || element.scrollWidth <= element.clientWidth + 12) return false;
  if (element.matches('select, input, textarea, svg *, .unseen, .unseen *') || /\\u0489/.test(element.textContent)) return false;
  if (element.closest('[role=grid]') && !element.matches('[role=gridcell] *')) return false;
  const { overflowX, textOverflow } = getComputedStyle(element);
  return textOverflow !== 'ellipsis' && !/auto|scroll/.test(overflowX) && element.checkVisibility({ visibilityProperty: true });
}).map((element) => element.outerHTML.slice(0, 160) + ' ' + element.scrollWidth + ' in ' + element.clientWidth)`;

/** What is wrong with the page as it stands, in words. */
const wrong = `(() => {
  const told = ${spilling};
  const wide = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
  if (wide > innerWidth) told.push('the page is ' + wide + ' wide');
  const heights = [...new Set([...document.querySelectorAll('[role=row][data-id]')].map(({ offsetHeight }) => offsetHeight))];
  if (heights.length > 1 || ![undefined, 26, 52].includes(heights[0])) told.push('rows are high: ' + heights);
  if (window.broken !== undefined) told.push('a script ran: ' + window.broken);
  const made = document.querySelectorAll('.injected, img[src=x], main script').length;
  if (made > 0) told.push(made + ' elements were made of texts');
  return told;
})()`;

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const violations = `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ' ' + html.slice(0, 160))))`;

describe.skipIf(chromium === undefined)('hostile texts (need Chromium)', () => {
  let stage: Stage;
  let paths: readonly string[] = [];
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    const ada = await beside(stage.kith.url, 'Ada');
    ({ paths } = await fill(ada));
    const { organizationId } = (await ada('GET', '/me')).json;
    const user = 'ada@acme.example';
    const told = await ingest(stage.kith, { id: organizationId } as TestOrganization, [
      account(user, ['email'], { account_email: user }),
      ...lines(user),
    ]);
    if (told.errors.length > 0) throw new Error(JSON.stringify(told.errors));
    const { data } = (await ada('GET', '/inbox/threads?limit=10')).json;
    paths = [...paths, ...data.slice(0, 3).map(({ id }: { id: string }) => `/inbox/${id}`)];
  });
  afterAll(() => stage?.stop());

  it.each([0, 1, 2])('leave every page as it is, in windows of each size (part %i of three)', async (part) => {
    const { page } = stage;
    const found: Record<string, unknown> = {};
    await stage.enter('Ada', '/home');
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths.filter((_, at) => at % 3 === part)) {
      await page.look(1440, 900, 'light');
      await stage.go(path);
      await page.until(quiet);
      await page.evaluate(axe.source);
      const told = await page.evaluate<string[]>(violations);
      for (const [width, height] of sizes) {
        await page.look(width, height, 'light');
        await page.evaluate(drawn);
        told.push(...(await page.evaluate<string[]>(wrong)).map((what) => `${width}: ${what}`));
      }
      if (told.length > 0) found[path] = told.slice(0, 5);
    }
    await page.look(1440, 900, 'light');
    expect(found).toEqual({});
    stage.expectQuiet();
  });

  it('leave what is opened over a page as it is: the palette, two thousand options, a form, a filter', async () => {
    const { page } = stage;
    const expectFine = async (what: string) => {
      await page.evaluate(drawn);
      expect(await page.evaluate(wrong), what).toEqual([]);
      await page.evaluate(axe.source);
      expect(await page.evaluate(violations), what).toEqual([]);
    };
    await stage.enter('Ada', '/r/oddities?cols=title,kind,kinds');
    await page.until(`document.querySelectorAll('[role=row][data-id]').length > 5`);
    await page.press('Control+k');
    await page.until(`document.activeElement.closest('[role=dialog]')`);
    await page.type('window.broken');
    await page.until(`document.querySelectorAll('[role=dialog] [role=option]').length > 5`);
    await expectFine('the palette');
    await page.press('Escape');
    await page.until(`!document.querySelector('[role=dialog]')`);
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.press(key);
    await page.until(`document.activeElement.role === 'combobox'`);
    await expectFine('the options');
    await page.type('1999');
    await page.until(`document.querySelectorAll('[role=option]').length === 1`);
    await page.press('Escape');
    await page.press('c');
    await page.until(`document.querySelector('[role=dialog] [data-fields]')`);
    await expectFine('the form');
    // The first one leaves the field.
    await page.press('Escape');
    await page.press('Escape');
    await page.until(`!document.querySelector('[role=dialog]')`);
    await page.press('f');
    await page.until(`document.activeElement.role === 'combobox'`);
    await expectFine('the fields of a filter');
    await page.press('Enter');
    await page.evaluate(drawn);
    await expectFine('a filter');
    stage.expectQuiet();
  });
});
