/** Whether whoever came in still is: each answer of the service tells. */
import { useSyncExternalStore } from 'react';

let isOpen = true;
const watchers = new Set<() => void>();

/** Takes what an answer told of the session. */
export function tellSession(is: boolean): void {
  if (is === isOpen) return;
  isOpen = is;
  for (const watcher of watchers) watcher();
}

/** Calls `listener` each time that changes; gives what ends it. */
export function onSession(listener: (isOpen: boolean) => void): () => void {
  const watcher = () => listener(isOpen);
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** False from when the service says that nobody is signed in, until somebody is again. */
export function useIsSessionOpen(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isOpen,
  );
}
