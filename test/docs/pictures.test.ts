/** The pictures of the pages, taken anew of a whole demo where the documents are written anew. */
import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { demoCounts } from '../demo/demo-counts.ts';
import { chromium, openPage, type Page } from '../support/browser.ts';
import { startKith } from '../support/kith.ts';

const folder = 'docs/pictures';

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly as?: string;
  readonly scheme?: 'light' | 'dark';
  readonly size?: readonly [width: number, height: number];
}

/** In this order: who came in stays in. */
const shots: readonly Shot[] = [
  { name: 'first', path: '/' },
  { name: 'home', path: '/', as: 'Diego', scheme: 'dark', size: [1280, 1000] },
  { name: 'tokens', path: '/settings/tokens', as: 'Ada' },
  { name: 'roles', path: '/settings/roles', size: [1280, 1100] },
  { name: 'phone', path: '/settings/people', scheme: 'dark', size: [390, 844] },
];

async function take(page: Page, url: string, { name, path, as, scheme = 'light', size = [1280, 800] }: Shot) {
  await page.look(...size, scheme);
  if (as !== undefined) {
    await page.open(`${url}/`);
    const button = `[...document.querySelectorAll('button')].find((one) => one.textContent.endsWith(' ${as}'))`;
    await page.evaluate(`setTimeout(() => ${button}.click())`);
    const isIn = () => page.evaluate(`document.body.innerText.includes('You look as ${as}')`).catch(() => false);
    await expect.poll(isIn, { timeout: 20_000 }).toBe(true);
  }
  await page.open(url + path);
  await page.evaluate('document.fonts.ready.then(() => true)');
  writeFileSync(`${folder}/${name}.webp`, await page.screenshot('webp'));
}

async function takeAll(program: string) {
  const kith = await startKith({ KITH_DEMO: 'on', PORT: '3000' });
  const page = await openPage(program);
  try {
    const unfilled = async () => (await demoCounts(kith.database.database)).unfilled;
    await expect.poll(unfilled, { timeout: 500_000, interval: 1_000 }).toBe(0);
    for (const shot of shots) await take(page, kith.url, shot);
  } finally {
    await page.close();
    await kith.stop();
  }
}

it('the pictures are there, and small together', { timeout: 600_000 }, async () => {
  mkdirSync(folder, { recursive: true });
  if (process.env['KITH_WRITE_DOCS'] === '1' && chromium !== undefined) await takeAll(chromium);
  const files = globSync(`${folder}/*`);
  expect(files.toSorted()).toEqual(shots.map(({ name }) => `${folder}/${name}.webp`).toSorted());
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(600_000);
});
