/** The tasks of the day's work in the design's table of screens, each with as many keys or clicks as it says. Those of admins, and of the pages around the application, are in tests of their own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingest } from '../api/conversations.ts';
import { account, outboxOf } from '../api/sending.ts';
import { chromium } from '../support/browser.ts';
import type { TestOrganization } from '../support/kith.ts';
import { beside } from './beside.ts';
import { countingOn, focus, picks, saying } from './counting.ts';
import { openStage, type Stage } from './stage.ts';

const total = `Number(document.querySelector('[role=grid]')?.ariaRowCount ?? 0) - 1`;
const column = (name: string) =>
  `[...document.querySelectorAll('[data-column]')].find((one) => one.ariaLabel?.startsWith('${name},'))`;

describe.skipIf(chromium === undefined)('the tasks of the screens (need Chromium)', () => {
  let stage: Stage;
  const { keys, click, counted } = countingOn(() => stage);
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const table = async (path: string) => {
    await stage.go(path);
    await stage.page.until(`document.querySelectorAll('[role=row][data-id]').length > 5 && ${focus}.role === 'grid'`);
  };

  const organization = async (): Promise<TestOrganization> => {
    const ada = await beside(stage.kith.url, 'Ada');
    return { id: (await ada('GET', '/me')).json.organizationId } as TestOrganization;
  };
  /** From here on the one account of this user is one by which mails go out. */
  const sendsItself = async (user: string) => {
    const told = await ingest(stage.kith, await organization(), [
      { ...account(user, ['email', 'meeting', 'whatsapp']), provider: 'google', status: 'expired' },
      account(user, ['email', 'whatsapp']),
    ]);
    expect(told.errors).toEqual([]);
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
      await click(saying('main button', 'Filter'));
      await click(saying('[role=dialog] [role=option]', 'Owner'));
      await click(saying('[role=dialog] [role=option]', 'Me'));
      await page.until(narrowed);
    });
    await counted(4, async () => {
      await click(`document.querySelector('[role=columnheader] input[type=checkbox]')`);
      await page.until(`document.querySelector('[role=region][aria-label$=selected]')`);
      const rest = saying('[role=region] button', 'Select all');
      if (await page.evaluate<boolean>(`${rest} !== undefined`)) await click(rest);
      await click(saying('[role=region] button', 'Assign'));
      await click(saying('[role=dialog] [role=option]', 'Diego'));
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
    const taken = await counted(6, async () => {
      await keys(['Control+k']);
      await keys(['h', 'a', 'l', 'd'], picks);
      await page.until(`document.querySelector('[role=option][data-active]')?.innerText.includes('Haldqvist')`);
      await keys(['Enter']);
      await page.until(`location.pathname === '/r/companies/${json.id}'`);
    });
    await page.until(`document.title.includes('Haldqvist Zement')`);
    expect(taken).toBe(6);
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

  it('calendar: a new task by C, its text and Enter; another week, one day and today by 1 key each', async () => {
    const { page } = stage;
    await stage.go('/calendar');
    await page.until(`document.querySelector('#main h2')`);
    await counted(2, async () => {
      await keys(['c']);
      await page.until(`${focus}.closest('form[aria-label="New task"]')`);
      await page.type('Counted in the calendar');
      await keys(['Enter']);
      await stage.sees('Created: Counted in the calendar');
    });
    await page.until(`!document.querySelector('form[aria-label="New task"]')`);
    for (const [key, search] of [
      ['ArrowRight', `location.search.includes('day=')`],
      ['d', `location.search.includes('view=day')`],
      ['t', `!location.search.includes('day=2')`],
    ] as const)
      await counted(1, async () => {
        await keys([key]);
        await page.until(search);
      });
  });

  it('inbox: the next thread by 1 key, a task of it by 2, and an answer by 3', async () => {
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
    await sendsItself('diego@acme.example');
    await stage.go(await page.evaluate<string>(`location.pathname`));
    await page.until(`document.querySelector('article')`);
    await counted(3, async () => {
      await keys(['r']);
      await page.until(`${focus}.matches('textarea')`);
      await page.type('In three keys');
      await keys(['Control+Enter']);
      await stage.sees('Nothing has left yet.');
      await keys(['Control+Enter']);
      await stage.sees('Sent to 1 ');
    });
    const { sent } = await outboxOf(stage.kith, await organization());
    expect(sent).toMatchObject([{ body: expect.stringContaining('In three keys') }]);
  });
});
