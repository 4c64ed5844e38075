/** Whether the service answers: after a request without an answer, it is polled until it is back. */
import { useSyncExternalStore } from 'react';

const againMs = 2_000;

let isReached = true;
let isLooking = false;
const watchers = new Set<() => void>();
const whenBack = new Set<() => void>();

/** Whether the service answers. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isReached,
  );
}

/** Calls `listener` each time the service is back; returns a function that unsubscribes. */
export function onBack(listener: () => void): () => void {
  whenBack.add(listener);
  return () => whenBack.delete(listener);
}

/** Polls the service until it answers. */
export async function lookForService(): Promise<void> {
  if (isLooking) return;
  isLooking = true;
  await untilThere();
  isLooking = false;
}

/** Resolves when the service answers. */
export async function untilThere(): Promise<void> {
  while (!(await isThere())) {
    put(false);
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
  put(true);
}

async function isThere(): Promise<boolean> {
  return fetch('/health/ready').then(
    ({ ok }) => ok,
    () => false,
  );
}

function put(is: boolean): void {
  if (is === isReached) return;
  isReached = is;
  for (const watcher of watchers) watcher();
  if (is) for (const listener of whenBack) listener();
}
