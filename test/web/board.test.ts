/** The board: cards in the columns of their steps, moved by keys and by mouse, and asked for what they lack. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { notesNextFrame } from './next-frame.ts';
import { openStage, type Stage } from './stage.ts';

const column = (name: string) =>
  `[...document.querySelectorAll('[data-column]')].find((one) => one.ariaLabel.startsWith('${name},'))`;
const first = (name: string) => `${column(name)}.querySelector('article')?.ariaLabel`;
const countIn = (name: string) => `Number(${column(name)}.ariaLabel.split(', ')[1])`;

describe.skipIf(chromium === undefined)('the board (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  }, 130_000);
  afterAll(() => stage?.stop());

  it('shows what each step holds and is worth, each currency by itself', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/opportunities?layout=board');
    await page.until(`document.querySelectorAll('article').length > 5`);
    const labels = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-column] h2 bdi')].map((one) => one.innerText)`,
    );
    expect(labels).toEqual(['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']);
    await page.until(`${column('Lead')}.querySelector('header p')?.innerText.includes('€')`);
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('moves a card with four keys, and takes it back', async () => {
    const { page } = stage;
    await page.press('ArrowDown');
    await page.until(`document.activeElement.tagName === 'ARTICLE'`);
    const name = await page.evaluate<string>(`document.activeElement.ariaLabel`);
    await page.press('m');
    await page.until(`document.activeElement.role === 'combobox'`);
    for (const key of ['p', 'r', 'Enter']) await page.press(key);
    await page.until(`${first('Proposal')} === ${JSON.stringify(name)}`);
    await stage.sees(`Moved ${name} to Proposal.`);
    await page.until(`document.activeElement.ariaLabel === ${JSON.stringify(name)}`);
    await page.press('Control+z');
    await page.until(
      `![...${column('Proposal')}.querySelectorAll('article')].some((one) => one.ariaLabel === ${JSON.stringify(name)})`,
    );
    stage.expectQuiet();
  });

  it('moves a card that is dragged', async () => {
    const { page } = stage;
    const name = await page.evaluate<string>(first('Lead'));
    const before = await page.evaluate<number>(countIn('Qualified'));
    const inNextFrame = await notesNextFrame(page, 'pointerup', first('Qualified'));
    await page.drag(
      '[data-column]:nth-child(1) li:first-child article',
      '[data-column]:nth-child(2) li:first-child article',
    );
    expect(await inNextFrame()).toBe(name);
    await stage.sees(`Moved ${name} to Qualified.`);
    await page.until(`${countIn('Qualified')} >= ${before + 1}`);
    stage.expectQuiet();
  });

  it('asks where the card goes for what it lacks, and sends both at once', async () => {
    const { page } = stage;
    const refused = await page.evaluate<string>(`(async () => {
      const manifest = await (await fetch('/api/v1/manifest')).json();
      const { steps } = manifest.pipelines.find(({ name }) => name === 'Sales');
      steps.find(({ name }) => name === 'Lead').questions = [{ linked_field_name: 'close_date', required_for_next_stage: true }];
      const answer = await fetch('/api/v1/manifest', {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(manifest),
      });
      return answer.ok ? '' : answer.text();
    })()`);
    expect(refused).toBe('');
    const filter = { type: 'AND', conditions: [{ field: 'close_date', operator: 'is_null' }] };
    await stage.go(`/r/opportunities?layout=board&f=${encodeURIComponent(JSON.stringify(filter))}`);
    await page.until(`document.querySelectorAll('article').length > 0`);
    const name = await page.evaluate<string>(first('Lead'));
    await page.press('ArrowDown');
    await page.press('m');
    await page.until(`document.activeElement.role === 'combobox'`);
    for (const key of ['p', 'r', 'Enter']) await page.press(key);
    await page.until(`${column('Proposal')}.querySelector('[role=group][aria-label^="One field is needed"]')`);
    await page.until(
      `[...${column('Lead')}.querySelectorAll('article')].some((one) => one.ariaLabel === ${JSON.stringify(name)})`,
    );
    await stage.expectAccessible();
    await page.until(`document.activeElement.tagName === 'INPUT'`);
    await page.type('2027-03-05');
    await page.press('Enter');
    await stage.sees(`Moved ${name} to Proposal.`);
    await page.until(`!document.querySelector('[role=group][aria-label^="One field is needed"]')`);
  });
});
