/** Cells pasted from a spreadsheet: read as if they were typed, undone together, and each that is refused says why. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

const grid = `document.querySelector('[role=grid]')`;
const rows = `document.querySelectorAll('[role=grid] [role=row][data-id]')`;
const columnOf = (cell: number, count: number) =>
  `[...${rows}].slice(0, ${count}).map((row) => row.querySelector('[role=gridcell]:nth-child(${cell + 2})').innerText)`;

describe.skipIf(chromium === undefined)('pasted cells (need Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  const paste = (text: string) =>
    stage.page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
  const toTable = async (path: string) => {
    await stage.go(path);
    await stage.page.until(`${rows}.length > 3 && document.activeElement?.role === 'grid'`);
  };

  it('sets a block from the cell of the cursor on, and takes it back as one', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/companies');
    await toTable('/r/companies?cols=name,industry,employees&sort=name');
    const [industries, employees] = [
      await page.evaluate<string[]>(columnOf(1, 3)),
      await page.evaluate<string[]>(columnOf(2, 3)),
    ];
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.press(key);
    const option = industries.find((label) => label !== '') ?? '';
    await paste(`${option.toLowerCase()}\t1,234\r\n${option}\t5\r\n${option}\t0\r\n`);
    await stage.sees('Pasted into 3 records');
    await page.until(`JSON.stringify(${columnOf(2, 3)}) === '["1,234","5","0"]'`);
    await page.until(`${columnOf(1, 3)}.every((label) => label === ${JSON.stringify(option)})`);
    await stage.expectAccessible();
    await page.press('Control+z');
    await page.until(`JSON.stringify(${columnOf(2, 3)}) === ${JSON.stringify(JSON.stringify(employees))}`);
    await page.until(`JSON.stringify(${columnOf(1, 3)}) === ${JSON.stringify(JSON.stringify(industries))}`);
    stage.expectQuiet();
  });

  it('tells of each cell that takes nothing of it, and sets the rest', async () => {
    const { page } = stage;
    await toTable('/r/companies?cols=name,industry,employees&sort=name');
    const before = await page.evaluate<string[]>(columnOf(1, 2));
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.press(key);
    await paste('No such industry\t77\n\tmany');
    await stage.sees('2 cells kept their values');
    await stage.sees('“No such industry”: Nothing of that name');
    await stage.sees('“many”: Type a number.');
    await page.until(`${columnOf(2, 1)}[0] === '77'`);
    expect((await page.evaluate<string[]>(columnOf(1, 2)))[0]).toBe(before[0]);
    await stage.expectAccessible();
    await page.press('Control+z');
    await page.until(`${columnOf(2, 1)}[0] !== '77'`);
    stage.expectQuiet();
  });

  it('refuses more rows or columns than there are, with a sentence', async () => {
    const { page } = stage;
    await toTable('/r/companies?cols=name,employees&sort=name');
    await page.press('ArrowDown');
    await page.press('ArrowRight');
    await paste('a\tb\tc');
    await stage.sees('3 columns were copied, and only 2 are there from this cell on: nothing was pasted.');
    await paste(Array.from({ length: 2_000 }, () => 'x').join('\n'));
    await stage.page.until(
      `/2,000 rows were copied, and only \\d+ are shown from here on: nothing was pasted\\./.test(document.body.innerText)`,
    );
    stage.expectQuiet();
  });

  it('takes a relation and a user by their names, a quoted cell whole, and nothing that the role may not', async () => {
    const { page } = stage;
    await toTable('/r/contacts?cols=full_name,company_id,job_title,created_at&sort=-created_at');
    const company = await page.evaluate<string>(
      `${columnOf(1, 40)}.find((name) => name.length > 3).split('\\n').at(-1)`,
    );
    const was = await page.evaluate<string>(`${columnOf(0, 1)}[0]`);
    for (const key of ['ArrowDown', 'ArrowRight']) await page.press(key);
    await paste(`Somebody Else\t${company}\t"Head of ""things"""\t2020-01-01`);
    await stage.sees('2 cells kept their values');
    await page.until(
      `${columnOf(1, 1)}[0].includes(${JSON.stringify(company)}) && ${columnOf(2, 1)}[0] === 'Head of "things"'`,
    );
    expect(await page.evaluate(`${columnOf(0, 1)}[0]`)).toBe(was);
    await page.press('Control+z');
    await page.until(`${columnOf(2, 1)}[0] !== 'Head of "things"'`);
    expect(await page.evaluate(`${grid}.role`)).toBe('grid');
    stage.expectQuiet();
  });
});
