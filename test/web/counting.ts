/** Keys and clicks of a task, counted as the design's table of screens counts them: what is typed counts for nothing but where it chooses. */
import { expect } from 'vitest';
import type { Stage } from './stage.ts';

/** What has the focus. */
export const focus = `document.activeElement`;
/** Whether that is where one chooses by typing. */
export const picks = `${focus}.role === 'combobox'`;

/** The first of these elements with a line that begins so. */
export const saying = (elements: string, text: string) =>
  `[...document.querySelectorAll(${JSON.stringify(elements)})].find((one) => one.innerText.split('\\n').some((line) => line.trim().startsWith(${JSON.stringify(text)})))`;

export interface Counting {
  /** Presses keys, each of which counts; `when` is true before each. */
  keys(all: readonly string[], when?: string): Promise<void>;
  /** Clicks on the element that the expression gives, once it is there. */
  click(element: string): Promise<void>;
  /** Takes a value of a select: a click opens it, another takes the value. The browser draws its list beside the page, where the second click is a script's. */
  choose(select: string, value: string): Promise<void>;
  /** Expects that the task takes so many at most, and that the page complains of nothing; gives how many it took. */
  counted(most: number, task: () => Promise<void>): Promise<number>;
}

/** Counts on this stage, which may be opened later. */
export function countingOn(stage: () => Stage): Counting {
  let count = 0;
  const click = async (element: string) => {
    const { page } = stage();
    await page.until(`${element} && !${element}.disabled`);
    await page.evaluate(`${element}.setAttribute('data-here', '')`);
    await page.click('[data-here]');
    // What was clicked may have gone, with its page.
    await page.evaluate(`document.querySelector('[data-here]')?.removeAttribute('data-here')`).catch(() => {});
    count++;
  };
  return {
    click,
    async keys(all, when = 'true') {
      for (const key of all) {
        await stage().page.until(when);
        await stage().page.press(key);
        count++;
      }
    },
    async choose(select, value) {
      const { page } = stage();
      await click(select);
      await page.until(`${focus} === ${select}`);
      await page.press('Escape');
      await page.until(`[...${select}.options].some((one) => one.value === ${JSON.stringify(value)})`);
      await page.evaluate(`(() => {
        Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(${select}, ${JSON.stringify(value)});
        ${select}.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
      count++;
    },
    async counted(most, task) {
      count = 0;
      await task();
      expect(count).toBeLessThanOrEqual(most);
      stage().expectQuiet();
      return count;
    },
  };
}
