/** Fields with 2,000 options, and a record that has all of them: chosen, filtered by, a board of them, and what a file names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caps } from '../../src/model/caps.ts';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const most = caps.optionsOfField;
const labelled = (name: string, at: number) => `${name} ${String(at).padStart(4, '0')}`;
const options = (name: string) =>
  Array.from({ length: most }, (_, at) => ({ value: `${name.toLowerCase()}${at}`, label: labelled(name, at) }));
/** Records whose options lie far apart: none of the first sixty but one. */
const [records, apart] = [40, 50];

const focus = `document.activeElement`;
const found = `document.querySelectorAll('[role=option]')`;
const marked = `document.getElementById(${focus}.getAttribute('aria-activedescendant'))`;
const column = (label: string) =>
  `[...document.querySelectorAll('[data-column]')].find((one) => one.ariaLabel.startsWith('${label},'))`;

describe.skipIf(chromium === undefined)('2,000 options (need Chromium)', () => {
  let stage: Stage;
  let whole = '';
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    const ada = await beside(stage.kith.url, 'Ada');
    const post = async (path: string, body: Record<string, unknown>) => {
      const { status, json } = await ada('POST', path, body);
      expect([200, 201], JSON.stringify(json)).toContain(status);
      return json;
    };
    await post('/manifest', {
      objects: [
        {
          name: 'parts',
          label: 'Parts',
          labelSingular: 'Part',
          displayField: 'title',
          fields: [
            { name: 'title', label: 'Title', type: 'TEXT' },
            { name: 'kind', label: 'Kind', type: 'SELECT', options: options('Kind') },
            { name: 'uses', label: 'Uses', type: 'MULTI_SELECT', options: options('Use') },
          ],
        },
      ],
    });
    for (let at = 0; at < records; at++)
      await post('/records/parts', { title: `Part ${at}`, kind: `kind${at * apart}`, uses: ['use0'] });
    whole = (await post('/records/parts', { title: 'Whole', uses: options('Use').map(({ value }) => value) })).id;
  });
  afterAll(() => stage?.stop());

  it('are as many as a field may have', async () => {
    const ada = await beside(stage.kith.url, 'Ada');
    const field = { name: 'kind', options: [...options('Kind'), { value: 'more' }] };
    const { status, json } = await ada('POST', '/manifest', { objects: [{ name: 'parts', fields: [field] }] });
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(`at most ${most} entries`)]);
  });

  it('are filtered by: the first ones are drawn, the others by typing or by going on', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/parts');
    await page.until(`document.querySelectorAll('[role=row][data-id]').length > 20 && ${focus}.role === 'grid'`);
    await page.press('f');
    await page.until(`${focus}.role === 'combobox'`);
    await page.type('Kind');
    await page.press('Enter');
    await page.until(`${marked}?.innerText === ${JSON.stringify(labelled('Kind', 0))}`);
    expect(await page.evaluate(`${found}.length`)).toBe(100);
    await stage.sees('1,900 more: type on');
    await stage.expectAccessible();
    await page.press('ArrowUp');
    await page.until(`${marked}?.innerText === ${JSON.stringify(labelled('Kind', 99))}`);
    await page.press('ArrowDown');
    await page.until(`${marked}?.innerText === ${JSON.stringify(labelled('Kind', 100))}`);
    expect(await page.evaluate(`[${marked}.ariaPosInSet, ${marked}.ariaSetSize, String(${found}.length)]`)).toEqual([
      '101',
      '2000',
      '200',
    ]);
    await page.evaluate(`document.querySelector('[role=dialog] [role=listbox]').scrollTo({ top: 1e6 })`);
    await page.until(`${found}.length === 300`);
    await page.type('1950');
    await page.until(`${found}.length === 1`);
    await page.press('Enter');
    await page.until(`document.querySelectorAll('[role=row][data-id]').length === 1`);
    await stage.sees('Part 39');
    stage.expectQuiet();
  });

  it('are chosen in a cell and in a form, and taken out of a record that has them all', async () => {
    const { page } = stage;
    await stage.go('/r/parts?cols=title,kind,uses&sort=title');
    await page.until(`document.querySelectorAll('[role=row][data-id]').length > 20 && ${focus}.role === 'grid'`);
    await stage.keys('ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter');
    await page.until(`${focus}.role === 'combobox' && ${found}.length === 51`);
    await stage.sees('1,950 more: type on');
    await page.type('1999');
    await page.until(`${found}.length === 1`);
    await page.press('Enter');
    await page.until(`document.querySelector('[role=row][data-current]')?.innerText.includes('Kind 1999')`);
    await stage.go(`/r/parts/${whole}`);
    const field = `document.querySelector('[data-field=uses]')`;
    await page.until(`${field}?.innerText.includes('Use 0099')`);
    expect(await page.evaluate(`${field}.innerText.includes('Use 0100')`)).toBe(false);
    await stage.expectAccessible();
    await page.evaluate(
      `[...${field}.querySelectorAll('button')].find((one) => one.innerText === 'Show more').setAttribute('data-more', '')`,
    );
    await page.click('[data-more]');
    await page.until(`${field}.innerText.includes('Use 0199')`);
    await page.click('[data-field=uses] dd, [data-field=uses]');
    await page.until(`${focus}.role === 'combobox'`);
    await stage.sees('1,900 others');
    await stage.expectAccessible();
    await page.press('Backspace');
    await page.press('Tab');
    await page.until(`!document.querySelector('[role=combobox]')`);
    const ada = await beside(stage.kith.url, 'Ada');
    const uses = async () => (await ada('GET', `/records/parts/${whole}`)).json.record.uses.length;
    await expect.poll(uses, { timeout: 10_000 }).toBe(most - 1);
    stage.expectQuiet();
  });

  it('are columns of a board: those with cards, and any to move to', async () => {
    const { page } = stage;
    await stage.go('/r/parts?layout=board&group=kind');
    await page.until(`document.querySelectorAll('article').length >= ${records}`);
    expect(await page.evaluate(`document.querySelectorAll('[data-column]').length`)).toBe(60);
    expect(await page.evaluate(`${column(labelled('Kind', 1950))} !== undefined`)).toBe(true);
    await stage.sees('1,941 more columns: filter the list.');
    await stage.expectAccessible();
    await page.press('ArrowDown');
    await page.until(`${focus}.tagName === 'ARTICLE'`);
    const name = await page.evaluate<string>(`${focus}.ariaLabel`);
    await page.press('m');
    await page.until(`${focus}.role === 'combobox'`);
    await page.type('1777');
    await page.until(`${found}.length === 1`);
    await page.press('Enter');
    await stage.sees(`Moved ${name} to ${labelled('Kind', 1777)}.`);
    await page.until(`${column(labelled('Kind', 1777))}?.innerText.includes(${JSON.stringify(name)})`);
    stage.expectQuiet();
  });

  it('are named by a file, and no more are added than there may be', async () => {
    const { page } = stage;
    await stage.go('/import?object=parts');
    await page.until(`document.querySelector('#main p')`);
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Title;Kind\\nBolt;Kind 1234\\nNut;Unheard of\\n');
      window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
    })()`);
    await stage.sees('A dry run of all 2 rows');
    await page.until(`document.querySelector('select[aria-label="Kind goes to"]')?.value === 'map kind'`);
    await stage.sees('Add the option Unheard of');
    await stage.expectAccessible();
    await page.evaluate(
      `[...document.querySelectorAll('label')].find((one) => one.innerText.includes('Add the option')).control.click()`,
    );
    await page.press('Control+Enter');
    await page.until(`document.querySelector('[role=alert]')?.innerText.includes('at most ${most}')`);
    await page.evaluate(
      `[...document.querySelectorAll('label')].find((one) => one.innerText.includes('Add the option')).control.click()`,
    );
    await page.until(
      `[...document.querySelectorAll('#main header button')].at(-1)?.getAttribute('aria-busy') === 'false'`,
    );
    await page.press('Control+Enter');
    await stage.sees('Back to columns');
    await page.until(
      `[...document.querySelectorAll('#main header button')].at(-1)?.getAttribute('aria-busy') === 'false'`,
    );
    await page.press('Control+Enter');
    await stage.sees('Revert 2 records');
    const ada = await beside(stage.kith.url, 'Ada');
    const { data } = (await ada('GET', '/records/parts?sort=-created_at&limit=2')).json;
    expect(data.find(({ title }: { title: string }) => title === 'Bolt')).toMatchObject({ kind: 'kind1234' });
    stage.expectQuiet();
  });
});
