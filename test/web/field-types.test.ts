/** Every type of field on the page of a record, in the cells of a table and in a new record: by keys alone, and by the pointer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const soon = { timeout: 10_000 };
const to = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE', targetObjectName });
const choices = Array.from({ length: 1000 }, (_, at) => ({ value: `o${at}`, label: `Option ${at}` }));

/** What a type needs beside its name. */
const declarations: Readonly<Partial<Record<(typeof fieldTypeNames)[number], object>>> = {
  SELECT: { options: ['new', 'done'].map((value) => ({ value, label: `It is ${value}` })) },
  MULTI_SELECT: { options: choices },
  RELATION: { relationConfig: to('companies') },
  DEPENDENT_RELATION: { dependsOn: 'f_relation', relationConfig: to('contacts') },
  MORPH_RELATION: {
    relationConfig: { relationType: 'MORPH_RELATION', targetObjectNames: ['companies', 'contacts'] },
  },
  MANY_TO_MANY: {
    relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
    junctionFields: [{ name: 'remark', type: 'TEXT' }],
  },
  CALCULATED: { calculation: { expression: 'f_number + f_percent', outputType: 'DECIMAL' } },
  ROLLUP: { rollup: { objectName: 'parts', relationField: 'thing_id', function: 'COUNT' } },
};

const manifest = {
  objects: [
    {
      name: 'things',
      label: 'Things',
      labelSingular: 'Thing',
      displayField: 'f_text',
      fields: [
        ...fieldTypeNames.map((type) => ({
          name: `f_${type.toLowerCase()}`,
          label: `The ${type.toLowerCase().replaceAll('_', ' ')}`,
          type,
          ...declarations[type],
        })),
      ],
    },
    {
      name: 'parts',
      displayField: 'name',
      fields: [
        { name: 'name', type: 'TEXT' },
        { name: 'thing_id', type: 'RELATION', relationConfig: to('things') },
      ],
    },
  ],
  pipelines: [
    {
      name: 'Life',
      objectName: 'things',
      isDefault: true,
      steps: [
        { name: 'Begun', kind: 'ongoing' },
        { name: 'Over', kind: 'won' },
      ],
    },
  ],
};

/** Keys to set a value, what the service has then and the page shows, and keys to clear it. `+key` is pressed, other text typed. */
type Path = readonly [
  field: string,
  set: readonly string[],
  value: unknown,
  shown: string,
  clear: readonly string[],
  empty?: unknown,
];

const [enter, all, back, tab] = ['+Enter', '+Control+a', '+Backspace', '+Tab'];
const emptied = [all, back, enter];
const lines: readonly Path[] = [
  ['text', ['Hello', enter], 'Hello', 'Hello', emptied],
  ['long_text', ['One', enter, 'two', '+Control+Enter'], 'One\ntwo', 'One', [all, back, tab]],
  ['rich_text', ['Rich', '+Control+Enter'], 'Rich', 'Rich', [all, back, '+Control+Enter']],
  ['number', ['1,234.5', enter], 1234.5, '1,234.5', emptied],
  ['integer', ['12', enter], 12, '12', emptied],
  ['decimal', ['.25', enter], 0.25, '0.25', emptied],
  ['percent', ['7.5 %', enter], 7.5, '7.5%', emptied],
  ['currency', ['99.5', tab, 'usd', enter], { amount: 99.5, currency: 'USD' }, '$99.50', emptied],
  ['rating', ['+4', enter], 4, '★★★★☆', [back, enter]],
  ['boolean', ['+ ', enter], true, 'Yes', [back, enter]],
  ['date', ['3 oct 1984', enter], '1984-10-03', 'Oct 3, 1984', emptied],
  ['datetime', ['2020-05-04 10:30', enter], /^2020-05-0\dT/, '10:30', emptied],
  [
    'date_range',
    ['1 jan 2020', tab, '3 feb 2020', enter],
    { start: '2020-01-01', end: '2020-02-03' },
    'Feb 3, 2020',
    [all, back, tab, all, back, enter],
  ],
  ['duration', ['1 h 30 min', enter], 5400, '1 hr 30 min', emptied],
  ['elapsed_time', ['0:45', enter], 2700, '45 min', emptied],
  ['email', ['a@x.example', enter], 'a@x.example', 'a@x.example', emptied],
  [
    'emails',
    ['a@x.example', tab, 'home', enter],
    [{ email: 'a@x.example', label: 'home', is_primary: true }],
    'a@x.example',
    emptied,
    [],
  ],
  [
    'phones',
    ['+1 617 555 0100', tab, 'desk', enter],
    [{ phone: '+1 617 555 0100', label: 'desk', is_primary: true }],
    '+1 617',
    emptied,
    [],
  ],
  ['url', ['x.example/a', enter], 'x.example/a', 'x.example/a', emptied],
  [
    'address',
    ['Main St 1', tab, tab, '02110', tab, 'Boston', enter],
    expect.objectContaining({ street: 'Main St 1', postal_code: '02110', city: 'Boston' }),
    'Boston',
    [all, back, tab, tab, all, back, tab, all, back, enter],
  ],
  ['select', ['done', enter], 'done', 'It is done', [back, enter]],
  ['multi_select', ['Option 999', enter, 'Option 7', enter, tab], ['o999', 'o7'], 'Option 7', [back, back, tab], []],
];

