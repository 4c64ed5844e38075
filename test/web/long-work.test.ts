/** Work of many records: seen and stopped from every page, undone while it goes on, and told of when it is over. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { beside } from './beside.ts';
import { chromium, openPage, type Page } from '../support/browser.ts';
import { comeIn, openStage, type Stage } from './stage.ts';

const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]').length`;
const going = `document.querySelector('nav section[aria-label="Under way"]')`;
const done = `Number(${going}?.querySelector('progress').value ?? 0)`;

describe.skipIf(chromium === undefined)('long work (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  let other: Page | undefined;
  afterAll(async () => {
    await other?.close();
    await stage?.stop();
  });

  /** Keeps the contacts locked in this way until they are let go. */
  const locked = async (lock: (contacts: Sql) => Sql) => {
    const { deps, database } = stage.kith;
    const demo = await deps.directory.demo();
    if (!demo) throw new Error('There is no demo');
    const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.database.transaction(demo.id, async (tx) => {
      await tx.run(statement(lock(identifier(demo.schema, 'contacts'))));
      isHeld.resolve();
      await release.promise;
    });
    await isHeld.promise;
    return async () => (release.resolve(), await holding);
  };
  /** Has every job wait at this contact, counted from the last one, until it is let go. */
  const held = (fromTheLast = 0) =>
    locked(
      (contacts) =>
        sql`select id from ${contacts} where deleted_at is null order by id desc limit 1 offset ${fromTheLast} for update`,
    );
  /**
   * Has the job that waits at a row wait for the table instead: the stream of changes waits for whoever locks rows.
   */
  const halted = async (release: () => Promise<void>) => {
    const halting = locked((contacts) => sql`lock table ${contacts} in share mode`);
    const { deps, database } = stage.kith;
    const demo = await deps.directory.demo();
    const asked = sql`select from pg_locks where mode = 'ShareLock'
      and relation = ${`${demo?.schema}.contacts`}::regclass`;
    await expect
      .poll(async () => (await database.database.run(demo?.id ?? '', statement(asked))).rows.length, {
        timeout: 30_000,
      })
      .toBe(1);
    await release();
    return halting;
  };
  const titled = async (title: string): Promise<number> => {
    const filters = { type: 'AND', conditions: [{ field: 'job_title', operator: 'equals', value: title }] };
    const ask = await beside(stage.kith.url, 'Ada');
    return (await ask('GET', `/records/contacts?limit=1&filters=${encodeURIComponent(JSON.stringify(filters))}`)).json
      .total;
  };
  /** Gives all contacts this title, and how many there are. */
  const giveAll = async (title: string): Promise<number> => {
    const { page } = stage;
    await stage.enter('Ada', '/r/contacts?cols=full_name,job_title');
    await page.until(`${rows} > 28 && document.activeElement.role === 'grid'`);
    const total = await page.evaluate<number>(`Number(document.querySelector('[role=grid]').ariaRowCount) - 1`);
    await stage.keys('Control+a', 'Control+a', 'e');
    await page.until(`document.activeElement.role === 'combobox'`);
    await page.type('Job title');
    await stage.keys('Enter');
    await page.until(`document.querySelector('[role=dialog] input:not([role=combobox])') === document.activeElement`);
    await page.type(title);
    await stage.keys('Enter');
    return total;
  };

  /** Another browser of Ada's, which listens. */
  const openElsewhere = async (): Promise<Page> => {
    other ??= await openPage(chromium ?? '');
    await comeIn(other, stage.kith.url, 'Ada');
    const from = other.requests.length;
    await other.open(`${stage.kith.url}/tasks`);
    const hasAsked = (path: string) => other?.requests.slice(from).some((url) => url.includes(path));
    for (const path of ['/jobs?', '/events/stream'])
      await expect.poll(() => hasAsked(path), { timeout: 20_000 }).toBe(true);
    return other;
  };

  it('stands at the foot of the side bar on every page, after a reload too, and is stopped there', async () => {
    const { page } = stage;
    const release = await held();
    const total = await giveAll('Halfway there');
    await page.until(`${done} >= 1000`);
    await stage.expectAccessible();
    await stage.keys('g', 't');
    await page.until(`location.pathname === '/tasks' && ${done} >= 1000`);
    await stage.go('/settings/you');
    await page.until(
      `${going}?.innerText.includes('Changing contacts') && /[1-9]\\d %/.test(${going}.innerText.replace('%', ' %'))`,
    );
    for (const [width, height] of [
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.look(width, height, 'light');
      await page.until(`(() => {
        const box = ${going}.querySelector('button').getBoundingClientRect();
        return box.width > 20 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
      })()`);
    }
    await page.look(1440, 900, 'light');
    await page.click('nav section[aria-label="Under way"] button');
    await page.until(`!${going}`);
    await stage.sees('Stopped: ');
    await release();
    const changed = await titled('Halfway there');
    expect(changed).toBeGreaterThanOrEqual(1_000);
    expect(changed).toBeLessThan(total);
    await page.evaluate(
      `[...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Show').click()`,
    );
    await page.until(`location.pathname.startsWith('/agents/')`);
    await stage.sees('Job title');
    stage.expectQuiet();
  });

  it('is undone while it goes on: it stops, and all is as it was', async () => {
    const { page } = stage;
    const release = await held();
    await giveAll('Never mind');
    await page.until(`${done} >= 1000`);
    await stage.keys('Control+z');
    await stage.sees('Undone: ');
    await page.until(`!${going}`);
    await release();
    expect(await titled('Never mind')).toBe(0);
    stage.expectQuiet();
  });

  it('is told of when it is over, on whatever page, once', async () => {
    const { page } = stage;
    const release = await held();
    const total = await giveAll('All of them');
    await page.until(`${done} >= 1000`);
    await stage.go('/calendar');
    await page.until(`${done} >= 1000`);
    await release();
    await stage.sees(`${total.toLocaleString('en')} records changed.`);
    await page.until(`!${going}`);
    expect(await titled('All of them')).toBe(total);
    await stage.go('/tasks');
    await page.until(`document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')`);
    expect(await page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('kith-long-work'))`)).toEqual(
      [],
    );
    stage.expectQuiet();
  });

  it('is told of to whoever left before it was over and comes back, and to nobody else in the same browser', async () => {
    const { page, kith } = stage;
    const release = await held();
    const total = await giveAll('Behind my back');
    await page.until(`${done} >= 1000`);
    await page.open('about:blank');
    await release();
    const ada = await beside(kith.url, 'Ada');
    await expect.poll(async () => (await ada('GET', '/jobs')).json.total, { timeout: 30_000 }).toBe(0);
    const looked = () => page.until(`performance.getEntriesByName('${kith.url}/api/v1/jobs?limit=100').length > 0`);
    await stage.enter('Diego', '/tasks');
    await looked();
    expect(await page.evaluate(`document.body.innerText.includes('records changed')`)).toBe(false);
    await stage.enter('Ada', '/calendar');
    await stage.sees(`${total.toLocaleString('en')} records changed.`);
    stage.expectQuiet();
  });

  it('is seen, and its end is told, in another browser of the same person, which asks only while it goes on', async () => {
    const { page, kith } = stage;
    const elsewhere = await openElsewhere();
    const asked = () => elsewhere.requests.filter((url) => url === `${kith.url}/api/v1/jobs?limit=100`).length;
    expect(asked()).toBe(1);
    const releaseRow = await held(1_000);
    const total = await giveAll('Seen from afar');
    await page.until(`${done} >= 1000`);
    const release = await halted(releaseRow);
    await elsewhere.until(`${done} >= 1000 && ${going}.innerText.includes('Changing contacts')`);
    await release();
    const end = `${total.toLocaleString('en')} records changed.`;
    for (const one of [page, elsewhere]) await one.until(`!${going} && document.body.innerText.includes('${end}')`);
    const before = asked();
    // A change of one record is no work that would be looked for.
    const ada = await beside(kith.url, 'Ada');
    const counted = () => elsewhere.requests.filter((url) => url.includes('/contacts?limit=1&fields=id')).length;
    const countedBefore = counted();
    await ada('POST', '/records/contacts', { first_name: 'Only', last_name: 'One' });
    await expect.poll(counted, { timeout: 20_000 }).toBeGreaterThan(countedBefore);
    expect(asked()).toBe(before);
    for (const one of [page, elsewhere])
      expect(await one.evaluate(`document.body.innerText.split('${end}').length`)).toBe(2);
    expect(elsewhere.complaints).toEqual([]);
    stage.expectQuiet();
  });

  it('is told of in another browser that learns of it only when it is over', async () => {
    const { page } = stage;
    const elsewhere = await openElsewhere();
    await elsewhere.evaluate(`(() => {
      const ask = window.fetch;
      const held = new Promise((resolve) => (window.letGo = resolve));
      window.fetch = async (...given) => {
        if (String(given[0]?.url ?? given[0]).includes('/jobs?')) await held;
        return ask(...given);
      };
    })()`);
    const total = await giveAll('Over before that');
    const end = `${total.toLocaleString('en')} records changed.`;
    await page.until(`document.body.innerText.includes('${end}')`);
    await elsewhere.evaluate(`window.letGo()`);
    await elsewhere.until(`document.body.innerText.includes('${end}')`);
    expect(elsewhere.complaints).toEqual([]);
    stage.expectQuiet();
  });

  it('is told of in other words where the service has forgotten it', async () => {
    const { page } = stage;
    const { workspaceUserId } = await page.evaluate<{ workspaceUserId: string }>(
      `fetch('/api/v1/me').then((answer) => answer.json())`,
    );
    const work = [{ kind: 'bulk', id: randomUUID() }];
    await page.evaluate(
      `localStorage.setItem('kith-long-work-${workspaceUserId}', ${JSON.stringify(JSON.stringify(work))})`,
    );
    await stage.go('/tasks');
    await stage.sees('A change of many records that you asked for is over.');
    await page.evaluate(
      `[...document.querySelectorAll('[role=status] button')].find(({ textContent }) => textContent === 'Show').click()`,
    );
    await page.until(`location.pathname === '/agents'`);
    stage.expectQuiet();
  });
});
