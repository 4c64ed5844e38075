/** What others do appears by itself: changed rows in place, new ones when they are asked for, so that nothing jumps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const names = `[...document.querySelectorAll('[role=row][data-id] a')].map((link) => link.innerText)`;
const filter = { type: 'AND', conditions: [{ field: 'last_name', operator: 'starts_with', value: 'Zyx' }] };
const path = `/r/contacts?cols=full_name,job_title,city&sort=full_name&f=${encodeURIComponent(JSON.stringify(filter))}`;

describe.skipIf(chromium === undefined)('what others do (needs Chromium)', () => {
  let stage: Stage;
  let diego: Awaited<ReturnType<typeof beside>>;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    diego = await beside(stage.kith.url, 'Diego');
  });
  afterAll(() => stage?.stop());

  const made = async (first: string, last: string): Promise<string> => {
    const { status, json } = await diego('POST', '/records/contacts', { first_name: first, last_name: last });
    expect(status).toBe(200);
    return json.id;
  };
  const shows = (...all: string[]) => stage.page.until(`JSON.stringify(${names}) === '${JSON.stringify(all)}'`);

  it('fills a list that was empty, and has further ones wait for a click', async () => {
    const { page } = stage;
    await stage.enter('Ada', path);
    await stage.sees('No contacts match.');
    // The page listens only when it stands: it is told also of what came since it began to load.
    await made('Berta', 'Zyx');
    await shows('Berta Zyx');
    await made('Anna', 'Zyx');
    await made('Nobody', 'Else');
    await made('Cleo', 'Zyx');
    await stage.sees('2 new');
    expect(await page.evaluate(names)).toEqual(['Berta Zyx']);
    await stage.expectAccessible();
    await page.evaluate(
      `[...document.querySelectorAll('button')].find(({ innerText }) => innerText === '2 new').click()`,
    );
    await shows('Anna Zyx', 'Berta Zyx', 'Cleo Zyx');
    expect(await page.evaluate(`document.body.innerText.includes(' new')`)).toBe(false);
    stage.expectQuiet();
  });

  it('changes the row under the cursor in place, and keeps what is typed in it', async () => {
    const { page } = stage;
    const row = (name: string) =>
      `[...document.querySelectorAll('[role=row][data-id]')].find((one) => one.innerText.includes('${name}'))`;
    const berta = await page.evaluate<string>(`${row('Berta')}.dataset.id`);
    await page.evaluate(`document.querySelector('[role=grid]').focus()`);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.press(key);
    await page.until(`${row('Berta')}.contains(document.activeElement) && document.activeElement.tagName === 'INPUT'`);
    await page.type('Smith');
    const answer = await diego('PUT', `/records/contacts/${berta}`, { first_name: 'Bertha' });
    expect(answer.status).toBe(200);
    await page.until(`${row('Bertha')} && ${row('Bertha')}.dataset.fresh !== undefined`);
    expect(await page.evaluate(`document.activeElement.value`)).toBe('Smith');
    await page.press('Enter');
    await page.until(
      `document.getElementById('cell-${berta}-job_title').innerText === 'Smith' && document.activeElement.role === 'grid'`,
    );
    expect(await page.evaluate(`document.querySelector('[role=grid]').getAttribute('aria-activedescendant')`)).toBe(
      `cell-${berta}-job_title`,
    );
    await expect
      .poll(async () => {
        const { json } = await diego('GET', `/records/contacts/${berta}`);
        return [json.record?.first_name, json.record?.job_title];
      })
      .toEqual(['Bertha', 'Smith']);
    stage.expectQuiet();
  });

  it('takes away what is deleted elsewhere; the cursor stays where it was', async () => {
    const { page } = stage;
    const id = await page.evaluate<string>(
      `[...document.querySelectorAll('[role=row][data-id]')].find((one) => one.innerText.includes('Anna')).dataset.id`,
    );
    const elsewhere = await beside(stage.kith.url, 'Ada');
    expect((await elsewhere('DELETE', `/records/contacts/${id}`)).status).toBe(200);
    await shows('Bertha Zyx', 'Cleo Zyx');
    expect(await page.evaluate(`document.querySelector('[role=row][data-current]').innerText`)).toContain('Bertha');
    stage.expectQuiet();
  });

  it('is told to every tab, also when the one that listens goes', async () => {
    const { page } = stage;
    const other = await page.openTab();
    await other.look(1440, 900, 'light');
    await other.open(stage.kith.url + path);
    await other.until(`${names}.length === 2`);
    await made('Dora', 'Zyx');
    const isNew = (count: number) =>
      other.until(`[...document.querySelectorAll('button')].some(({ innerText }) => innerText === '${count} new')`);
    await isNew(1);
    await page.open('about:blank');
    await made('Edna', 'Zyx');
    await isNew(2);
    expect(other.complaints).toEqual([]);
    await other.close();
  });
});
