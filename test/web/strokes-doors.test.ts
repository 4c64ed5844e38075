/** The tasks of the design's table of screens around the application: the first page of a demo, and the reference. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { countingOn, focus, saying } from './counting.ts';
import { openStage, type Stage } from './stage.ts';

/** What was put on the clipboard last. */
const copied = `globalThis.copied`;
const listening = `if (navigator.clipboard) navigator.clipboard.writeText = async (text) => void (${copied} = text)`;
const answered = `document.querySelector('.answer .code header strong')?.textContent`;
const title = `document.querySelector('h1')?.textContent`;

describe.skipIf(chromium === undefined)('the tasks of the pages around the application (need Chromium)', () => {
  let stage: Stage;
  const { keys, click, counted } = countingOn(() => stage);
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    // The pages read nothing of it: what they put there is all that counts.
    await stage.page.onEachDocument(listening);
  });
  afterAll(() => stage?.stop());

  it('first page: curl is copied by 1 click, and Diego looks around by 1', async () => {
    const { page, kith } = stage;
    await stage.go('/');
    await page.until(saying('form.card button', 'Look around as Diego'));
    await counted(1, async () => {
      await click(`${saying('figure.code', 'curl')}.querySelector('button')`);
      await page.until(copied);
    });
    expect(await page.evaluate(copied)).toBe(
      `curl -G '${kith.url}/api/v1/records/contacts' \\\n  -H "Authorization: Bearer $KITH_TOKEN" \\\n  -d limit=3 -d pretty=true`,
    );
    await stage.expectAccessible();
    await counted(1, async () => {
      await click(saying('form.card button', 'Look around as Diego'));
      await expect
        .poll(() => page.evaluate(`document.body.innerText.includes('You look as Diego')`).catch(() => false), {
          timeout: 30_000,
        })
        .toBe(true);
    });
  });

  it('reference: a call is found by / and its name, copied by 1 click, and tried by 1 key', async () => {
    const { page, kith } = stage;
    await stage.go('/docs');
    await page.until(`${title} === 'Quick start'`);
    await counted(2, async () => {
      await keys(['/']);
      await page.until(`${focus}.id === 'search'`);
      await page.type('list companies');
      await keys(['Enter']);
      await page.until(`${title} === 'List companies'`);
    });
    await counted(1, async () => {
      await click(`document.querySelector('aside .code header > button')`);
      await page.until(copied);
    });
    expect(await page.evaluate(copied)).toContain(`${kith.url}/api/v1/records/companies`);
    await stage.go(await page.evaluate<string>('location.pathname'));
    await page.until(`${title} === 'List companies'`);
    await counted(1, async () => {
      await keys(['Control+Enter']);
      await page.until(`${answered}?.startsWith('200')`);
    });
    await stage.go('/docs/companies/createCompany');
    await page.until(`${title} === 'Create company'`);
    await counted(1, async () => {
      await keys(['Control+Enter']);
      await stage.sees('This was a dry run: nothing was kept.');
    });
  });
});
