/** Times on a page, as whoever looks at it has them: from the event to the picture that shows what it asked for. */
import type { Page } from '../test/support/browser.ts';

/** So long is waited for what an act leads to. */
const mostMs = 20_000;

/** Put into each document: `clock.arm` before an act, `clock.done` after it. */
const script = `(() => {
  const painted = (isThere) => new Promise((resolve, reject) => {
    const end = performance.now() + ${mostMs};
    const look = () => requestAnimationFrame(() => {
      if (performance.now() > end) return reject(new Error('Not within ${mostMs} ms: ' + isThere));
      if (!isThere()) return look();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    });
    look();
  });
  globalThis.clock = {
    painted,
    arm(type, conditions) {
      let began;
      addEventListener(type, (event) => { began = event.timeStamp; }, { capture: true, once: true });
      this.done = Promise.all(conditions.map(async (isThere) => {
        const at = await painted(() => began !== undefined && isThere());
        return at - began;
      }));
    },
    /** Of each frame until \`stop\`: how long it took, and what the condition said. */
    film(isWrong) {
      const frames = [];
      let isOn = true, last;
      const look = (now) => {
        if (!isOn) return;
        if (last !== undefined) frames.push({ ms: now - last, isWrong: isWrong() });
        last = now;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      return () => { isOn = false; return frames; };
    },
  };
})()`;

/** Has every page that is opened from here on keep the time. */
export async function keepTime(page: Page): Promise<void> {
  await page.onEachDocument(script);
}

/** Milliseconds from the first event of this type to the picture in which each of the conditions is true. */
export async function timed(
  page: Page,
  type: 'keydown' | 'pointerup' | 'input' | 'scroll',
  conditions: readonly string[],
  act: () => Promise<void>,
): Promise<number[]> {
  await page.evaluate(`void clock.arm('${type}', [${conditions.map((one) => `() => ${one}`).join()}])`);
  await act();
  return page.evaluate('clock.done');
}

/** Opens an address, and gives the milliseconds from its request to the picture in which the condition is true. */
export async function opened(page: Page, url: string, condition: string): Promise<number> {
  await page.open(url);
  return page.evaluate(`clock.painted(() => ${condition})`);
}

export interface Film {
  /** The longest frame, and how many took over 32 ms. */
  readonly longestMs: number;
  readonly long: number;
  readonly frames: number;
  /** The longest time without a break in which the condition was true. */
  readonly wrongMs: number;
}

/** Looks at each frame while something is done. */
export async function filmed(page: Page, condition: string, act: () => Promise<void>): Promise<Film> {
  await page.evaluate(`void (globalThis.stopFilm = clock.film(() => ${condition}))`);
  await act();
  const frames = await page.evaluate<{ ms: number; isWrong: boolean }[]>('stopFilm()');
  let [wrongMs, now] = [0, 0];
  for (const { ms, isWrong } of frames) {
    now = isWrong ? now + ms : 0;
    wrongMs = Math.max(wrongMs, now);
  }
  const times = frames.map(({ ms }) => ms);
  return {
    longestMs: Math.max(...times),
    long: times.filter((ms) => ms > longFrameMs).length,
    frames: times.length,
    wrongMs,
  };
}

/** Two pictures of sixty in a second, and a little. */
const longFrameMs = 34;
