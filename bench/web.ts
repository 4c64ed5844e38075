/**
 * `node bench/web.ts`: how the web application feels at 10,000 contacts, in Chromium with its processor slowed down.
 * README.md says how to read the table.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, openPage, type Page } from '../test/support/browser.ts';
import { fill, fillWork, startKith } from './kith-service.ts';
import { keepTime } from './page-clock.ts';
import { withPostgres } from './postgres.ts';
import { feelings, type Budget } from './web-feelings.ts';
import { floor } from './web-floor.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '7' },
    slow: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    port: { type: 'string', default: '7991' },
  },
});

/** Comes in by the link of a mail, as people do; without a mail server it is a file. */
async function signIn(page: Page, url: string, dataDir: string): Promise<void> {
  await fetch(`${url}/api/auth/magic-link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@kith.test' }),
  });
  const folder = path.join(dataDir, 'mail');
  const end = Date.now() + 30_000;
  let link: string | undefined;
  while (link === undefined && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    link = mailsIn(folder)
      .map((mail) => /http:\/\/\S+token\S*/.exec(mail)?.[0])
      .find((found) => found !== undefined);
  }
  if (link === undefined) throw new Error('No mail with a link came');
  await page.open(url + link.replace(/^http:\/\/[^/]+/, ''));
  await page.evaluate(`setTimeout(() => document.querySelector('form[method=post]').requestSubmit())`);
  const isIn = () => page.evaluate(`document.querySelector('[action="/signout"]') !== null`).catch(() => false);
  while (!(await isIn())) if (Date.now() > end) throw new Error('The link let nobody in');
}

/** Mails in files break their lines with `=`. */
function mailsIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) =>
      readFileSync(path.join(folder, name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '='),
    );
  } catch {
    return [];
  }
}

function row({ name, budget, samples, told }: Budget): string {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? Number.NaN;
  const worst = sorted.at(-1) ?? Number.NaN;
  const verdict = middle > budget ? 'over' : worst > budget ? 'at worst over' : 'within';
  return `| ${name} | ${budget} | ${Math.round(middle)} | ${Math.round(worst)} | ${verdict}${told ? `; ${told}` : ''} |`;
}

if (chromium === undefined) throw new Error('There is no Chromium on this machine');
const program = chromium;
await withPostgres(async ({ url: databaseUrl, directory }) => {
  const kith = await startKith(databaseUrl, directory, Number(options.port));
  const page = await openPage(program);
  try {
    const { contacts } = await fill(kith, Number(options.contacts));
    await fillWork(kith, directory, contacts.length);
    const url = `http://127.0.0.1:${kith.port}`;
    await keepTime(page);
    await page.look(1440, 900, 'light');
    await signIn(page, url, directory);
    await page.slow(Number(options.slow));
    console.log(`${options.contacts} contacts, ${options.rounds} rounds, processor ${options.slow} times slower\n`);
    console.log('| | budget ms | median | worst | |\n|---|---|---|---|---|');
    for (const [name, feel] of Object.entries({ ...feelings, floor })) {
      if (!name.includes(options.only)) continue;
      for (const budget of await feel({ page, url, rounds: Number(options.rounds), slow: Number(options.slow) }))
        console.log(row(budget));
    }
    if (page.complaints.length > 0) console.log('\nThe page complained:', page.complaints);
  } finally {
    await page.close();
    await kith.stop();
  }
});
