/** More requests than the service takes: what a person does is said to wait, and is done by itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

const [limit, windowSeconds] = [60, 6];

describe.skipIf(chromium === undefined)('where the service asks to wait (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '', {
      KITH_RATE_LIMITS: JSON.stringify({ 'api:global': { limit, windowSeconds } }),
    });
  });
  afterAll(() => stage?.stop());

  it('says when a change is sent again, and sends it', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/companies?cols=name,employees');
    await page.until(
      `document.querySelectorAll('[role=row][data-id]').length > 5 && document.activeElement.role === 'grid'`,
    );
    const cell = `document.querySelector('[role=row][data-id] [role=gridcell]:nth-child(3)')`;
    await page.press('ArrowDown');
    await page.press('ArrowRight');
    await page.press('ArrowRight');
    await page.press('Enter');
    await page.until(`document.activeElement.tagName === 'INPUT'`);
    await page.press('Control+a');
    await page.type('4321');
    const refused = await page.evaluate<number>(`(async () => {
      const answers = await Promise.all(Array.from({ length: ${limit} }, () => fetch('/api/v1/me')));
      return answers.filter(({ status }) => status === 429).length;
    })()`);
    expect(refused).toBeGreaterThan(0);
    await page.press('Enter');
    await page.until(`/again in [1-9]\\d* s/.test(document.querySelector('main [role=status]').innerText)`);
    await page.until(`${cell}.innerText === '4,321'`);
    await page.until(`document.querySelector('main [role=status]').innerText === ''`);
    // Asking before it is sent would use up what the service takes, and make it wait again.
    const id = await page.evaluate<string>(`document.querySelector('[role=row][data-id]').dataset.id`);
    await page.until(`performance.getEntriesByType('resource')
      .some(({ name, responseStatus }) => name.endsWith('/records/companies/${id}') && responseStatus === 200)`);
    await expect
      .poll(
        () =>
          page.evaluate(`fetch('/api/v1/records/companies/${id}')
            .then((answer) => answer.json()).then(({ record }) => record?.employees)`),
        { interval: 1_000, timeout: 10_000 },
      )
      .toBe(4321);
    stage.expectQuiet();
  });
});
