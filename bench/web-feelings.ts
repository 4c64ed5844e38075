/** What people do with the application, and how long each may take: the budgets of its design. */
import type { Page } from '../test/support/browser.ts';
import { filmed, opened, timed } from './page-clock.ts';

export interface Budget {
  readonly name: string;
  readonly budget: number;
  readonly samples: readonly number[];
  readonly told?: string;
}

export interface Given {
  readonly page: Page;
  readonly url: string;
  readonly rounds: number;
  /** How many times slower the processor is. */
  readonly slow: number;
}

/** The table. */
export const grid = `document.querySelector('[role=grid]')`;
const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]')`;
const total = `Number(${grid}?.ariaRowCount)`;
const isList = `${rows}.length > 28`;
const active = `${grid}.getAttribute('aria-activedescendant')`;
/** Whether a part of what is looked at has no row that is known. */
const isBlank = `(() => {
  const box = ${grid}.getBoundingClientRect();
  return [box.top + 40, (box.top + box.bottom) / 2, box.bottom - 12].some((y) =>
    !document.elementFromPoint(box.left + 60, y)?.closest('[role=row][data-id]'));
})()`;

/** Opens the list at this address, and waits until it is at rest with the focus in it. */
export async function toList({ page, url }: Given, address = '/r/contacts'): Promise<void> {
  await page.open(url + address);
  await page.until(isList);
  await page.evaluate(`${grid}.focus()`);
  await settled(page);
}

