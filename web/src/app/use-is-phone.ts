import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 40rem)');

/** Whether the window is as narrow as a phone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      narrow.addEventListener('change', watcher);
      return () => narrow.removeEventListener('change', watcher);
    },
    () => narrow.matches,
  );
}
