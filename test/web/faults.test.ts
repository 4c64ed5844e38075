/** What goes wrong meanwhile: the service really gone and back, the session ended and begun anew in another tab. Nothing that was typed is lost. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openModel, says, type ModelServer } from '../agent/model-server.ts';
import { chromium, type Page } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]')`;
const offline = 'Offline. What you type is kept here';
const isBack = `!document.body.innerText.includes('${offline}')`;

describe.skipIf(chromium === undefined)('faults (need Chromium)', () => {
  let stage: Stage;
  let model: ModelServer;
  beforeAll(async () => {
    model = await openModel();
    stage = await openStage(chromium ?? '', {
      KITH_MODEL_URL: model.url,
      KITH_MODEL_NAME: 'test-model',
      KITH_PRIVATE_HOSTS: `127.0.0.1:${model.port}`,
    });
  });
  afterAll(async () => {
    await stage?.stop();
    await model.close();
  });

  /** That nothing was answered, or that nobody is signed in, the browser tells by itself. */
  const expectCalm = () =>
    expect(stage.page.complaints.filter((told) => !told.startsWith('Failed to load resource'))).toEqual([]);
  const toRecord = async (page: Page, path: string) => {
    await page.open(stage.kith.url + path);
    await page.until(`document.querySelector('[data-field=job_title]') && document.querySelector('main textarea')`);
  };
  const edit = async (page: Page, text: string) => {
    await page.evaluate(`document.querySelector('section [data-field=job_title] dd button:last-of-type').focus()`);
    await page.press('Enter');
    await page.until(`document.activeElement.closest('[data-field=job_title]')?.querySelector('input')`);
    await page.press('Control+a');
    await page.type(text);
  };
  const title = (page: Page, text: string) =>
    page.until(
      `document.querySelector('section [data-field=job_title] dd')?.innerText.includes(${JSON.stringify(text)})`,
    );
  let record = '';
  /** Comes in, where nobody did, and finds the record that all of it is about. */
  const known = async () => {
    if (record !== '') return;
    await stage.enter('Ada', '/r/contacts');
    await stage.page.until(`${rows}.length > 5`);
    record = await stage.page.evaluate<string>(`'/r/contacts/' + ${rows}[0].dataset.id`);
  };
  let goOn: (() => Promise<void>) | undefined;
  const pause = async () => {
    goOn = await stage.kith.pause();
  };
  const start = async () => {
    await goOn?.();
    goOn = undefined;
  };
  afterEach(start);

  it('keeps a field and a note that were typed while the service was gone, and sends them when it is back', async () => {
    const { page } = stage;
    await known();
    await toRecord(page, record);
    await edit(page, 'Half of a');
    await pause();
    await stage.sees(offline);
    await page.type(' title');
    await page.press('Enter');
    await stage.sees('Not saved yet');
    await page.press('n');
    await page.until(`document.activeElement.tagName === 'TEXTAREA'`);
    await page.type('Told in the dark');
    await page.press('Control+Enter');
    await page.until(`document.querySelector('main [role=alert]')`);
    expect(await page.evaluate(`document.querySelector('main textarea').value`)).toBe('Told in the dark');
    await start();
    await page.until(isBack);
    await page.until(`!document.querySelector('[data-field=job_title]').innerText.includes('Not saved yet')`);
    await title(page, 'Half of a title');
    expect(await page.evaluate(`document.querySelector('main textarea').value`)).toBe('Told in the dark');
    await page.evaluate(`document.querySelector('main textarea').focus()`);
    await page.press('Control+Enter');
    await page.until(`document.querySelector('main textarea').value === ''`);
    await page.until(
      `[...document.querySelectorAll('#record-part li')].some((line) => line.innerText.includes('Told in the dark'))`,
    );
    expectCalm();
  });

  it('keeps a cell and a form through a restart, and opens what was never opened before', async () => {
    const { page } = stage;
    await stage.go('/r/contacts?cols=full_name,job_title');
    await page.until(`${rows}.length > 5 && document.activeElement.role === 'grid'`);
    const first = await page.evaluate<string>(`${rows}[0].dataset.id`);
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.press(key);
    await page.until(`document.activeElement.tagName === 'INPUT'`);
    // The files of what was never opened are fetched when the page stands.
    await page.until(
      `performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/new-record'))`,
    );
    await pause();
    await page.press('Control+a');
    await page.type('In a cell');
    await page.press('Enter');
    await stage.sees('Not saved yet');
    await page.until(`${rows}[0].innerText.includes('In a cell')`);
    await page.press('c');
    await page.until(`document.querySelector('[role=dialog] input')`);
    await page.evaluate(`document.querySelector('[role=dialog] input').focus()`);
    await page.type('Nora');
    await page.press('Control+Enter');
    await page.evaluate(
      `[...document.querySelectorAll('[role=dialog] button')].find((one) => one.innerText.startsWith('Create')).click()`,
    );
    await page.until(`document.querySelector('[role=dialog] [role=alert]')`);
    expect(await page.evaluate(`document.querySelector('[role=dialog] input').value`)).toBe('Nora');
    await start();
    await page.until(isBack);
    expect(await page.evaluate(`document.querySelector('[role=dialog] input').value`)).toBe('Nora');
    await page.until(`document.querySelector('[role=dialog] button:not([aria-busy=true])')`);
    await page.evaluate(
      `[...document.querySelectorAll('[role=dialog] button')].find((one) => one.innerText.startsWith('Create')).click()`,
    );
    await page.until(
      `/^.r.contacts.[0-9a-f-]+$/.test(location.pathname) || document.querySelector('[role=dialog] [role=alert]')`,
    );
    // What was kept is sent within moments.
    const ada = await beside(stage.kith.url, 'Ada');
    const saved = async () => (await ada('GET', `/records/contacts/${first}`)).json.record.job_title;
    await expect.poll(saved, { timeout: 20_000 }).toBe('In a cell');
    await stage.go('/r/contacts?cols=full_name,job_title&q=In%20a%20cell');
    await stage.sees('In a cell');
    expectCalm();
  });

  it('keeps the rows of a settings page where they cannot be asked for anew, and says so above them', async () => {
    const { page } = stage;
    await stage.go('/settings/audit');
    const count = `document.querySelectorAll('main tbody tr').length`;
    await page.until(`${count} > 0`);
    const before = await page.evaluate<number>(count);
    await pause();
    // A minute later somebody comes back to the tab.
    await page.evaluate(`(() => {
      const now = Date.now;
      Date.now = () => now() + 60_000;
      window.dispatchEvent(new Event('visibilitychange'));
    })()`);
    await stage.sees('This did not load.');
    expect(await page.evaluate(count)).toBe(before);
    await start();
    await page.until(`${isBack} && !document.body.innerText.includes('This did not load.')`);
    expectCalm();
  });

  it('gives back what was said to the assistant while nobody heard it', async () => {
    const { page } = stage;
    model.plays(says('Heard.'));
    await stage.go('/agents');
    await page.press('a');
    await page.until(`document.activeElement.tagName === 'TEXTAREA'`);
    await pause();
    await stage.sees(offline);
    await page.type('Whom did we forget');
    await page.press('Enter');
    await page.until(`document.querySelector('aside [role=alert]')`);
    await page.until(`document.querySelector('aside textarea').value === 'Whom did we forget'`);
    await start();
    await page.until(isBack);
    await page.evaluate(`document.querySelector('aside textarea').focus()`);
    await page.press('Enter');
    await stage.sees('Heard.');
    expectCalm();
  });

  it('says when the session has ended, and keeps a form until one is back', async () => {
    const { page } = stage;
    await known();
    await toRecord(page, record);
    await page.press('n');
    await page.until(`document.activeElement.tagName === 'TEXTAREA'`);
    await page.type('In the middle of a word');
    const other = await page.openTab();
    await other.open(stage.kith.url);
    await other.evaluate(`setTimeout(() => document.querySelector('form[action="/signout"]').requestSubmit())`);
    await expect
      .poll(() => other.evaluate(`document.querySelector('form[action="/signout"]') === null`).catch(() => false), {
        timeout: 20_000,
      })
      .toBe(true);
    await page.press('Control+Enter');
    await stage.sees('You are signed out.');
    await page.until(`document.querySelector('main [role=status] a[href^="/signin"]')`);
    expect(await page.evaluate(`document.querySelector('main textarea').value`)).toBe('In the middle of a word');
    await edit(page, 'Typed by nobody');
    await page.press('Enter');
    await page.until(`document.querySelector('section [data-field=job_title]').innerText.includes('Not saved yet')`);
    await other.open(stage.kith.url);
    await other.evaluate(`setTimeout(() => [...document.querySelectorAll('form.card')]
      .find((card) => card.querySelector('h2').textContent.startsWith('Ada')).requestSubmit())`);
    await page.until(`!document.body.innerText.includes('You are signed out.')`);
    await title(page, 'Typed by nobody');
    await page.until(`!document.querySelector('section [data-field=job_title]').innerText.includes('Not saved yet')`);
    expect(await page.evaluate(`location.pathname`)).toBe(record);
    await page.evaluate(`document.querySelector('main textarea').focus()`);
    await page.press('Control+Enter');
    await page.until(`document.querySelector('main textarea').value === ''`);
    await other.close();
    expectCalm();
  });
});
