/** The tasks of the design's table of screens, each with as many keys or clicks as it says. Those of a file that is dropped, of tokens, merges and mail are in the tests of their pages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

const focus = `document.activeElement`;
const picks = `${focus}.role === 'combobox'`;
const total = `Number(document.querySelector('[role=grid]')?.ariaRowCount ?? 0) - 1`;
const column = (name: string) =>
  `[...document.querySelectorAll('[data-column]')].find((one) => one.ariaLabel?.startsWith('${name},'))`;

/** Clicks on what has this text. */
const on = (within: string, text: string) =>
  `[...document.querySelectorAll('${within}')].find((one) => one.innerText.split('\\n').some((line) => line.trim().startsWith(${JSON.stringify(text)})))`;

describe.skipIf(chromium === undefined)('the tasks of the screens (need Chromium)', () => {
  let stage: Stage;
  let count = 0;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  /** Presses keys, each of which counts; `when` is true before each. */
  const keys = async (all: readonly string[], when = 'true') => {
    for (const key of all) {
      await stage.page.until(when);
      await stage.page.press(key);
      count++;
    }
  };
  const click = async (element: string) => {
    await stage.page.until(element);
    await stage.page.evaluate(`${element}.setAttribute('data-here', '')`);
    await stage.page.click('[data-here]');
    await stage.page.evaluate(`document.querySelector('[data-here]')?.removeAttribute('data-here')`);
    count++;
  };
  const counted = async (most: number, task: () => Promise<void>) => {
    count = 0;
    await task();
    expect(count).toBeLessThanOrEqual(most);
    stage.expectQuiet();
  };
  const table = async (path: string) => {
    await stage.go(path);
    await stage.page.until(`document.querySelectorAll('[role=row][data-id]').length > 5 && ${focus}.role === 'grid'`);
  };

  it('table: one’s own in 7 keys or 3 clicks, and all of them to somebody else in 6 more or 4', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/opportunities');
    await table('/r/opportunities');
    const all = await page.evaluate<number>(total);
    const narrowed = `location.search.includes('f=') && ${total} > 0 && ${total} < ${all} && !document.querySelector('[aria-busy=true]')`;
    await counted(7, async () => {
      await keys(['f']);
      await keys(['o', 'w', 'Enter'], picks);
      await page.until(`${focus}.getAttribute('aria-label')?.startsWith('Owner')`);
      await keys(['m', 'e', 'Enter'], picks);
      await page.until(narrowed);
    });
    const mine = await page.evaluate<number>(total);
    await counted(6, async () => {
      await keys(['Control+a', 'Control+a', 'a']);
      await keys(['d', 'i', 'Enter'], picks);
      await stage.sees(`Owner set in ${mine} records`);
    });
    await page.press('Control+z');
    await stage.sees('Undone: Owner');
    await table('/r/opportunities');
    await counted(3, async () => {
      await click(on('main button', 'Filter'));
      await click(on('[role=dialog] [role=option]', 'Owner'));
      await click(on('[role=dialog] [role=option]', 'Me'));
      await page.until(narrowed);
    });
    await counted(4, async () => {
      await click(`document.querySelector('[role=columnheader] input[type=checkbox]')`);
      await page.until(`document.querySelector('[role=region][aria-label$=selected]')`);
      const rest = on('[role=region] button', 'Select all');
      if (await page.evaluate<boolean>(`${rest} !== undefined`)) await click(rest);
      await click(on('[role=region] button', 'Assign'));
      await click(on('[role=dialog] [role=option]', 'Diego'));
      await stage.sees(`Owner set in ${mine} records`);
    });
    await page.press('Control+z');
    await stage.sees('Undone: Owner');
  });

  it('a known record from anywhere: the palette, four letters, Enter', async () => {
    const { page } = stage;
    const ada = await beside(stage.kith.url, 'Ada');
    const { json } = await ada('POST', '/records/companies', { name: 'Haldqvist Zement' });
    await stage.go('/tasks');
    await counted(6, async () => {
      await keys(['Control+k']);
      await keys(['h', 'a', 'l', 'd'], picks);
      await page.until(`document.querySelector('[role=option][data-active]')?.innerText.includes('Haldqvist')`);
      await keys(['Enter']);
      await page.until(`location.pathname === '/r/companies/${json.id}'`);
    });
    await page.until(`document.title.includes('Haldqvist Zement')`);
    expect(count).toBe(6);
  });

  it('board: a card moved in 4 keys or one drag, and a new one at its step by C, its name and Enter', async () => {
    const { page } = stage;
    await stage.go('/r/opportunities?layout=board');
    await page.until(`document.querySelectorAll('article').length > 5`);
    await page.press('ArrowDown');
    await page.until(`${focus}.tagName === 'ARTICLE'`);
    const name = await page.evaluate<string>(`${focus}.ariaLabel`);
    await counted(4, async () => {
      await keys(['m']);
      await keys(['p', 'r', 'Enter'], picks);
      await stage.sees(`Moved ${name} to Proposal.`);
    });
    await page.until(`${focus}.ariaLabel === ${JSON.stringify(name)}`);
    await counted(2, async () => {
      await keys(['c']);
      await page.until(`${focus}.tagName === 'INPUT' && document.querySelector('[role=dialog]').contains(${focus})`);
      await page.type('Made at Proposal');
      await keys(['Enter']);
      await page.until(
        `${column('Proposal')}.innerText.includes('Made at Proposal') && !document.querySelector('[role=dialog]')`,
      );
    });
    expect(await page.evaluate(`location.pathname`)).toBe('/r/opportunities');
  });

  it('record: a note in 2 keys, a field by a click and Tab, the next one by 1', async () => {
    const { page } = stage;
    await table('/r/contacts');
    await page.press('ArrowDown');
    await page.press('Enter');
    await page.until(`document.querySelector('[data-field=job_title]') && document.querySelector('main textarea')`);
    await counted(2, async () => {
      await keys(['n']);
      await page.until(`${focus}.tagName === 'TEXTAREA'`);
      await page.type('Two keys');
      await keys(['Control+Enter']);
      await stage.sees('Two keys');
      await stage.sees('wrote a note');
    });
    await counted(2, async () => {
      await click(
        `document.querySelector('[data-field=job_title] button, [data-field=job_title] dd, [data-field=job_title]')`,
      );
      await page.until(`${focus}.tagName === 'INPUT'`);
      await page.press('Control+a');
      await page.type('Counted');
      await keys(['Tab']);
      await page.until(`document.querySelector('[data-field=job_title]').innerText.includes('Counted')`);
    });
    const at = await page.evaluate<string>(`location.pathname`);
    await page.evaluate(`void ${focus}.blur()`);
    await counted(1, async () => {
      await keys(['Alt+ArrowDown']);
      await page.until(`location.pathname !== '${at}'`);
    });
  });

  it('tasks: a new one by C, its text and Enter; done by Space; to Friday by D, fr and Enter', async () => {
    const { page } = stage;
    const rows = `document.querySelectorAll('main [role=row]').length`;
    await stage.enter('Diego', '/tasks');
    await page.until(`${rows} > 1`);
    await counted(2, async () => {
      await keys(['c']);
      await page.until(`${focus}.closest('form[aria-label="New task"]')`);
      await page.type('Counted task');
      await keys(['Enter']);
      await stage.sees('Counted task');
    });
    await page.press('Escape');
    await page.evaluate(`void document.querySelector('main [role=row]').focus()`);
    await counted(4, async () => {
      await keys(['d']);
      await keys(['f', 'r', 'Enter'], `${focus}.matches('[role=dialog] input')`);
      await page.until(`!document.querySelector('[role=dialog]') && ${focus}.matches('[role=row]')`);
    });
    await counted(1, async () => {
      await keys([' ']);
      await stage.sees('Done: ');
    });
  });

  it('inbox: the next thread by 1 key, and a task of it by 2', async () => {
    const { page } = stage;
    await stage.go('/inbox');
    await page.until(`document.querySelectorAll('ul[aria-label=Threads] li').length > 3`);
    await page.click('ul[aria-label=Threads] li button');
    await page.until(`document.querySelector('article')`);
    const thread = await page.evaluate<string>(`location.pathname`);
    await counted(1, async () => {
      await keys(['ArrowDown']);
      await page.until(`location.pathname !== '${thread}'`);
    });
    await page.until(`document.querySelector('article')`);
    await counted(2, async () => {
      await keys(['t']);
      await keys(['Enter'], `${focus}.closest('form[aria-label="New task"]')`);
      await stage.sees('Created: Answer:');
    });
  });
});
