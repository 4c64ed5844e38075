/** Rate limits: the client repeats a refused request by itself, and the page shows for how long it waits. */
import { useSyncExternalStore } from 'react';

const stepMs = 250;
/** Background requests are shown only if they wait longer than this. */
const silentSeconds = 5;

let until = 0;
let left = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const watchers = new Set<() => void>();

/** Notes that a request waits for so many seconds; `isOwnAction` is shown whatever the length. */
export function noteWait(seconds: number, isOwnAction: boolean): void {
  if (!isOwnAction && seconds < silentSeconds) return;
  until = Math.max(until, Date.now() + seconds * 1000);
  timer ??= setInterval(tick, stepMs);
  tick();
}

/** Seconds left to wait; 0 for none. */
export function useSecondsLeft(): number {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => left,
  );
}

function tick(): void {
  const now = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  if (now === 0) {
    clearInterval(timer);
    timer = undefined;
  }
  if (now === left) return;
  left = now;
  for (const watcher of watchers) watcher();
}
