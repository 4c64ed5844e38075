/** The tasks of the design's table of screens that are an admin's: dashboards, imports, duplicates, tokens, people; each with as many keys or clicks as it says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { startMailServer, type MailServer } from '../support/smtp.ts';
import { beside } from './beside.ts';
import { countingOn, focus, saying } from './counting.ts';
import { dropFile } from './drop-file.ts';
import { openStage, type Stage } from './stage.ts';

/** The main button of a page's bar. */
const main = `[...document.querySelectorAll('#main header button')].at(-1)`;
const isAtRest = `${main}?.getAttribute('aria-busy') === 'false'`;

describe.skipIf(chromium === undefined)('the tasks of admins (need Chromium)', () => {
  let mail: MailServer;
  let stage: Stage;
  const { keys, click, choose, counted } = countingOn(() => stage);
  beforeAll(async () => {
    mail = await startMailServer();
    stage = await openStage(chromium ?? '', { KITH_SMTP_URL: mail.url, KITH_MAIL_FROM: 'kith@crm.test' });
  });
  afterAll(async () => {
    await stage?.stop();
    await mail?.stop();
  });

  it('dashboard: the table of a chart by 1, another period by 2, and its records by a click on a bar', async () => {
    const { page } = stage;
    const ada = await beside(stage.kith.url, 'Ada');
    const of = { object_name: 'opportunities', aggregation: 'COUNT' };
    const { json } = await ada('POST', '/dashboards', {
      name: 'Counted',
      charts: [
        { ...of, title: 'By owner', chart_type: 'bar', group_by: 'owner' },
        { ...of, title: 'New ones', chart_type: 'indicator', comparison: true },
      ],
    });
    await stage.enter('Ada', `/dashboards/${json.id}`);
    const tile = `document.querySelector('section[aria-label="By owner"]')`;
    await page.until(`${tile}?.querySelector('li a')`);
    await counted(1, async () => {
      await click(`document.querySelector('button[aria-label="By owner as a table"]')`);
      await page.until(`${tile}.querySelector('table')`);
    });
    const period = `document.querySelector('select[aria-label="Compared with"]')`;
    await counted(2, async () => {
      await keys(['p']);
      await keys(['ArrowDown'], `${focus} === ${period}`);
      await page.until(`location.search.includes('period=previous_month')`);
    });
    await counted(2, async () => {
      await choose(period, 'previous_year');
      await page.until(`location.search.includes('period=previous_year')`);
    });
    await page.click('button[aria-label="By owner as a chart"]');
    await counted(1, async () => {
      await click(`${tile}.querySelector('li a')`);
      await page.until(`location.pathname === '/r/opportunities' && location.search.includes('f=')`);
    });
    const filter = await page.evaluate<string>(`new URLSearchParams(location.search).get('f')`);
    expect(JSON.parse(filter)).toMatchObject({ conditions: [{ field: 'owner' }] });
  });

  it('import: 2 clicks after the drop when all is sure, 2 for a column, 1 to take it back', async () => {
    const { page } = stage;
    const drop = async (text: string) => {
      await stage.go('/import?object=companies');
      await page.until(`document.querySelector('#main p')`);
      await dropFile(page, Buffer.from(text), 'firms.csv');
      await stage.sees('A dry run of all 2 rows');
      await page.until(isAtRest);
    };
    await drop('Name,Domain\nCounted One,counted-one.example\nCounted Two,counted-two.example\n');
    const unsure = `[...document.querySelectorAll('#main tbody tr')].filter((row) => row.querySelector('select') && !row.innerText.includes('Sure'))`;
    expect(await page.evaluate(`${unsure}.length`)).toBe(0);
    await counted(2, async () => {
      await click(main);
      await stage.sees('Back to columns');
      await page.until(isAtRest);
      await click(main);
      await stage.sees('Revert 2 records');
    });
    await counted(1, async () => {
      await click(saying('#main button', 'Revert 2 records'));
      await stage.sees('This import is reverted.');
    });
    await drop('Name,Odd words\nCounted Three,cement\nCounted Four,sand\n');
    await counted(2, async () => {
      await choose(`document.querySelector('select[aria-label="Odd words goes to"]')`, 'map industry');
    });
    await counted(2, async () => {
      await click(main);
      await stage.sees('Back to columns');
      await page.until(isAtRest);
      await click(main);
      await stage.sees('Revert 2 records');
    });
  });

  it('duplicates: another master by 1 click, merged by 1 key, not the same by 1', async () => {
    const { page } = stage;
    await stage.go('/duplicates/contacts');
    const ready = `${saying('#main header button', 'Merge ')}?.disabled === false`;
    await page.until(ready);
    const other = `document.querySelector('thead input[type=radio]:not(:checked)')`;
    await page.evaluate(`${other}.id = 'other'`);
    await counted(1, async () => {
      await click(`document.querySelector('#other')`);
      await page.until(`document.querySelector('#other').checked && ${ready}`);
    });
    await counted(1, async () => {
      await keys(['Control+Enter']);
      await stage.sees('Merged into');
    });
    await page.until(ready);
    await counted(1, async () => {
      await keys(['x']);
      await stage.sees('Marked as not the same');
    });
  });

  it('tokens: made and copied by 3 keys, revoked by 2 keys or clicks', async () => {
    const { page } = stage;
    const row = (is: boolean) => page.until(`(${saying('#main tbody tr', 'Counted')} !== undefined) === ${is}`);
    const make = async () => {
      await counted(3, async () => {
        await keys(['c']);
        await page.until(`${focus}.closest('form')`);
        await page.type('Counted');
        await keys(['Enter']);
        await page.until(`${focus}.textContent === 'Copy'`);
        await keys(['Enter']);
        await stage.sees('Copied');
      });
      await row(true);
    };
    await stage.go('/settings/tokens');
    await page.until(`document.querySelector('#main tbody tr')`);
    await make();
    await counted(2, async () => {
      await keys(['Delete']);
      await keys(['Enter'], `document.querySelector('[role=alertdialog]')?.contains(${focus})`);
      await row(false);
    });
    await make();
    await counted(2, async () => {
      await click(`document.querySelector('button[aria-label="Revoke: Counted"]')`);
      await click(saying('[role=alertdialog] button', 'Revoke'));
      await row(false);
    });
  });

  it('people: invited by C, the address, Tab, a letter of the role, and Enter', async () => {
    const { page } = stage;
    await stage.go('/settings/people');
    await page.until(`document.querySelector('form select')?.value === 'Member'`);
    await counted(4, async () => {
      await keys(['c']);
      await page.until(`${focus}.type === 'email'`);
      await page.type('noor@acme.test');
      await keys(['Tab']);
      await keys(['v'], `${focus}.matches('select')`);
      await keys(['Enter'], `${focus}.value === 'Viewer'`);
      await stage.sees('An invitation is on its way to noor@acme.test');
    });
    expect((await mail.next('noor@acme.test')).text).toContain('as Viewer');
  });
});
