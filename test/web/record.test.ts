/** A record's page: what is changed in place, what is written, what others do meanwhile, and what a role does not see. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside, type Values } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

/** A write behind others of a busy machine. */
const soon = { timeout: 10_000 };

describe.skipIf(chromium === undefined)('the page of a record (needs Chromium)', () => {
  let stage: Stage;
  let ada: Awaited<ReturnType<typeof beside>>;
  let diego: Awaited<ReturnType<typeof beside>>;
  let id: string;
  const field = (name: string) => `section [data-field=${name}]`;
  const valueOf = async (name: string) => (await ada('GET', `/records/contacts/${id}`)).json.record[name];
  const create = async (values: Values) =>
    (await ada('POST', '/records/contacts', { first_name: 'Priya', last_name: 'Raman', job_title: 'CTO', ...values }))
      .json.id as string;
  /** What is refused on purpose, the browser tells of as well. */
  const expectNoErrors = () =>
    expect(stage.page.complaints.filter((told) => !told.startsWith('Failed to load resource'))).toEqual([]);
  const focused = (selector: string) =>
    stage.page.until(`document.activeElement?.matches(${JSON.stringify(selector)})`);
  const edit = async (name: string) => {
    await stage.page.evaluate(
      `document.querySelector(${JSON.stringify(`${field(name)} dd button:last-of-type`)}).focus()`,
    );
    await stage.page.press('Enter');
    await focused('[data-field] input');
  };

  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    [ada, diego] = await Promise.all([beside(stage.kith.url, 'Ada'), beside(stage.kith.url, 'Diego')]);
    const owner = (await diego('GET', '/me')).json.workspaceUserId;
    id = await create({ owner });
  });
  afterAll(() => stage?.stop());

  it('changes a field by a click, the text and Tab, and takes it back', async () => {
    await stage.enter('Ada', `/r/contacts/${id}`);
    await stage.sees('Priya Raman');
    await stage.page.click(`${field('job_title')} dd bdi`);
    await focused('[data-field=job_title] input');
    await stage.page.type('Chief Technology Officer');
    await stage.page.press('Tab');
    await stage.sees('Job title changed');
    await expect.poll(() => valueOf('job_title'), soon).toBe('Chief Technology Officer');
    await stage.expectAccessible();
    await stage.page.press('Control+z');
    await expect.poll(() => valueOf('job_title'), soon).toBe('CTO');
  });

  it('changes fields by keys alone: a day in words, an option, a company', async () => {
    await edit('birthday');
    await stage.page.type('3 oct 1984');
    await stage.sees('Oct 3, 1984');
    await stage.page.press('Enter');
    await expect.poll(() => valueOf('birthday'), soon).toBe('1984-10-03');
    await edit('tags');
    await stage.page.type('vip');
    await stage.page.until(`document.querySelectorAll('[role=option]').length === 1`);
    await stage.page.press('Enter');
    await stage.page.press('Tab');
    await expect.poll(() => valueOf('tags'), soon).toEqual(['vip']);
    const company = (await ada('GET', '/records/companies?limit=1')).json.data[0];
    await edit('company_id');
    await stage.page.type(company.name);
    await stage.page.until(`document.querySelector('[role=option]')?.textContent === ${JSON.stringify(company.name)}`);
    await stage.page.press('Enter');
    await expect.poll(() => valueOf('company_id'), soon).toBe(company.id);
    await stage.page.until(
      `document.querySelector('${field('company_id')} a')?.textContent.includes(${JSON.stringify(company.name)})`,
    );
  });

  it('keeps what cannot be read in its editor, and Esc leaves all as it was', async () => {
    await edit('birthday');
    await stage.page.type('someday');
    await stage.page.press('Enter');
    await stage.sees('Type a day');
    await stage.expectAccessible();
    await stage.page.press('Escape');
    await stage.page.until(`!document.querySelector('[data-field=birthday] input')`);
    expect(await valueOf('birthday')).toBe('1984-10-03');
  });

  it('puts the old value back where a new one is refused, and says why', async () => {
    await stage.page.click(`${field('emails')} dd button`);
    await focused('[data-field=emails] input');
    await stage.page.type('no address');
    await stage.page.press('Enter');
    await stage.page.until(
      `document.querySelector('[data-field=emails] [role=alert]')?.textContent.includes('emails')`,
    );
    expect(await valueOf('emails')).toEqual([]);
    await stage.page.click(`[data-field=emails] [role=alert] button`);
    await stage.page.until(`!document.querySelector('[data-field=emails] [role=alert]')`);
  });

  it('writes a note by N, the text and Ctrl Enter, which stays text; and a task by T, the text and Enter', async () => {
    await stage.page.press('n');
    await stage.page.type('<img src=x onerror=alert(1)> @Diego Marín');
    await stage.page.press('Control+Enter');
    await stage.sees('wrote a note');
    await stage.sees('<img src=x onerror=alert(1)> @Diego Marín');
    expect(await stage.page.evaluate(`document.querySelectorAll('img').length`)).toBe(0);
    const told = (await diego('GET', '/notifications')).json.data;
    expect(told.some((one: { kind: string }) => one.kind === 'mention_in_note')).toBe(true);
    await stage.page.press('t');
    await stage.page.type('Send the order form');
    await stage.page.press('Enter');
    await stage.page.until(`document.querySelector('input[type=checkbox][aria-label="Send the order form: done"]')`);
    await stage.expectAccessible();
    await stage.page.click('input[type=checkbox][aria-label="Send the order form: done"]');
    await stage.page.until(`!document.querySelector('input[type=checkbox][aria-label="Send the order form: done"]')`);
    expectNoErrors();
  });

  it('merges what somebody else changed in another field, without a word', async () => {
    await edit('job_title');
    await stage.page.type('Chief of All');
    expect((await diego('PUT', `/records/contacts/${id}`, { last_name: 'Raman-Lee' })).status).toBe(200);
    await stage.page.press('Enter');
    await expect.poll(() => valueOf('job_title'), soon).toBe('Chief of All');
    expect(await valueOf('last_name')).toBe('Raman-Lee');
    await stage.sees('Raman-Lee');
  });

  it('lets one choose where both changed the same field', async () => {
    await edit('job_title');
    await stage.page.type('Mine to keep');
    await diego('PUT', `/records/contacts/${id}`, { job_title: 'Theirs instead' });
    await stage.page.press('Enter');
    await stage.sees('Diego Marín changed this meanwhile');
    await stage.sees('Mine: Mine to keep');
    await stage.sees('Theirs instead');
    await stage.expectAccessible();
    expect(await valueOf('job_title')).toBe('Theirs instead');
    await stage.page.press('Enter');
    await expect.poll(() => valueOf('job_title'), soon).toBe('Mine to keep');
    await edit('job_title');
    await stage.page.type('Mine to lose');
    await diego('PUT', `/records/contacts/${id}`, { job_title: 'Theirs at last' });
    await stage.page.press('Enter');
    await stage.sees('Mine: Mine to lose');
    await stage.page.press('Escape');
    await stage.page.until(
      `document.querySelector('[data-field=job_title] dd').textContent.includes('Theirs at last')`,
    );
    expect(await valueOf('job_title')).toBe('Theirs at last');
  });

  it('keeps what was typed while the service is away, and sends it when it is back', async () => {
    await stage.page.evaluate(
      `void (window.reached = window.fetch, window.fetch = () => Promise.reject(new TypeError('away')))`,
    );
    await edit('job_title');
    await stage.page.type('Typed in the dark');
    await stage.page.press('Enter');
    await stage.sees('Not saved yet');
    await stage.sees('Typed in the dark');
    expect(await valueOf('job_title')).toBe('Theirs at last');
    await stage.page.evaluate(`void (window.fetch = window.reached)`);
    await expect.poll(() => valueOf('job_title'), soon).toBe('Typed in the dark');
    await stage.page.until(`!document.body.innerText.includes('Not saved yet')`);
  });

  it('shows the history by H, and the record as it was', async () => {
    await stage.page.press('h');
    await stage.page.until(`document.querySelectorAll('[role=dialog] li').length > 3`);
    await stage.expectAccessible();
    await stage.page.evaluate(
      `[...document.querySelectorAll('[role=dialog] li')].at(-1).querySelector('button').click()`,
    );
    await stage.sees('This is how the record was');
    await stage.page.until(`document.querySelector('[data-field=job_title] dd').textContent === 'CTO'`);
    await stage.page.evaluate(
      `[...document.querySelectorAll('button')].find((one) => one.textContent === 'Back to now').click()`,
    );
    await stage.page.until(
      `document.querySelector('[data-field=job_title] dd').textContent.includes('Typed in the dark')`,
    );
  });

  it('goes to the next one by a key, in the list one came from', async () => {
    const from = JSON.stringify({ sort_by: 'last_name', sort_dir: 'asc' });
    const list = (await ada('GET', '/records/contacts?sort_by=last_name&sort_dir=asc&limit=3')).json;
    await stage.go(`/r/contacts/${list.data[0].id}?from=${encodeURIComponent(from)}`);
    await stage.sees(`1 of ${list.total.toLocaleString('en')}`);
    await stage.page.press('Alt+ArrowDown');
    await stage.page.until(`location.pathname === '/r/contacts/${list.data[1].id}'`);
    await stage.sees(`2 of ${list.total.toLocaleString('en')}`);
    await stage.page.press('Alt+ArrowUp');
    await stage.page.until(`location.pathname === '/r/contacts/${list.data[0].id}'`);
  });

  it('moves a deal on by M, the step and Enter, and by a click', async () => {
    const { json: pipelines } = await ada('GET', '/pipelines');
    const steps = pipelines.pipelines.find((one: Values) => one['objectName'] === 'opportunities').steps;
    const made = await ada('POST', '/records/opportunities', { name: 'A deal to move', amount: 100 });
    const stepOf = async () =>
      (await ada('GET', `/records/opportunities/${made.json.id}`)).json.record.pipeline_step_id;
    await stage.go(`/r/opportunities/${made.json.id}`);
    await stage.sees('A deal to move');
    await stage.page.until(`document.querySelector('[data-field=pipeline]')`);
    await stage.page.press('m');
    await focused('[data-field=pipeline] input');
    await stage.page.type(steps[1].name.slice(0, 4));
    await stage.page.press('Enter');
    await expect.poll(stepOf, soon).toBe(steps[1].id);
    await stage.page.click(`[role=group] button[aria-label="${steps[2].name}"]`);
    await expect.poll(stepOf, soon).toBe(steps[2].id);
    await stage.expectAccessible();
  });

  it('draws names of 10,000 characters, of other scripts, and those that look like HTML', async () => {
    const hostile = '<b onclick=alert(1)>x</b>';
    const long = await create({ first_name: 'W'.repeat(10_000), last_name: hostile, job_title: 'مدير المبيعات' });
    await stage.go(`/r/contacts/${long}`);
    await stage.sees('مدير المبيعات');
    expect(await stage.page.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true);
    expect(await stage.page.evaluate(`document.querySelectorAll('main b[onclick]').length`)).toBe(0);
    await stage.expectAccessible();
    await stage.page.look(390, 844, 'light');
    expect(await stage.page.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true);
    await stage.page.click('#tab-details');
    await stage.page.until(`document.querySelector('#record-part [data-field=job_title]')`);
    await stage.page.look(1440, 900, 'light');
    expectNoErrors();
  });

  it('says that a record has no name, and begins a note by the button of its head', async () => {
    const nameless = (await ada('POST', '/records/contacts', {})).json.id as string;
    await stage.go(`/r/contacts/${nameless}`);
    await stage.sees('Without a name');
    expect(await stage.page.evaluate(`document.body.innerText.includes('${nameless}')`)).toBe(false);
    await stage.page.evaluate(
      `[...document.querySelectorAll('section button')].find((one) => one.textContent === 'NoteN').click()`,
    );
    await focused('textarea');
    expectNoErrors();
  });

  it('puts a record into the trash by Del, and out again by Undo', async () => {
    const gone = await create({ last_name: 'Short-Lived' });
    await stage.go(`/r/contacts/${gone}`);
    await stage.sees('Short-Lived');
    await stage.page.press('Delete');
    await stage.sees('is in the trash');
    expect((await ada('GET', `/records/contacts/${gone}`)).status).not.toBe(200);
    await stage.page.evaluate(
      `[...document.querySelectorAll('button')].find((one) => one.textContent === 'Undo').click()`,
    );
    await expect.poll(async () => (await ada('GET', `/records/contacts/${gone}`)).status, soon).toBe(200);
  });

  it('shows a partner no amounts, and why nothing can be changed', async () => {
    const hana = await beside(stage.kith.url, 'Hana');
    const [deal] = (await hana('GET', '/records/opportunities?limit=1')).json.data;
    await stage.page.evaluate(`fetch('/signout', { method: 'POST' }).then(() => undefined)`);
    await stage.enter('Hana', `/r/opportunities/${deal.id}`);
    await stage.page.until(`document.querySelector('[data-field=name]')`);
    expect(await stage.page.evaluate(`document.querySelector('[data-field=amount]') === null`)).toBe(true);
    expect(await stage.page.evaluate(`document.body.innerText.includes('Amount')`)).toBe(false);
    expect(await stage.page.evaluate(`document.querySelector('textarea') === null`)).toBe(true);
    await stage.page.click('[data-field=name] dt button');
    await stage.sees('Your role may read this, not change it.');
    await stage.expectAccessible();
    expectNoErrors();
    await stage.page.press('Escape');
    await stage.go(`/r/contacts/${id}`);
    await stage.sees('There is nothing here, or not for your role.');
  });
});
