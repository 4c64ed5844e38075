/** What a page is going to need is asked for before its modules are there: once, for whoever it was asked for, and by its plain address alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { notesNextFrame } from './next-frame.ts';
import { openStage, type Stage } from './stage.ts';

const rows = /\/api\/v1\/records\/contacts\?fields=[^&]+&limit=100$/;
const isList = `document.querySelectorAll('[role=grid] [role=row][data-id]').length > 28`;
/** Notes what was asked for ahead before anything takes it. */
const noted = `Object.defineProperty(globalThis, 'kithAhead', {
  configurable: true,
  set(given) {
    globalThis.askedAhead = [...given.asked.keys()];
    globalThis.filesAhead = [...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href);
    Object.defineProperty(globalThis, 'kithAhead', { value: given });
  },
})`;

describe.skipIf(chromium === undefined)('what is asked ahead (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    await stage.page.onEachDocument(noted);
  });
  afterAll(() => stage?.stop());

  /** Opens the page and waits until it stands; gives what was asked for ahead, and how often the rows were. */
  const open = async (path: string, isThere = isList) => {
    const before = stage.page.requests.length;
    await stage.go(path);
    await stage.page.until(isThere);
    const ahead = await stage.page.evaluate<string[]>('askedAhead');
    const asked = stage.page.requests.slice(before).filter((url) => rows.test(url)).length;
    // It remembers, and has other pages' files come, when it stands.
    await stage.page.until(`document.querySelector('link[rel=prefetch]')`);
    return { ahead, asked };
  };

  it('asks for what the same address asked for before, once', async () => {
    await stage.enter('Ada', '/home');
    const first = await open('/r/contacts');
    expect(first.ahead.filter((path) => rows.test(path))).toEqual([]);
    const again = await open('/r/contacts');
    expect(again.ahead).toContain('/api/v1/me/permissions');
    expect(again.ahead.filter((path) => rows.test(path))).toHaveLength(1);
    expect(again.asked).toBe(1);
    stage.expectQuiet();
  });

  it('keeps nothing of what a search or a filter says', async () => {
    await open('/r/contacts?q=a');
    const again = await open('/r/contacts?q=a');
    expect(again.ahead).toContain('/api/v1/me/permissions');
    expect(again.ahead.filter((path) => path.includes('/records/'))).toEqual([]);
    expect(await stage.page.evaluate(`localStorage.getItem('kith-ahead').includes('search')`)).toBe(false);
  });

  it('loads the page of a record, so that one is opened in the next frame', async () => {
    const { page } = stage;
    await open('/r/contacts');
    // Then the router has its code.
    await page.until(`__TSR_ROUTER__.routesByPath['/r/$object/$id'].options.component.preload === undefined`);
    await page.press('ArrowDown');
    const name = await page.evaluate<string>(
      `document.getElementById(document.querySelector('[role=grid]').getAttribute('aria-activedescendant')).querySelector('a').innerText`,
    );
    const inNextFrame = await notesNextFrame(page, 'keydown', `document.querySelector('main h1')?.innerText`);
    await page.press('Enter');
    expect(await inNextFrame()).toBe(name);
  });

  it('asks nothing for somebody else', async () => {
    await stage.enter('Diego', '/notifications');
    expect(await stage.page.evaluate('askedAhead')).toEqual([]);
    const list = await open('/r/contacts', `document.querySelector('[role=grid] [role=row][data-id]')`);
    expect(list.ahead.filter((path) => rows.test(path))).toEqual([]);
    stage.expectQuiet();
  });

  it.each([
    ['/r/contacts', 'list-page'],
    ['/r/contacts/trash', 'trash-page'],
    ['/r/contacts/00000000-0000-4000-8000-000000000000', 'record-page'],
    ['/inbox/00000000-0000-4000-8000-000000000000', 'inbox-page'],
    ['/dashboards', 'dashboards-page'],
    ['/settings/tokens', 'settings-page'],
  ])('has the module of %s on its way', async (path, name) => {
    await stage.go(path);
    const files = await stage.page.evaluate<string[]>('filesAhead');
    const pages = files.flatMap((file) => /assets\/([a-z-]+-page)-[^/]+$/.exec(file)?.[1] ?? []);
    expect(pages).toEqual([name]);
  });

  it('has the files of all pages in the browser when there is time', async () => {
    const files = `performance.getEntriesByType('resource').map(({ name }) => name)`;
    await stage.page.until(`${files}.some((name) => name.includes('/assets/calendar-page'))`);
    stage.expectQuiet();
  });
});
