/** What the service has asked to wait for: the client sends it again by itself, and the page says when. */
import { useSyncExternalStore } from 'react';

const stepMs = 250;
/** What goes on in the background is told of when it takes this long. */
const silentSeconds = 5;

let until = 0;
let left = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const watchers = new Set<() => void>();

/** Takes that a request has to wait for so many seconds; what a person does is told at once. */
export function tellWait(seconds: number, isOwnAction: boolean): void {
  if (!isOwnAction && seconds < silentSeconds) return;
  until = Math.max(until, Date.now() + seconds * 1000);
  timer ??= setInterval(tick, stepMs);
  tick();
}

/** For how many seconds there is still to wait; 0 for none. */
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
