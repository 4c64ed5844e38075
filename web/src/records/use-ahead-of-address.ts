import { useCallback, useEffect, useRef, useState } from 'react';
import { afterPaint } from '../app/later.ts';
import type { Address } from './list-state.ts';

type Change = (was: Address) => Address;
/** Changes parts of the address; resolves when it is done. */
type Go = (change: Change, replace: boolean) => Promise<void>;

interface AheadOfAddress {
  readonly address: Address;
  /** Shows these parts at once, and changes the address after they are painted. */
  readonly put: (parts: Address, change: Change, replace: boolean) => void;
  /** Changes the address after all earlier changes. */
  readonly go: (change: Change, replace: boolean) => void;
}

interface Put {
  change: Change;
  replace: boolean;
  readonly flush: () => void;
}

/** The list's state runs ahead of its address for a moment, since changing the address costs more time than rendering the list. */
export function useAheadOfAddress(stated: Address, goTo: Go): AheadOfAddress {
  const [ahead, setAhead] = useState<Address>();
  const waiting = useRef<Put>(undefined);
  /** Numbers the changes: when the address has the last one, the state is no longer ahead. */
  const last = useRef(0);
  // A pending change is dropped when the reader leaves the page.
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
