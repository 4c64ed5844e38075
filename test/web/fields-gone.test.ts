/** Fields that another admin takes away, renames or locks while somebody types into them: nothing typed is lost, and the pages go on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium, type Page } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]')`;
const toasts = `[...document.querySelectorAll('[role=status]')].map((one) => one.innerText).join(' ')`;
const fields = ['colour', 'size', 'weight', 'place', 'origin', 'maker', 'grade', 'lot', 'use'];
const kinds = ['round', 'square'].map((value) => ({ value, label: `It is ${value}` }));

describe.skipIf(chromium === undefined)('fields that go meanwhile (need Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  const records: string[] = [];
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
    await apply(
      [
        { name: 'title', type: 'TEXT' },
        ...fields.map((name) => ({ name, label: `The ${name}`, type: 'TEXT' })),
        { name: 'kind', label: 'The kind', type: 'SELECT', options: kinds },
        { name: 'state', label: 'The state', type: 'SELECT', options: kinds },
      ],
      { displayField: 'title' },
    );
    for (const title of ['First', 'Second', 'Third'])
      records.push((await ada('POST', '/records/wares', { title, kind: 'round', origin: 'Here' })).json.id);
    await ada('POST', '/views', { object_name: 'wares', name: 'Of makers', columns: ['title', 'maker', 'lot'] });
  });
  afterAll(() => stage?.stop());

  /** Brings the object to have these fields, as another admin does. */
  const apply = async (given: readonly object[], more: object = {}) => {
    const { status, json } = await ada('POST', '/manifest?allow_destroy=true', {
      objects: [{ name: 'wares', label: 'Wares', labelSingular: 'Ware', fields: given, ...more }],
    });
    expect(status, JSON.stringify(json)).toBe(200);
  };
  const gone = (...names: readonly string[]) => apply(names.map((name) => ({ name, absent: true })));
  const tab = async (path: string) => {
    const page = await stage.page.openTab();
    await page.look(1440, 900, 'light');
    await page.open(stage.kith.url + path);
    await page.until(`document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')`);
    return page;
  };
  const editField = async (page: Page, name: string, text: string) => {
    await page.until(`document.querySelector('section [data-field=${name}] dd button')`);
    await page.evaluate(`document.querySelector('section [data-field=${name}] dd button:last-of-type').focus()`);
    await page.press('Enter');
    await page.until(`document.activeElement.closest('[data-field=${name}]')?.querySelector('input')`);
    await page.type(text);
  };
  /** Waits until the page gives back what was typed, with a way to copy it. */
  const givesBack = async (page: Page, label: string, text: string) => {
    await page.until(`${toasts}.includes('“${label}” can no longer be changed here. What you entered was not saved.')`);
    await page.until(`${toasts}.includes(${JSON.stringify(text)})`);
    await page.until(
      `[...document.querySelectorAll('[role=status] button')].some((one) => one.textContent === 'Copy')`,
    );
  };
  /** A browser tells by itself of each request that was refused. */
  const expectCalm = (...pages: readonly Page[]) => {
    for (const page of pages)
      expect(page.complaints.filter((text) => !/^Failed to load resource: .* status of 4\d\d/.test(text))).toEqual([]);
  };

  it('gives back what was typed into a cell, a record and a form, and leaves the rest of them as it was', async () => {
    await stage.enter('Ada', '/home');
    const cell = await tab('/r/wares?cols=title,colour,use');
    await cell.until(`${rows}.length === 3 && document.activeElement.role === 'grid'`);
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await cell.press(key);
    await cell.until(`document.activeElement.tagName === 'INPUT'`);
    await cell.type('Half of a colour');
    const record = await tab(`/r/wares/${records[0]}`);
    await editField(record, 'size', 'Half of a size');
    const form = await tab('/r/wares');
    await form.press('c');
    await form.until(`document.querySelector('[role=dialog] input')`);
    const input = (label: string) =>
      `[...document.querySelectorAll('[role=dialog] input')].find((one) => one.ariaLabel === '${label}')`;
    for (const [label, text] of [
      ['Title', 'Kept'],
      ['The weight', 'Half of a weight'],
    ] as const) {
      await form.evaluate(`${input(label)}.focus()`);
      await form.type(text);
    }
    await form.evaluate(`${input('Title')}.focus()`);
    await gone('colour', 'size', 'weight');
    await givesBack(cell, 'The colour', 'Half of a colour');
    await givesBack(record, 'The size', 'Half of a size');
    await givesBack(form, 'The weight', 'Half of a weight');
    await cell.until(`${rows}.length === 3 && !document.querySelector('[data-column=colour]')`);
    for (const key of ['ArrowRight', 'Enter']) await cell.press(key);
    await record.until(`!document.querySelector('[data-field=size]')`);
    await editField(record, 'use', 'Of use');
    await record.press('Enter');
    await expect
      .poll(async () => (await ada('GET', `/records/wares/${records[0]}`)).json.record.use, { timeout: 20_000 })
      .toBe('Of use');
    expect(await form.evaluate(`${input('Title')}.value`)).toBe('Kept');
    expect(await form.evaluate(`${input('The weight')} === undefined`)).toBe(true);
    await form.press('Control+Enter');
    await form.evaluate(
      `[...document.querySelectorAll('[role=dialog] button')].find((one) => one.innerText.startsWith('Create'))?.click()`,
    );
    await form.until(`/wares.[0-9a-f-]{36}$/.test(location.pathname)`);
    expectCalm(cell, record, form);
    for (const page of [cell, record, form]) await page.close();
  });

  it('gives back what is saved before the page knows', async () => {
    const record = await tab(`/r/wares/${records[1]}`);
    const cell = await tab('/r/wares?cols=title,use');
    await editField(record, 'place', 'Half of a place');
    await cell.until(`${rows}.length > 2 && document.activeElement.role === 'grid'`);
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await cell.press(key);
    await cell.until(`document.activeElement.tagName === 'INPUT'`);
    await cell.press('Control+a');
    await cell.type('Half of a use');
    await gone('place', 'use');
    await record.press('Enter');
    await cell.press('Enter');
    await givesBack(record, 'The place', 'Half of a place');
    await givesBack(cell, 'The use', 'Half of a use');
    await record.until(`!document.querySelector('[data-field=place]')`);
    await cell.until(`!document.querySelector('[data-column=use]')`);
    expectCalm(record, cell);
    for (const page of [record, cell]) await page.close();
  });

  it('gives back what was typed into a field that is renamed or locked, and says what a list can no longer be filtered and grouped by', async () => {
    const renamed = await tab(`/r/wares/${records[1]}`);
    await editField(renamed, 'grade', 'Half of a grade');
    const locked = await tab(`/r/wares/${records[2]}`);
    await editField(locked, 'lot', 'Half of a lot');
    const filter = JSON.stringify({
      type: 'AND',
      conditions: [{ field: 'origin', operator: 'equals', value: 'Here' }],
    });
    const filtered = await tab(`/r/wares?f=${encodeURIComponent(filter)}`);
    await filtered.until(`${rows}.length === 3`);
    const board = await tab('/r/wares?layout=board&group=kind');
    await board.until(`document.querySelector('[data-column=round]')`);
    await board.until(`document.querySelector('main select').value === 'kind'`);
    const { data } = (await ada('GET', '/views?object=wares')).json;
    const view = await tab(`/r/wares?view=${data[0].id}`);
    await view.until(`document.querySelector('[data-column=maker]')`);
    await apply([
      { name: 'grade', absent: true },
      { name: 'rank', label: 'The rank', type: 'TEXT' },
      { name: 'lot', isReadonly: true },
      ...['origin', 'kind', 'maker'].map((name) => ({ name, absent: true })),
    ]);
    await givesBack(renamed, 'The grade', 'Half of a grade');
    await renamed.until(`document.querySelector('[data-field=rank]')`);
    await givesBack(locked, 'The lot', 'Half of a lot');
    await locked.until(`document.querySelector('section [data-field=lot] dt button[aria-label]')`);
    await filtered.until(
      `document.querySelector('main [role=alert]')?.innerText.includes('The list can no longer be shown like this: There is no field "origin"')`,
    );
    expect(await filtered.evaluate(`${rows}.length`)).toBe(0);
    await filtered.click('main [role=alert] button');
    await filtered.until(`${rows}.length > 2`);
    await board.until(`document.querySelector('main select').value === 'state'`);
    await board.until(`document.querySelector('[data-column=uncategorized]')`);
    await view.until(`document.querySelector('[role=note]')?.innerText.includes('maker')`);
    expectCalm(renamed, locked, filtered, board, view);
    for (const page of [renamed, locked, filtered, board, view]) await page.close();
  });

  it('offers an option no longer that is gone, and takes another one', async () => {
    const record = await tab(`/r/wares/${records[0]}`);
    await record.until(`document.querySelector('section [data-field=state] dd button')`);
    await record.evaluate(`document.querySelector('section [data-field=state] dd button:last-of-type').focus()`);
    await record.press('Enter');
    const offered = `[...document.querySelectorAll('[role=option]')].map((one) => one.innerText)`;
    await record.until(`${offered}.some((text) => text.includes('It is round'))`);
    await apply([{ name: 'state', type: 'SELECT', options: [{ value: 'square', label: 'It is square' }] }]);
    await record.type('It is round');
    await record.press('Enter');
    await record.until(
      `document.querySelector('[data-field=state] [role=alert]')?.innerText.includes('one of its options')`,
    );
    await record.evaluate(`document.querySelector('section [data-field=state] dd button:last-of-type').focus()`);
    await record.press('Enter');
    await record.until(`${offered}.length > 0 && !${offered}.some((text) => text.includes('It is round'))`);
    await record.type('It is sq');
    await record.press('Enter');
    const state = async () => (await ada('GET', `/records/wares/${records[0]}`)).json.record.state;
    await expect.poll(state, { timeout: 20_000 }).toBe('square');
    expectCalm(record);
    await record.close();
    stage.expectQuiet();
  });
});
