import { useCallback, useEffect, useRef, useState } from 'react';
import { afterPaint } from '../app/later.ts';
import type { Address } from './list-state.ts';

type Change = (was: Address) => Address;
/** Goes to the address with its parts changed; resolves when it is there. */
type Go = (change: Change, replace: boolean) => Promise<void>;

interface AheadOfAddress {
  readonly address: Address;
  /** Shows these parts at once, and makes the change to the address when they are painted. */
  readonly put: (parts: Address, change: Change, replace: boolean) => void;
  /** Changes the address after all that was put before. */
  readonly go: (change: Change, replace: boolean) => void;
}

interface Put {
  change: Change;
  replace: boolean;
  readonly flush: () => void;
}

/** What the list shows is ahead of its address for a moment: to change that costs the browser and the router more than the list. */
export function useAheadOfAddress(stated: Address, goTo: Go): AheadOfAddress {
  const [ahead, setAhead] = useState<Address>();
  const waiting = useRef<Put>(undefined);
  /** Counts what was put: when the address has the last of it, nothing is ahead any more. */
  const last = useRef(0);
  // Whoever has gone elsewhere, such as back, is not followed there.
  useEffect(() => () => void (waiting.current = undefined), []);
  const go = useCallback(
    (change: Change, replace: boolean) => {
      waiting.current?.flush();
      void goTo(change, replace);
    },
    [goTo],
  );
  const put = useCallback<AheadOfAddress['put']>(
    (parts, change, replace) => {
      last.current++;
      setAhead((before) => ({ ...before, ...parts }));
      const { current: earlier } = waiting;
      if (earlier) {
        const first = earlier.change;
        earlier.change = (was) => change(first(was));
        earlier.replace &&= replace;
        return;
      }
      const land = async () => {
        const { current: now } = waiting;
        waiting.current = undefined;
        const upTo = last.current;
        if (now) await goTo(now.change, now.replace);
        if (last.current === upTo) setAhead(undefined);
      };
      const flush = afterPaint(() => void land());
      waiting.current = { change, replace, flush };
    },
    [goTo],
  );
  return { address: ahead ? { ...stated, ...ahead } : stated, put, go };
}
