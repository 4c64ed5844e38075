/** What belongs to a record, linked, made and unlinked from its page; a mail to it, lists by a key; boards by other fields than steps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const soon = { timeout: 10_000 };

describe.skipIf(chromium === undefined)('what belongs to a record (needs Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  let [company, contact] = ['', ''];
  const make = async (object: string, values: object) =>
    (await ada('POST', `/records/${object}`, { ...values })).json.id as string;
  const companyOf = async (id: string) => (await ada('GET', `/records/contacts/${id}`)).json.record.company_id;
  const pick = async (text: string) => {
    await stage.page.until(`document.activeElement?.matches('[role=dialog] [role=combobox]')`);
    await stage.page.type(text);
    await stage.page.until(
      `document.querySelector('[role=dialog] [role=option]')?.innerText.includes(${JSON.stringify(text)})`,
    );
    await stage.page.press('Enter');
  };

  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
    company = await make('companies', { name: 'Qvist Works' });
    contact = await make('contacts', { first_name: 'Olga', last_name: 'Qvist', emails: ['olga@qvist.example'] });
  });
  afterAll(() => stage?.stop());

  it('links a record that is there, counts it, takes the link away, and back by its key', async () => {
    await stage.enter('Ada', `/r/companies/${company}`);
    const add = 'section button[aria-label="Add Contacts"]';
    await stage.page.click(add);
    await pick('Olga Qvist');
    await expect.poll(() => companyOf(contact), soon).toBe(company);
    const unlink = 'section button[aria-label="Take away the link to Olga Qvist"]';
    await stage.page.until(
      `document.querySelector('${unlink}')?.closest('section').querySelector('h2').innerText === 'Contacts 1'`,
    );
    await stage.expectAccessible();
    await stage.page.click(unlink);
    await expect.poll(() => companyOf(contact), soon).toBeNull();
    await stage.page.press('Control+z');
    await expect.poll(() => companyOf(contact), soon).toBe(company);
  });

  it('makes a new record that leads back', async () => {
    await stage.page.click('section button[aria-label="Add Contacts"]');
    await pick('New contact');
    await stage.page.until(`document.querySelector('[role=dialog] [data-fields] input')`);
    expect(await stage.page.evaluate(`document.querySelector('[role=dialog] [aria-label=Company]') === null`)).toBe(
      true,
    );
    await stage.page.click('[role=dialog] [role=group][aria-label="Last name"] input');
    await stage.page.type('Made-Beside');
    await stage.page.press('Enter');
    await stage.sees('Made-Beside');
    const found = (await ada('GET', '/records/contacts?search=Made-Beside')).json.data;
    expect(found.map(({ company_id: of }: { company_id: string }) => of)).toEqual([company]);
  });

  it('begins a mail by E, keeps what is typed, and puts the record on a list by L', async () => {
    const list = (await ada('POST', '/lists', { name: 'Qvist friends', object_types: ['contacts'] })).json;
    await stage.go(`/r/contacts/${contact}`);
    await stage.sees('Olga Qvist');
    await stage.page.press('e');
    await stage.page.until(`document.activeElement?.matches('form[aria-label="New message"] textarea')`);
    await stage.page.type('Good day');
    expect(await stage.page.evaluate(`document.querySelector('form[aria-label="New message"] input').value`)).toBe(
      'olga@qvist.example',
    );
    await stage.expectAccessible();
    await stage.page.press('Escape');
    await stage.page.until(`!document.querySelector('form[aria-label="New message"]')`);
    await stage.page.press('e');
    await stage.page.until(`document.querySelector('form[aria-label="New message"] textarea')?.value === 'Good day'`);
    await stage.page.press('Escape');
    await stage.page.until(`!document.querySelector('form[aria-label="New message"]')`);
    await stage.page.press('l');
    await pick('Qvist friends');
    const entries = async () => (await ada('GET', `/lists/${list.id ?? list.list?.id}/entries`)).json.total;
    await expect.poll(entries, soon).toBe(1);
    await stage.sees('Qvist friends');
  });

  it('has boards by records and by ticks, and of the pipeline that is chosen, with a way to make one at each column', async () => {
    const applied = await ada('POST', '/manifest', {
      objects: [
        {
          name: 'trips',
          label: 'Trips',
          labelSingular: 'Trip',
          fields: [
            { name: 'name', type: 'TEXT' },
            { name: 'is_far', label: 'Far', type: 'BOOLEAN' },
            { name: 'step', label: 'Step', type: 'PIPELINE' },
            { name: 'host_id', label: 'Host', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } },
          ],
        },
      ],
      pipelines: [
        {
          name: 'By land',
          objectName: 'trips',
          isDefault: true,
          steps: [{ name: 'Packed' }, { name: 'Home', kind: 'won' }],
        },
        { name: 'By sea', objectName: 'trips', steps: [{ name: 'Aboard' }, { name: 'Ashore', kind: 'won' }] },
      ],
    });
    expect(applied.status, JSON.stringify(applied.json)).toBe(200);
    const trip = await make('trips', { name: 'North', host_id: company });
    await stage.go('/r/trips?layout=board');
    await stage.page.until(`document.querySelector('[data-column] h2')`);
    const heads = () =>
      stage.page.evaluate<string[]>(
        `[...document.querySelectorAll('[data-column] h2 bdi')].map((one) => one.innerText)`,
      );
    expect(await heads()).toEqual(['Packed', 'Home']);
    const choose = (nth: number, label: string) =>
      stage.page.evaluate(`(() => {
        const select = document.querySelectorAll('label select')[${nth}];
        const value = [...select.options].find((one) => one.text === ${JSON.stringify(label)}).value;
        Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, value);
        select.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
    await choose(1, 'By sea');
    await expect.poll(heads, soon).toEqual(['Aboard', 'Ashore']);
    await stage.expectAccessible();
    await stage.go('/r/trips?layout=board&group=host_id');
    await expect.poll(heads, soon).toEqual(['Qvist Works']);
    await stage.go('/r/trips?layout=board&group=is_far');
    await expect.poll(heads, soon).toEqual(['Yes', 'No', 'No far']);
    await stage.page.evaluate(`document.getElementById('card-${trip}').focus()`);
    await stage.page.press('m');
    await pick('Yes');
    await expect.poll(async () => (await ada('GET', `/records/trips/${trip}`)).json.record.is_far, soon).toBe(true);
    await stage.page.click('button[aria-label="New at No"]');
    await stage.page.until(`document.querySelector('[role=dialog] [data-fields] input')`);
    await stage.page.type('South');
    await stage.page.press('Enter');
    await stage.sees('South');
    const south = (await ada('GET', '/records/trips?sort_by=name')).json.data.find(
      ({ name }: { name: string }) => name === 'South',
    );
    expect(south.is_far).toBe(false);
    stage.expectQuiet();
  });
});
