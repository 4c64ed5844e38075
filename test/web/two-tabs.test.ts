/** Two tabs of one person: what both change, what one undoes, and what stays of what is typed where one signs out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium, type Page } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]')`;
const soon = { timeout: 20_000 };

describe.skipIf(chromium === undefined)('two tabs (need Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  let other: Page;
  let id = '';
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
    id = (await ada('POST', '/records/contacts', { first_name: 'Twice', last_name: 'Open', job_title: 'Before' })).json
      .id;
    other = await stage.page.openTab();
  });
  afterAll(async () => {
    await other?.close();
    await stage?.stop();
  });

  const open = async (page: Page, path: string) => {
    await page.look(1440, 900, 'light');
    await page.open(stage.kith.url + path);
    await page.until(`document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')`);
  };
  const both = async (path: string) => {
    for (const page of [stage.page, other]) await open(page, path);
  };
  const edit = async (page: Page, name: string, text: string) => {
    await page.until(`document.querySelector('section [data-field=${name}] dd button')`);
    await page.evaluate(`document.querySelector('section [data-field=${name}] dd button:last-of-type').focus()`);
    await page.press('Enter');
    await page.until(`document.activeElement.closest('[data-field=${name}]')?.querySelector('input')`);
    await page.press('Control+a');
    await page.type(text);
  };
  /** Opens the editor of the same cell in both. */
  const editCells = async () => {
    await both('/r/contacts?cols=full_name,job_title,linkedin_url&q=Twice');
    for (const one of [stage.page, other]) {
      await one.until(`${rows}.length === 1 && document.activeElement.role === 'grid'`);
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await one.press(key);
      await one.until(`document.activeElement.tagName === 'INPUT'`);
      await one.press('Control+a');
    }
  };
  const value = async (name: string) => (await ada('GET', `/records/contacts/${id}`)).json.record[name];
  const shows = (page: Page, text: string) =>
    page.until(`document.querySelector('section [data-field=job_title] dd')?.innerText.includes('${text}')`);
  const choice = (page: Page) => page.until(`document.querySelector('fieldset input[type=radio]:checked')`);
  /** A browser tells by itself of each request that was refused. */
  const expectCalm = () => {
    for (const page of [stage.page, other])
      expect(page.complaints.filter((text) => !/^Failed to load resource: .* status of 4\d\d/.test(text))).toEqual([]);
  };

  it('choose where both changed the same field, and merge different ones without a word', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/home');
    await both(`/r/contacts/${id}`);
    await edit(page, 'job_title', 'Of the first tab');
    await edit(other, 'job_title', 'Of the second tab');
    await other.press('Enter');
    await expect.poll(() => value('job_title'), soon).toBe('Of the second tab');
    await page.press('Enter');
    await choice(page);
    const told = await page.evaluate<string>(`document.querySelector('fieldset').innerText`);
    expect(told).toContain('Of the first tab');
    expect(told).toContain('Of the second tab');
    await page.press('Enter');
    await expect.poll(() => value('job_title'), soon).toBe('Of the first tab');
    await shows(other, 'Of the first tab');

    await edit(page, 'job_title', 'Merged');
    await edit(other, 'linkedin_url', 'https://linkedin.example/twice');
    await other.press('Enter');
    await expect.poll(() => value('linkedin_url'), soon).toBe('https://linkedin.example/twice');
    await page.press('Enter');
    await expect.poll(() => value('job_title'), soon).toBe('Merged');
    expect(await page.evaluate(`document.querySelector('fieldset input[type=radio]') === null`)).toBe(true);
    expect(await value('linkedin_url')).toBe('https://linkedin.example/twice');
    await shows(other, 'Merged');
    expectCalm();
  });

  it('choose in the cells of a table, too', async () => {
    const { page } = stage;
    await editCells();
    await page.type('Cell of the first');
    await other.type('Cell of the second');
    await other.press('Enter');
    await expect.poll(() => value('job_title'), soon).toBe('Cell of the second');
    // What the first tab shows of a later change tells that it knows of the earlier one.
    await ada('PUT', `/records/contacts/${id}`, { linkedin_url: 'https://later.example' });
    await page.until(`${rows}[0].innerText.includes('later.example')`);
    await page.press('Enter');
    await choice(page);
    await stage.expectAccessible();
    await page.press('Escape');
    await page.until(`!document.querySelector('fieldset') && ${rows}[0].innerText.includes('Cell of the second')`);
    expect(await value('job_title')).toBe('Cell of the second');
    expectCalm();
  });

  it('choose in cells also where both save at once, and not about their own changes', async () => {
    const { page } = stage;
    await editCells();
    await page.type('At once, the first');
    await other.type('At once, the second');
    await Promise.all([page.press('Enter'), other.press('Enter')]);
    const asked = `document.querySelector('fieldset input[type=radio]:checked')`;
    const ofFirst = await Promise.any([choice(page).then(() => true), choice(other).then(() => false)]);
    const [loser, winner] = ofFirst ? [page, other] : [other, page];
    const [mine, theirs] = ofFirst ? ['first', 'second'] : ['second', 'first'];
    expect(await winner.evaluate(`${asked} === null`)).toBe(true);
    expect(await value('job_title')).toBe(`At once, the ${theirs}`);
    await loser.press('Enter');
    await expect.poll(() => value('job_title'), soon).toBe(`At once, the ${mine}`);

    // One's own change of a moment ago is no other's.
    await loser.until(`!document.querySelector('fieldset') && document.activeElement.role === 'grid'`);
    for (const text of ['Once', 'Twice']) {
      await loser.press('Enter');
      await loser.until(`document.activeElement.tagName === 'INPUT'`);
      await loser.press('Control+a');
      await loser.type(text);
      await loser.press('Enter');
      await loser.until(`document.activeElement.role === 'grid'`);
    }
    await expect.poll(() => value('job_title'), soon).toBe('Twice');
    expect(await loser.evaluate(`${asked} === null`)).toBe(true);
    await loser.press('Control+z');
    await expect.poll(() => value('job_title'), soon).toBe('Once');
    await ada('PUT', `/records/contacts/${id}`, { job_title: 'Cell of the second' });
    expectCalm();
  });

  it('see what the other one undid', async () => {
    const { page } = stage;
    await both(`/r/contacts/${id}`);
    await edit(other, 'job_title', 'Undone in a moment');
    await other.press('Enter');
    await shows(page, 'Undone in a moment');
    await other.press('Control+z');
    await shows(page, 'Cell of the second');
    await shows(other, 'Cell of the second');
    expect(await value('job_title')).toBe('Cell of the second');
    expectCalm();
  });

  it('learn by themselves that their person has signed out, and keep what is typed', async () => {
    const { page } = stage;
    const third = await page.openTab();
    await both(`/r/contacts/${id}`);
    await open(third, '/tasks');
    await edit(page, 'job_title', 'Typed in the first');
    await other.press('n');
    await other.until(`document.activeElement.tagName === 'TEXTAREA'`);
    await other.type('Typed in the second');
    await third.open(stage.kith.url);
    await third.evaluate(`setTimeout(() => document.querySelector('form[action="/signout"]').requestSubmit())`);
    for (const one of [page, other]) await one.until(`document.body.innerText.includes('You are signed out.')`);
    expect(await page.evaluate(`document.querySelector('[data-field=job_title] input').value`)).toBe(
      'Typed in the first',
    );
    expect(await other.evaluate(`document.querySelector('main textarea').value`)).toBe('Typed in the second');
    await third.open(stage.kith.url);
    await third.evaluate(`setTimeout(() => [...document.querySelectorAll('form.card')]
      .find((card) => card.querySelector('h2').textContent.startsWith('Ada')).requestSubmit())`);
    await page.press('Enter');
    await expect.poll(() => value('job_title'), { timeout: 40_000 }).toBe('Typed in the first');
    for (const one of [page, other]) await one.until(`!document.body.innerText.includes('You are signed out.')`);
    await third.close();
    expectCalm();
  });
});
