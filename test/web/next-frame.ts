import type { Page } from '../support/browser.ts';

/** Has the page note what the expression says in the first frame after the next event of the type; resolves to a reader of that. */
export async function notesNextFrame(
  page: Page,
  type: 'keydown' | 'pointerup',
  expression: string,
): Promise<() => Promise<unknown>> {
  await page.evaluate(`void (globalThis.inNextFrame = new Promise((resolve) => {
    const note = () => requestAnimationFrame(() => resolve(${expression}));
    addEventListener('${type}', note, { capture: true, once: true });
  }))`);
  return () => page.evaluate('inNextFrame');
}
