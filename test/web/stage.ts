/** The web application in a real browser, on a demo whose people come in by one click. */
import axe from 'axe-core';
import { expect } from 'vitest';
import { openPage, type Page } from '../support/browser.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { filledDemo, untilFilled } from './filled-demo.ts';

/** Ada is an admin, Diego sees his own deals, Hana is a partner who sees no amounts. */
export type Person = 'Ada' | 'Diego' | 'Hana';

export interface Stage {
  readonly kith: TestKith;
  readonly page: Page;
  /** Comes in as this person, and opens a page of the application. */
  enter(person: Person, path: string): Promise<void>;
  /** Opens another address of it, as if it were typed. */
  go(path: string): Promise<void>;
  /** Presses keys one after the other, as `Page.press` calls them. */
  keys(...pressed: readonly string[]): Promise<void>;
  /** Waits for the text on the page. */
  sees(text: string): Promise<void>;
  /** Expects nothing wrong with the page as it is, in light and dark. */
  expectAccessible(): Promise<void>;
  /** Expects that the page complained of nothing, and asked nobody else. */
  expectQuiet(): void;
  stop(): Promise<void>;
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Comes in as this person in a browser. */
export async function comeIn(page: Page, url: string, person: Person): Promise<void> {
  await page.look(1440, 900, 'light');
  await page.open(url);
  const isIn = () => page.evaluate(`document.body.innerText.includes('You look as ${person}')`).catch(() => false);
  if (await isIn()) return;
  await page.evaluate(`setTimeout(() => [...document.querySelectorAll('form.card')]
    .find((card) => card.querySelector('h2').textContent.startsWith('${person}')).requestSubmit())`);
  await expect.poll(isIn, { timeout: 30_000 }).toBe(true);
}

/** Starts a service with the whole demo, under these settings as well, and a browser. */
export async function openStage(program: string, settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const kith = await startKith({ KITH_DEMO: 'on', KITH_JOBS: 'on', ...settings }, await filledDemo());
  // What is counted changes by the test alone.
  await untilFilled(kith);
  const page = await openPage(program);
  const go = async (path: string) => {
    await page.open(kith.url + path);
    await page.until(`document.querySelector('#main')`);
  };
  return {
    kith,
    page,
    go,
    async enter(person, path) {
      await comeIn(page, kith.url, person);
      await go(path);
    },
    async keys(...pressed) {
      for (const key of pressed) await page.press(key);
    },
    async sees(text) {
      await page.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
    },
    async expectAccessible() {
      await page.evaluate(axe.source);
      for (const scheme of ['light', 'dark'] as const) {
        await page.look(1440, 900, scheme);
        const found = await page.evaluate<
          string[]
        >(`axe.run(document, { runOnly: ${JSON.stringify(tags)}, resultTypes: ['violations'] })
          .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200))))`);
        expect(found, scheme).toEqual([]);
      }
      await page.look(1440, 900, 'light');
    },
    expectQuiet() {
      // A browser tells by itself of each request that was refused; that the service failed is another thing.
      const told = page.complaints.filter((text) => !/^Failed to load resource: .* status of 4\d\d/.test(text));
      expect(told).toEqual([]);
      expect(page.requests.filter((url) => !url.startsWith(kith.url) && !/^(about|blob|data):/.test(url))).toEqual([]);
    },
    async stop() {
      await page.close();
      await kith.stop();
    },
  };
}
