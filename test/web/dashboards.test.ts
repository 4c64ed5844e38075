/** Dashboards: made, filled with charts that lead to their records, each with its table; and what a partner sees of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(chromium === undefined)('dashboards (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    const ada = await beside(stage.kith.url, 'Ada');
    for (const { id } of (await ada('GET', '/dashboards')).json.data) await ada('DELETE', `/dashboards/${id}`);
  });
  afterAll(() => stage?.stop());

  const choose = (label: string, value: string) =>
    stage.page.evaluate(`(() => {
      const label = [...document.querySelectorAll('[role=dialog] label')].find((one) => one.textContent.startsWith(${JSON.stringify(label)}));
      const select = label.querySelector('select');
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, ${JSON.stringify(value)});
      select.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
  const tile = (title: string) => `document.querySelector('section[aria-label=${JSON.stringify(title)}]')`;

  it('is made by keys, takes charts, and adds no amounts of different currencies', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/dashboards');
    await stage.sees('No dashboard yet.');
    await stage.expectAccessible();
    await page.press('c');
    await page.type('Sales');
    await page.press('Enter');
    await stage.sees('No chart yet.');
    await page.press('n');
    await page.until(`document.querySelector('[role=dialog] input')`);
    await stage.expectAccessible();
    await page.type('Amount by owner');
    await choose('What is counted', 'SUM');
    await page.until(`document.querySelectorAll('[role=dialog] select').length > 4`);
    await choose('Of the field', 'amount');
    await choose('For each', 'owner');
    await page.press('Enter');
    await stage.sees('EUR only, 2 more currencies');
    const widths = await page.evaluate<number[]>(
      `[...${tile('Amount by owner')}.querySelectorAll('li rect + rect')].map((bar) => Number.parseFloat(bar.getAttribute('width')))`,
    );
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    expect(widths.length).toBeGreaterThan(4);
    await stage.expectAccessible();
    await page.click('button[aria-label="Amount by owner as a table"]');
    await page.until(`${tile('Amount by owner')}.querySelector('table')`);
    expect(await page.evaluate<string>(`${tile('Amount by owner')}.querySelector('td + td').textContent`)).toMatch(
      /€.*£.*\$/,
    );
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('leads from a bar to its records, and takes a chart off and back', async () => {
    const { page } = stage;
    const address = await page.evaluate<string>('location.pathname');
    await page.click('button[aria-label="Amount by owner as a chart"]');
    await page.click('section[aria-label="Amount by owner"] li a');
    await page.until(`location.pathname === '/r/opportunities'`);
    const filter = JSON.parse(await page.evaluate<string>(`new URLSearchParams(location.search).get('f')`));
    expect(filter).toMatchObject({ type: 'AND', conditions: [{ field: 'owner', operator: 'equals' }] });
    await stage.go(address);
    await page.click('button[aria-label="Delete Amount by owner"]');
    await stage.sees('was deleted');
    await page.until(`!${tile('Amount by owner')}`);
    await page.evaluate(
      `[...document.querySelectorAll('[role=status] button')].find((one) => one.textContent === 'Undo').click()`,
    );
    await page.until(tile('Amount by owner'));
    stage.expectQuiet();
  });

  it('compares another period by a choice, for who looks alone, as the address says', async () => {
    const { page } = stage;
    const ada = await beside(stage.kith.url, 'Ada');
    const [dashboard] = (await ada('GET', '/dashboards')).json.data;
    const chart = { title: 'New deals', object_name: 'opportunities', chart_type: 'indicator', comparison: true };
    await ada('POST', `/dashboards/${dashboard.id}/charts`, chart);
    await stage.go(`/dashboards/${dashboard.id}`);
    const period = `${tile('New deals')}?.querySelector('header .hint')?.textContent`;
    await page.until(period);
    const month = await page.evaluate<string>(period);
    const select = `document.querySelector('select[aria-label="Compared with"]')`;
    await page.evaluate(`(() => {
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(${select}, 'previous_year');
      ${select}.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await page.until(`location.search.includes('period=previous_year') && ${period} !== ${JSON.stringify(month)}`);
    expect(await page.evaluate(period)).toContain('Jan 1');
    await stage.expectAccessible();
    const kept = (await ada('GET', `/dashboards/${dashboard.id}`)).json.charts;
    expect(kept.at(-1)).toMatchObject({ title: 'New deals', comparison_period: 'previous_month' });
    await stage.go(`/dashboards/${dashboard.id}`);
    await page.until(`${period} === ${JSON.stringify(month)}`);
    stage.expectQuiet();
  });

  it('says in the one tile what a partner may not see', async () => {
    await stage.enter('Hana', '/dashboards');
    await stage.sees('Sales');
    await stage.page.click('#main ul a');
    await stage.sees('This chart shows nothing to you.');
    await stage.expectAccessible();
    stage.expectQuiet();
  });
});
