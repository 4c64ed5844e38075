/** Defers what a page does not need at first until it is idle and waits for no answer. */
import { useEffect, useState } from 'react';
import { queries } from '../api/queries.ts';

/** The delay in browsers without requestIdleCallback. */
const pauseMs = 100;
/** Deferred work runs after this time, even if the page is busy. */
const longestMs = 3_000;

const waiting = new Set<() => void>();
let since: number | undefined;

/** Runs `work` when the page is idle; returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  waiting.add(work);
  if (since === undefined) {
    since = performance.now();
    nextIdle(lookTwice);
  }
  return () => void waiting.delete(work);
}

/**
 * Loads code when the page is idle; a failure is ignored, since the code is loaded again when it is needed. Returns a function
 * that cancels it.
 */
export function fetchWhenIdle(load: () => Promise<unknown>): () => void {
  return whenIdle(() => void load().catch(() => undefined));
}

/** Checks twice, since a page may be idle for a moment between two requests. */
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

/** Whether the page is rendered and waits for no answer. */
function doesStand(): boolean {
  const main = document.querySelector('#main');
  // Beside the page there is the line for error messages.
  if (!main || main.childElementCount < 2 || queries.isFetching() > 0) return false;
  return !main.querySelector('[aria-busy=true]');
}

function nextIdle(look: () => void): void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(look, { timeout: longestMs });
  else setTimeout(look, pauseMs);
}

/** Whether the page has been idle since the component was mounted. */
export function useIsLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => whenIdle(() => setLater(true)), []);
  return isLater;
}

/** Shorter waits are not shown. */
const patienceMs = 300;

/** Whether something has been waited for so long that it should be shown. */
export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => (clearTimeout(timer), setLate(false));
  }, [isWaiting]);
  return isWaiting && isLate;
}

/** Work put off until after a paint runs after this time at the latest. */
const longestPutOffMs = 300;

/**
 * Runs `work` after what was requested is rendered and painted, or before the next click or key other than typing. Returns a
 * function that runs it at once.
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