describe.skipIf(chromium === undefined)('fields of every type (needs Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  let id: string;
  let [company, anna, bert] = ['', '', ''];
  const make = async (object: string, values: object) =>
    (await ada('POST', `/records/${object}`, { ...values })).json.id as string;
  const record = async () => (await ada('GET', `/records/things/${id}`)).json.record;
  const at = (field: string) => `section [data-field=f_${field}]`;
  const keys = async (pressed: readonly string[]) => {
    for (const key of pressed)
      if (/^\+./.test(key) && !/^\+\d \d/.test(key)) await stage.page.press(key.slice(1));
      else await stage.page.type(key);
  };
  const opens = async (field: string) => {
    await stage.page.evaluate(`document.querySelector('${at(field)} dd > div > button').focus()`);
    await stage.page.press('Enter');
    await stage.page.until(`document.activeElement?.closest('${at(field)} [role=group]')`);
  };
  const shows = (field: string, text: string) =>
    stage.page.until(
      `!document.querySelector('${at(field)} [role=group]') &&
        document.querySelector('${at(field)} dd').innerText.includes(${JSON.stringify(text)})`,
    );
  const takes = async (name: string) => {
    await stage.page.type(name);
    await stage.page.press('Enter');
  };

  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
    const applied = await ada('POST', '/manifest', manifest);
    if (applied.status !== 200) throw new Error(JSON.stringify(applied.json));
    company = await make('companies', { name: 'Zyx Works' });
    anna = await make('contacts', { first_name: 'Anna', last_name: 'Zyxel', company_id: company });
    bert = await make('contacts', { first_name: 'Bert', last_name: 'Zyxel' });
    id = await make('things', { f_text: 'A thing' });
  });
  afterAll(() => stage?.stop());

  it('shows a field of each type', async () => {
    await stage.enter('Ada', `/r/things/${id}`);
    await stage.page.until(`document.querySelector('${at('rating')}')`);
    const shown = await stage.page.evaluate<string[]>(
      `[...document.querySelectorAll('section [data-field^=f_]')].map((one) => one.dataset.field)`,
    );
    expect(shown.toSorted()).toEqual(fieldTypeNames.map((type) => `f_${type.toLowerCase()}`).toSorted());
  });

  it.each(lines)('types, shows, undoes and clears %s by keys alone', async (...path) => {
    const [field, set, value, shown, clear, empty] = path as unknown as Path;
    const valueNow = async () => (await record())[`f_${field}`];
    const before = await valueNow();
    await opens(field);
    await keys(set);
    await shows(field, shown);
    const expected = value instanceof RegExp ? expect.stringMatching(value) : value;
    await expect.poll(valueNow, soon).toEqual(expected);
    await stage.page.press('Control+z');
    await expect.poll(valueNow, soon).toEqual(before);
    await stage.page.press('Control+Shift+z');
    await expect.poll(valueNow, soon).toEqual(expected);
    await shows(field, shown);
    await opens(field);
    await keys(clear);
    await expect.poll(valueNow, soon).toEqual(empty ?? null);
    await shows(field, 'Add');
  });

  it('keeps a value on Enter where nothing was chosen, and what fits nothing in its editor', async () => {
    await ada('PUT', `/records/things/${id}`, { f_select: 'done' });
    await shows('select', 'It is done');
    await opens('select');
    await stage.page.press('Enter');
    await shows('select', 'It is done');
    await opens('select');
    await takes('no such thing');
    await stage.page.until(
      `document.querySelector('${at('select')} [role=alert]')?.innerText.includes('Nothing of that')`,
    );
    await stage.page.press('Escape');
    await shows('select', 'It is done');
    expect((await record()).f_select).toBe('done');
  });

  it('names records by typing, of a dependent relation those of its parent alone, and empties them', async () => {
    await opens('relation');
    await takes('Zyx Works');
    await shows('relation', 'Zyx Works');
    await expect.poll(async () => (await record()).f_relation, soon).toBe(company);
    await opens('dependent_relation');
    await stage.page.type('Zyxel');
    await stage.page.until(`document.querySelector('[role=option]')?.innerText.includes('Anna Zyxel')`);
    expect(await stage.page.evaluate(`document.querySelectorAll('[role=option]').length`)).toBe(1);
    await stage.page.press('Enter');
    await expect.poll(async () => (await record()).f_dependent_relation, soon).toBe(anna);
    await opens('morph_relation');
    await takes('Bert Zyxel');
    await shows('morph_relation', 'Bert Zyxel');
    await expect.poll(async () => (await record()).f_morph_relation, soon).toEqual({ object: 'contacts', id: bert });
    await opens('users');
    await takes('Diego');
    await shows('users', 'Diego Marín');
    await opens('pipeline');
    await takes('Over');
    await expect.poll(async () => (await record()).pipeline_step_id_display, soon).toBe('Over');
    for (const field of ['dependent_relation', 'morph_relation', 'users']) {
      await opens(field);
      await keys([back, enter]);
      await shows(field, 'Add');
      await expect.poll(async () => (await record())[`f_${field}`], soon).toBeNull();
    }
    await stage.expectAccessible();
  });

  it('adds and takes away single links: what somebody else adds meanwhile stays, and so do the fields of a link', async () => {
    const links = async () =>
      (await record()).f_many_to_many.map(({ display, remark }: { display: string; remark: string | null }) => [
        display,
        remark,
      ]);
    await ada('PUT', `/records/things/${id}`, { f_many_to_many: [{ id: anna, remark: 'first' }] });
    await shows('many_to_many', 'Anna Zyxel');
    await opens('many_to_many');
    const third = await make('contacts', { first_name: 'Cleo', last_name: 'Zyxel' });
    const added = {
      action: 'add_relation',
      object_name: 'things',
      relation_field: 'f_many_to_many',
      target_ids: [third],
    };
    expect((await ada('POST', '/bulk', { ...added, record_ids: [id] })).json.processed).toBe(1);
    await takes('Bert Zyxel');
    await stage.page.press('Tab');
    await expect.poll(links, soon).toHaveLength(3);
    expect(await links()).toEqual(
      expect.arrayContaining([
        ['Anna Zyxel', 'first'],
        ['Bert Zyxel', null],
        ['Cleo Zyxel', null],
      ]),
    );
    await shows('many_to_many', 'Cleo Zyxel');
    await stage.page.click(`${at('many_to_many')} dd > div > button`);
    await stage.page.click(`${at('many_to_many')} button[aria-label="Take out Bert Zyxel"]`);
    await stage.page.press('Tab');
    await expect.poll(links, soon).toHaveLength(2);
    await stage.page.press('Control+z');
    await expect.poll(links, soon).toHaveLength(3);
  });

  it.each([
    ['number', 'many', 'Type a number'],
    ['decimal', '12345678901234567.5', 'at most 15 digits'],
    ['integer', '1.5', 'whole number'],
    ['date', 'someday', 'Type a day'],
    ['duration', 'long', 'Type a duration'],
    ['email', 'nobody', 'Type an address'],
    ['url', 'javascript:alert(1)', 'address of the web'],
    ['currency', 'much', 'Type a number'],
    ['date_range', 'someday', 'Type a day'],
  ])('says beside %s what is wrong with “%s”, and Esc leaves what was', async (field, text, reason) => {
    const before = await record();
    await opens(field);
    await stage.page.type(text);
    await stage.page.press('Enter');
    await stage.page.until(`document.querySelector('${at(field)} [role=alert]')?.innerText.includes('${reason}')`);
    await stage.page.press('Escape');
    await shows(field, '');
    expect((await record())[`f_${field}`]).toEqual(before[`f_${field}`]);
  });

  it('opens editors by a click, and takes stars, ticks, options and records by the pointer', async () => {
    const open = (field: string) => stage.page.click(`${at(field)} dd > div`);
    await open('rating');
    await stage.page.click(`${at('rating')} label:nth-of-type(2)`);
    await stage.page.click('header h1');
    await expect.poll(async () => (await record()).f_rating, soon).toBe(2);
    await open('boolean');
    await stage.page.click(`${at('boolean')} input`);
    await stage.page.click('header h1');
    await expect.poll(async () => (await record()).f_boolean, soon).toBe(true);
    await open('boolean');
    await stage.page.click(`${at('boolean')} button[aria-label=Clear]`);
    await stage.page.click('header h1');
    await expect.poll(async () => (await record()).f_boolean, soon).toBeNull();
    await open('select');
    await stage.page.click('[role=option]');
    await expect.poll(async () => (await record()).f_select, soon).toBe('new');
    await open('users');
    await stage.page.type('Diego');
    await stage.page.until(`document.querySelectorAll('[role=option]').length === 1`);
    await stage.page.click('[role=option]');
    await shows('users', 'Diego Marín');
    await open('rich_text');
    await stage.page.type('bold');
    await stage.page.press('Control+a');
    await stage.page.click(`${at('rich_text')} button[aria-label=Bold]`);
    await stage.page.click('header h1');
    await expect.poll(async () => (await record()).f_rich_text, soon).toMatch(/<(b|strong)>bold/);
  });

  it('locks what is computed', async () => {
    for (const field of ['calculated', 'rollup'])
      expect(await stage.page.evaluate(`document.querySelector('${at(field)} dd button') === null`)).toBe(true);
  });

  it('edits in the cells of a table: a rating, links by name, and a wrong number, which is refused', async () => {
    await stage.go(`/r/things?cols=f_text,f_rating,f_many_to_many,f_number`);
    await stage.page.until(`document.querySelector('[data-id="${id}"]')`);
    const cell = (field: string) => `[id="cell-${id}-f_${field}"]`;
    const edit = async (field: string) => {
      await stage.page.click(cell(field));
      await stage.page.until(`document.querySelector('${cell(field)}').dataset.current`);
      await stage.page.press('Enter');
      await stage.page.until(`document.activeElement?.closest('${cell(field)} [data-editor]')`);
    };
    await edit('rating');
    await keys(['+5', enter]);
    await expect.poll(async () => (await record()).f_rating, soon).toBe(5);
    await edit('many_to_many');
    await keys([back, tab]);
    await expect.poll(async () => (await record()).f_many_to_many.length, soon).toBe(2);
    await edit('number');
    await takes('many');
    await stage.sees('Type a number.');
    await stage.page.press('Escape');
    await stage.expectAccessible();
  });

  it('makes a new record with fields of many types, names what was chosen, and sends nothing that cannot be read', async () => {
    await stage.go('/r/things');
    await stage.page.until(`document.querySelector('[role=grid]')`);
    await stage.page.press('c');
    await stage.page.until(`document.querySelector('[role=dialog] [role=group]')`);
    await stage.page.evaluate(
      `[...document.querySelectorAll('[role=dialog] button')].find((one) => one.innerText === 'More fields').click()`,
    );
    const inForm = (label: string) => `[role=dialog] [role=group][aria-label="The ${label}"]`;
    const fill = async (label: string, text: string) => {
      await stage.page.click(`${inForm(label)} :is(input, textarea)`);
      await stage.page.type(text);
    };
    await fill('text', 'Made in a form');
    await fill('morph relation', 'Anna Zyxel');
    await keys([enter]);
    await stage.page.until(`document.querySelector('${inForm('morph relation')} button')?.innerText === 'Anna Zyxel'`);
    await fill('many to many', 'Bert Zyxel');
    await keys([enter, tab]);
    await stage.page.until(`document.querySelector('${inForm('many to many')} button')?.innerText === 'Bert Zyxel'`);
    await fill('number', 'many');
    const create = `[role=dialog] footer button:last-of-type`;
    await stage.page.click(create);
    await stage.page.until(`document.activeElement?.closest('${inForm('number')}')`);
    await stage.page.press('Control+a');
    await stage.page.type('42');
    await stage.page.click(create);
    await stage.sees('Made in a form');
    await stage.page.until(`/things.[0-9a-f-]{36}$/.test(location.pathname)`);
    const made = await stage.page.evaluate<string>(`location.pathname.split('/').at(-1)`);
    const { record: found } = (await ada('GET', `/records/things/${made}`)).json;
    expect(found).toMatchObject({
      f_text: 'Made in a form',
      f_number: 42,
      f_morph_relation: { object: 'contacts', id: anna },
    });
    expect(found.f_many_to_many).toEqual([{ id: bert, display: 'Bert Zyxel', remark: null }]);
    stage.expectQuiet();
  });
});
