/** What agents and people did, and its way back; the assistant, with a model that is a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls, openModel, says, type ModelServer } from '../agent/model-server.ts';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(chromium === undefined)('agents and the assistant (needs Chromium)', () => {
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

  const press = (text: string) =>
    stage.page.evaluate(
      `[...document.querySelectorAll('#main button')].find((one) => one.textContent.startsWith(${JSON.stringify(text)})).click()`,
    );
  const say = async (text: string) => {
    await stage.page.until(
      `document.activeElement.tagName === 'TEXTAREA' && !document.querySelector('form button')?.disabled`,
    );
    await stage.page.type(text);
    await stage.page.press('Enter');
  };

  it('shows what people did, and nothing of agents that did nothing', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/agents?by=people');
    await page.until(`document.querySelector('article')`);
    await stage.expectAccessible();
    expect(await page.evaluate(`document.querySelector('#main header a[href="/settings/apps"]') !== null`)).toBe(true);
    stage.expectQuiet();
  });

  it('talks, does what it may, and its run is undone', async () => {
    const { page } = stage;
    model.plays(
      calls({
        name: 'crm_save_record',
        args: { action: 'create', object_name: 'companies', values: { name: 'Robotic <i>Firm</i>' } },
      }),
      says('Made ', 'the company.'),
    );
    await page.press('a');
    await say('Make a company');
    await stage.sees('Made the company.');
    await stage.sees('Used save record');
    await stage.expectAccessible();
    await page.press('Escape');
    await page.until(`!document.querySelector('textarea')`);
    await stage.go('/agents');
    await stage.sees('in-app agent (test-model) for Ada');
    await stage.sees('Made records');
    await page.until(`document.querySelector('article').innerText.includes('Robotic <i>Firm</i>')`);
    await page.click('article h2 a');
    await stage.sees('Robotic <i>Firm</i>');
    await stage.sees('Undo all 1');
    await stage.expectAccessible();
    await press('Undo all 1');
    await stage.sees('Nothing of it is left to undo.');
    stage.expectQuiet();
  });

  it('loses nothing before the person’s own yes', async () => {
    const { page } = stage;
    await stage.go('/r/companies');
    const id = await page.evaluate<string>(
      `fetch('/api/v1/records/companies?limit=1&fields=id').then((answer) => answer.json()).then(({ data }) => data[0].id)`,
    );
    const status = () =>
      page.evaluate<number>(
        `fetch('/api/v1/records/companies?ids=${id}').then((a) => a.json()).then(({ total }) => total)`,
      );
    model.plays(
      calls({ name: 'crm_save_record', args: { action: 'delete', object_name: 'companies', record_id: id } }),
      says('It is gone.'),
    );
    await stage.go('/agents');
    await page.press('a');
    await say('Delete it');
    await stage.sees('Only you can say yes');
    await stage.expectAccessible();
    expect(await status()).toBe(1);
    await press('Do it');
    await stage.sees('It is gone.');
    expect(await status()).toBe(0);
    stage.expectQuiet();
  });
});
