/** What a page can do without at first waits until it has nothing else to do, and nothing to wait for. */
import { useEffect, useState } from 'react';
import { queries } from '../api/queries.ts';

/** Where browsers tell of no idle time, so long is waited. */
const pauseMs = 100;
/** Whatever is under way, later is now. */
const longestMs = 3_000;

const waiting = new Set<() => void>();
let since: number | undefined;

/** Does the work when there is time; gives what calls it off. */
export function whenIdle(work: () => void): () => void {
  waiting.add(work);
  if (since === undefined) {
    since = performance.now();
    nextIdle(lookTwice);
  }
  return () => void waiting.delete(work);
}

/** Fetches code when there is time; where it does not come, it is fetched when it is opened. Gives what calls it off. */
export function fetchWhenIdle(load: () => Promise<unknown>): () => void {
  return whenIdle(() => void load().catch(() => undefined));
}

/** Between two questions a page may have a moment of time. */
function lookTwice(): void {
  nextIdle(() => {
    const isOver = performance.now() - (since ?? 0) > longestMs;
    if (!doesStand() && !isOver) return lookTwice();
    since = undefined;
    const works = [...waiting];
    waiting.clear();
    for (const work of works) work();
  });
}

/** Whether the page is there and waits for nothing. */
function doesStand(): boolean {
  const main = document.querySelector('#main');
  // Beside the page there is the line that says what is wrong.
  if (!main || main.childElementCount < 2 || queries.isFetching() > 0) return false;
  return !main.querySelector('[aria-busy=true]');
}

function nextIdle(look: () => void): void {
  // Safari has none.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(look, { timeout: longestMs });
  else setTimeout(look, pauseMs);
}

/** Whether there has been time since the component came. */
export function useIsLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => whenIdle(() => setLater(true)), []);
  return isLater;
}

/** Nobody is told of waiting that is shorter. */
const patienceMs = 300;

/** Whether something has been waited for so long that it has to be shown. */
export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => (clearTimeout(timer), setLate(false));
  }, [isWaiting]);
  return isWaiting && isLate;
}

/** Whatever is under way, what has been put off so long is done. */
const longestPutOffMs = 300;

/**
 * Does the work when what is asked for stands on the page and is painted, or before the next click or key that is more than a letter of
 * a text. Gives what does it at once.
 */
export function afterPaint(work: () => void): () => void {
  const acts = ['keydown', 'pointerdown'] as const;
  const timer = setTimeout(run, longestPutOffMs);
  let frame = requestAnimationFrame(look);
  let isDone = false;
  for (const act of acts) addEventListener(act, before, { capture: true });
  function before(event: Event) {
    const isLetter = event instanceof KeyboardEvent && event.key.length === 1 && !event.ctrlKey && !event.metaKey;
    if (!isLetter || !(event.target instanceof HTMLInputElement)) run();
  }
  function look() {
    frame = requestAnimationFrame(doesStand() ? () => setTimeout(run) : look);
  }
  function run() {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    for (const act of acts) removeEventListener(act, before, { capture: true });
    work();
  }
  return run;
}