/** Waits until nothing is under way and two pictures have been shown. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let last = performance.getEntriesByType('resource').length, at = performance.now();
    const look = () => {
      const now = performance.getEntriesByType('resource').length;
      if (now !== last) [last, at] = [now, performance.now()];
      if (performance.now() - at > 400) resolve();
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

async function keyOver(given: Given, key: string, before: string, condition: string): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < given.rounds; round++) {
    await given.page.evaluate(`void (globalThis.was = ${before})`);
    samples.push(...(await timed(given.page, 'keydown', [condition], () => given.page.press(key))));
    await given.page.evaluate(`new Promise((resolve) => setTimeout(resolve, 120))`);
  }
  return samples;
}

async function keysOfTable(given: Given): Promise<Budget[]> {
  const { page } = given;
  await toList(given);
  await page.press('ArrowDown');
  const row = await keyOver(given, 'ArrowDown', active, `${active} !== was`);
  await page.press('ArrowRight');
  const cell = await keyOver(given, 'ArrowRight', active, `${active} !== was`);
  await page.press('Escape');
  const selected = `document.querySelectorAll('[role=row][aria-selected=true]').length`;
  const selection = await keyOver(given, ' ', selected, `${selected} !== was`);
  const more = await keyOver(given, 'Shift+ArrowDown', selected, `${selected} !== was`);
  await page.press('Escape');
  const pageDown = await keyOver(given, 'PageDown', active, `${active} !== was`);
  return [
    { name: 'key to paint: row', budget: 50, samples: row },
    { name: 'key to paint: row, a page on', budget: 50, samples: pageDown },
    { name: 'key to paint: cell', budget: 50, samples: cell },
    { name: 'key to paint: selection', budget: 50, samples: [...selection, ...more] },
  ];
}

async function keyWhileLoading(given: Given): Promise<Budget[]> {
  const { page } = given;
  const samples: number[] = [];
  for (let round = 0; round < given.rounds; round++) {
    await toList(given, `/r/contacts?sort=${round % 2 ? '' : '-'}last_name`);
    await page.press('ArrowDown');
    await page.evaluate(`void (globalThis.was = ${active}, ${grid}.scrollTop = 60 * 26)`);
    samples.push(...(await timed(page, 'keydown', [`${active} !== was`], () => page.press('ArrowDown'))));
  }
  return [{ name: 'key to paint: row, while a page loads', budget: 100, samples }];
}

async function palette(given: Given): Promise<Budget[]> {
  const { page } = given;
  await toList(given);
  const samples: number[] = [];
  for (let round = 0; round <= given.rounds; round++) {
    const isOpen = `document.activeElement?.closest('[role=dialog]') && document.querySelectorAll('[role=option]').length > 0`;
    samples.push(...(await timed(page, 'keydown', [isOpen], () => page.press('Control+k'))));
    await page.press('Escape');
    await page.until(`!document.querySelector('[role=dialog]')`);
    await settled(page);
  }
  const [cold = 0, ...warm] = samples;
  return [{ name: 'key to paint: palette', budget: 50, samples: warm, told: `${Math.round(cold)} the first time` }];
}

async function scrolling(given: Given): Promise<Budget[]> {
  const { page } = given;
  const longest: number[] = [];
  const blank: number[] = [];
  let [long, frames] = [0, 0];
  for (let round = 0; round < given.rounds; round++) {
    await toList(given);
    const film = await filmed(page, isBlank, async () => {
      await page.wheel('[role=grid]', 130, 60);
      await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 300))`);
    });
    longest.push(film.longestMs);
    blank.push(film.wrongMs);
    long += film.long;
    frames += film.frames;
  }
  return [
    { name: 'scroll: longest frame', budget: 32, samples: longest, told: `${long} of ${frames} frames over 32` },
    { name: 'scroll: rows not there', budget: 100, samples: blank },
  ];
}

async function firstList(given: Given): Promise<Budget[]> {
  const samples: number[] = [];
  for (let round = 0; round <= given.rounds; round++)
    samples.push(await opened(given.page, `${given.url}/r/contacts`, isList));
  const [cold = 0, ...warm] = samples;
  return [{ name: 'first list', budget: 300, samples: warm, told: `${Math.round(cold)} with nothing in the cache` }];
}

async function firstListAtFullSpeed(given: Given): Promise<Budget[]> {
  await given.page.slow(1);
  const [found] = await firstList(given);
  await given.page.slow(given.slow);
  return found ? [{ ...found, name: 'first list, at full speed' }] : [];
}

async function nextPage(given: Given): Promise<Budget[]> {
  const { page } = given;
  const samples: number[] = [];
  for (let round = 0; round < given.rounds; round++) {
    await toList(given);
    // Beyond what has come.
    const act = () => page.evaluate<void>(`void (${grid}.scrollTop = 110 * 26)`);
    samples.push(...(await timed(page, 'scroll', [`!${isBlank}`], act)));
  }
  return [{ name: 'next page of a list', budget: 100, samples }];
}

async function openRecord(given: Given): Promise<Budget[]> {
  const { page } = given;
  const named: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round <= given.rounds; round++) {
    await toList(given);
    for (let down = 0; down <= round + 1; down++) await page.press('ArrowDown');
    await settled(page);
    const name = await page.evaluate<string>(`document.getElementById(${active}).querySelector('a').innerText`);
    const isNamed = `document.querySelector('main h1')?.innerText === ${JSON.stringify(name)} && document.querySelectorAll('[data-field]').length > 4`;
    const isWhole = `${isNamed} && document.querySelector('#record-part li')`;
    const [first = 0, last = 0] = await timed(page, 'keydown', [isNamed, isWhole], () => page.press('Enter'));
    named.push(first);
    whole.push(last);
  }
  const [cold = 0] = named;
  return [
    {
      name: 'open record: name and known fields',
      budget: 50,
      samples: named.slice(1),
      told: `${Math.round(cold)} the first time`,
    },
    { name: 'open record: whole', budget: 200, samples: whole.slice(1) },
  ];
}

async function nextRecord(given: Given): Promise<Budget[]> {
  const { page } = given;
  await toList(given);
  await page.press('ArrowDown');
  await page.press('Enter');
  await page.until(`document.querySelector('#record-part li')`);
  const samples: number[] = [];
  for (let round = 0; round < given.rounds; round++) {
    await settled(page);
    await page.evaluate(`void (globalThis.was = location.pathname)`);
    const isNext = `location.pathname !== was && document.querySelector('main h1')?.innerText === document.title.replace(' · Kith', '') && document.querySelectorAll('[data-field]').length > 4`;
    samples.push(...(await timed(page, 'keydown', [isNext], () => page.press('Alt+ArrowDown'))));
  }
  return [{ name: 'next record: name and known fields', budget: 50, samples }];
}

async function filter(given: Given): Promise<Budget[]> {
  const { page } = given;
  const samples: number[] = [];
  for (let round = 0; round < given.rounds; round++) {
    await toList(given);
    await page.press('f');
    await page.until(`document.activeElement.role === 'combobox'`);
    await page.type('do not');
    await page.press('Enter');
    await page.until(`document.querySelectorAll('[role=option]').length === 2`);
    await settled(page);
    await page.evaluate(`void (globalThis.was = ${total})`);
    samples.push(...(await timed(page, 'keydown', [`${total} < was`], () => page.press('Enter'))));
  }
  return [{ name: 'filter to rows', budget: 200, samples }];
}

const words = ['mila', 'judi', 'priy', 'yusu'];

async function search(given: Given): Promise<Budget[]> {
  const { page } = given;
  const samples: number[] = [];
  for (const word of words) {
    await toList(given);
    await page.press('/');
    for (const [at, letter] of [...word].entries()) {
      const found =
        await page.evaluate<number>(`fetch('/api/v1/records/contacts?limit=1&fields=id&search=${word.slice(0, at + 1)}')
        .then((answer) => answer.json()).then(({ total }) => total)`);
      await settled(page);
      const isShown = `${total} - 1 === ${found}`;
      // A letter that changes nothing cannot be seen to be there.
      if (await page.evaluate(isShown)) await page.press(letter);
      else samples.push(...(await timed(page, 'keydown', [isShown], () => page.press(letter))));
    }
  }
  return [{ name: 'search, per letter', budget: 120, samples }];
}

async function drop(given: Given): Promise<Budget[]> {
  const { page, url } = given;
  const shown: number[] = [];
  const confirmed: number[] = [];
  await page.open(`${url}/r/opportunities?layout=board`);
  await page.until(`document.querySelectorAll('article').length > 5`);
  for (let round = 0; round < given.rounds; round++) {
    await settled(page);
    const card = await page.evaluate<string>(`document.querySelector('article').id`);
    const from = await page.evaluate<string>(
      `document.querySelector('article').closest('[data-column]').dataset.column`,
    );
    const to = await page.evaluate<string>(
      `[...document.querySelectorAll('[data-column]')].map((one) => one.dataset.column).find((key) => key !== '${from}')`,
    );
    const isShown = `document.getElementById('${card}')?.closest('[data-column]').dataset.column === '${to}'`;
    const toasts = `[...document.querySelectorAll('[role=status] p')].filter((one) => one.innerText.startsWith('Moved '))`;
    await page.evaluate(`void (globalThis.was = new Set(${toasts}))`);
    const isConfirmed = `${isShown} && ${toasts}.some((one) => !was.has(one))`;
    const [first = 0, last = 0] = await timed(page, 'pointerup', [isShown, isConfirmed], () =>
      page.drag(`#${card}`, `[data-column="${to}"] header`),
    );
    shown.push(first);
    confirmed.push(last);
  }
  return [
    { name: 'drop on board: shown', budget: 16, samples: shown },
    { name: 'drop on board: confirmed', budget: 200, samples: confirmed },
  ];
}

/** By what each is called on the command line. */
export const feelings: Readonly<Record<string, (given: Given) => Promise<Budget[]>>> = {
  keys: keysOfTable,
  loading: keyWhileLoading,
  palette,
  scroll: scrolling,
  first: firstList,
  quick: firstListAtFullSpeed,
  page: nextPage,
  record: openRecord,
  next: nextRecord,
  filter,
  search,
  drop,
};
