/** A field set in all selected records: links come to those that are there, and an editor that is left empties nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const soon = { timeout: 10_000 };
const manifest = {
  objects: [
    {
      name: 'things',
      label: 'Things',
      labelSingular: 'Thing',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT' },
        { name: 'note', label: 'Note', type: 'TEXT' },
        {
          name: 'kinds',
          label: 'Kinds',
          type: 'MULTI_SELECT',
          options: ['new', 'done'].map((value) => ({ value, label: `It is ${value}` })),
        },
        {
          name: 'people',
          label: 'People',
          type: 'MANY_TO_MANY',
          relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
          junctionFields: [{ name: 'remark', type: 'TEXT' }],
        },
      ],
    },
  ],
};

describe.skipIf(chromium === undefined)('fields of many records (need Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  let [anna, bert, id] = ['', '', ''];
  const make = async (object: string, values: object) =>
    (await ada('POST', `/records/${object}`, { ...values })).json.id as string;
  const record = async () => (await ada('GET', `/records/things/${id}`)).json.record;
  /** Opens the editor of the field for what is selected. */
  const choose = async (label: string) => {
    await stage.page.press('e');
    await stage.page.until(`document.activeElement?.role === 'combobox'`);
    await stage.page.type(label);
    await stage.page.press('Enter');
    await stage.page.until(`document.activeElement?.closest('[role=group][aria-label="${label}"]')`);
  };

  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
    const applied = await ada('POST', '/manifest', manifest);
    if (applied.status !== 200) throw new Error(JSON.stringify(applied.json));
    anna = await make('contacts', { first_name: 'Anna', last_name: 'Zyxel' });
    bert = await make('contacts', { first_name: 'Bert', last_name: 'Zyxel' });
    id = await make('things', { name: 'One', note: 'Old', kinds: ['new'], people: [{ id: anna, remark: 'first' }] });
  });
  afterAll(() => stage?.stop());

  it('keeps what is there where nothing was chosen', async () => {
    await stage.enter('Ada', '/r/things');
    await stage.go('/r/things?cols=name,kinds,people');
    await stage.page.click(`[data-id="${id}"] [role=gridcell]`);
    await choose('Kinds');
    await stage.page.press('Enter');
    await stage.page.until(`!document.querySelector('[role=dialog]')`);
    await stage.sees('1 selected');
    await choose('Kinds');
    await stage.page.type('done');
    await stage.page.press('Enter');
    await stage.page.press('Enter');
    await expect.poll(async () => (await record()).kinds, soon).toEqual(['done']);
    // Nothing was written before it.
    await stage.page.press('Control+z');
    await expect.poll(async () => (await record()).kinds, soon).toEqual(['new']);
  });

  it('adds links to those of each record, whose fields stay', async () => {
    await stage.page.click(`[data-id="${id}"] [role=gridcell]`);
    await choose('People');
    await stage.sees('Added to the links');
    await stage.expectAccessible();
    await stage.page.type('Bert Zyxel');
    await stage.page.press('Enter');
    await stage.page.press('Enter');
    await expect.poll(async () => (await record()).people, soon).toHaveLength(2);
    expect((await record()).people).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: anna, remark: 'first' }),
        expect.objectContaining({ id: bert, remark: null }),
      ]),
    );
  });

  it('empties a field by its button', async () => {
    await stage.page.click(`[data-id="${id}"] [role=gridcell]`);
    await choose('Note');
    await stage.page.click('[role=dialog] span:has([role=group]) + button');
    await expect.poll(async () => (await record()).note, soon).toBeNull();
  });

  it.each(['kinds', 'people'])(
    'empties %s, whose editor has a list, by the button and by keys alone',
    async (field) => {
      const label = field === 'kinds' ? 'Kinds' : 'People';
      for (const way of ['pointer', 'keys']) {
        await stage.page.click(`[data-id="${id}"] [role=gridcell]`);
        await choose(label);
        if (way === 'pointer') await stage.page.click('[role=dialog] span:has([role=group]) + button');
        else {
          await stage.page.press('Tab');
          await stage.page.until(`document.activeElement?.textContent === 'Empty it'`);
          await stage.page.press('Enter');
        }
        await expect.poll(async () => (await record())[field], soon).toEqual([]);
        await stage.page.press('Control+z');
        await expect.poll(async () => (await record())[field].length, soon).toBeGreaterThan(0);
      }
      stage.expectQuiet();
    },
  );
});
