/** The frame of the application: how it comes up, where it leads, its palette and keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(chromium === undefined)('the frame of the application (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
  });
  afterAll(() => stage?.stop());

  it('shows who is in, and counts what the role may see', async () => {
    const { page } = stage;
    await stage.enter('Diego', '/home');
    await stage.sees('Acme Demo');
    await stage.sees('Diego Marín');
    await stage.expectAccessible();
    stage.expectQuiet();
    expect(await page.evaluate('document.title')).toBe('Home · Kith');
  });

  it('tells who sees all that there is no such object, and what was probably meant', async () => {
    const { page } = stage;
    await stage.enter('Ada', '/r/contact');
    await stage.sees('There is no contact here.');
    await page.until(`document.querySelector('main a[href="/r/contacts"]')`);
    await stage.enter('Diego', '/r/contact');
    await stage.sees('Your role has no access to contact.');
  });

  it('finds a record by its name, and goes by keys', async () => {
    const { page } = stage;
    await page.press('Control+k');
    await page.until(`document.querySelector('[role=dialog] input')`);
    await page.type('contacts');
    await stage.sees('Open Contacts');
    await stage.expectAccessible();
    await page.press('Escape');
    await page.until(`!document.querySelector('[role=dialog]')`);
    await page.press('g');
    await page.press('t');
    await page.until(`location.pathname === '/tasks'`);
    await page.press('?');
    await page.until(`document.querySelector('[role=dialog] dl')`);
    await stage.expectAccessible();
    stage.expectQuiet();
  });
});
