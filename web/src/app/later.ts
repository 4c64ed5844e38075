/** What a page can do without at first waits until it has nothing else to do. */
import { useEffect, useState } from 'react';

/** Where browsers tell of no idle time, so long is waited. */
const pauseMs = 300;

/** Does the work when there is time; gives what calls it off. */
export function whenIdle(work: () => void): () => void {
  // Safari has none.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, pauseMs);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: 2_000 });
  return () => cancelIdleCallback(idle);
}

/** Whether there has been time since the component came. */
export function useIsLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => whenIdle(() => setLater(true)), []);
  return isLater;
}
