/** Whether the user is still signed in, as each answer of the service shows. */
import { useSyncExternalStore } from 'react';

let isOpen = true;
const watchers = new Set<() => void>();

/** Notes whether an answer came with a session. */
export function noteSession(is: boolean): void {
  if (is === isOpen) return;
  isOpen = is;
  for (const watcher of watchers) watcher();
}

/** Calls `listener` each time that changes; returns a function that unsubscribes. */
export function onSession(listener: (isOpen: boolean) => void): () => void {
  const watcher = () => listener(isOpen);
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** False from an answer without a session until the user has signed in again. */
export function useIsSessionOpen(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isOpen,
  );
}
