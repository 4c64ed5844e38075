/**
 * What the browser alone needs for what the budgets name: the list as a finished page of one file, and its rows put in place by a line
 * of script. No application on the same machine can be quicker.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { opened, timed } from './page-clock.ts';
import { grid, toList, type Budget, type Given } from './web-feelings.ts';

/** The page that is shown, with its styles, without its scripts and without rows that are out of sight. */
const finished = `(() => {
  const box = ${grid}.getBoundingClientRect();
  const styles = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
  const page = document.documentElement.cloneNode(true);
  for (const one of page.querySelectorAll('script, link, meta[http-equiv]')) one.remove();
  page.querySelector('head').append(Object.assign(document.createElement('style'), { textContent: styles.join('\\n') }));
  for (const row of document.querySelectorAll('[role=row][data-id]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom < box.top || top > box.bottom) page.querySelector('#' + row.id).remove();
  }
  return '<!doctype html>' + page.outerHTML;
})()`;

/** Puts the rows of another list in the place of those that are there, and marks the next row. */
const acts = `addEventListener('keydown', ({ key }) => {
  const rows = [...document.querySelectorAll('[role=row][data-id]')];
  if (key === 'ArrowDown') {
    const at = rows.findIndex((row) => row.dataset.current !== undefined);
    rows[at]?.removeAttribute('data-current');
    rows[at + 1].setAttribute('data-current', '');
  } else {
    rows[0].parentElement.innerHTML = others[done++ % 2];
  }
  globalThis.acted = (globalThis.acted ?? 0) + 1;
})`;

/** The floor of the budgets for the first list, for letters of a search and for keys. */
export async function floor(given: Given): Promise<Budget[]> {
  const { page, rounds } = given;
  const pages: string[] = [];
  for (const address of ['/r/contacts', '/r/contacts?sort=last_name']) {
    await toList(given, address);
    pages.push(await page.evaluate(finished));
  }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(pages[request.url === '/other' ? 1 : 0]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const rowsOf = `document.querySelector('[role=row][data-id]').parentElement.innerHTML`;
    await page.open(`${url}/other`);
    const other = await page.evaluate<string>(rowsOf);
    const first: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.open('about:blank');
      first.push(await opened(page, url, `document.querySelector('[role=row][data-id]')`));
    }
    const own = await page.evaluate<string>(rowsOf);
    await page.evaluate(`void (globalThis.others = ${JSON.stringify([other, own])}, globalThis.done = 0); ${acts}`);
    const [replaced, marked] = [await keyed(given, 'x'), await keyed(given, 'ArrowDown')];
    return [
      { name: 'floor: first list, a finished page', budget: 300, samples: first },
      { name: 'floor: all rows in sight replaced', budget: 120, samples: replaced },
      { name: 'floor: next row marked', budget: 50, samples: marked },
    ];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function keyed({ page, rounds }: Given, key: string): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await page.evaluate(`void (globalThis.acted = 0)`);
    samples.push(...(await timed(page, 'keydown', ['globalThis.acted === 1'], () => page.press(key))));
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 300))`);
  }
  return samples;
}
