import { useLayoutEffect, type RefObject } from 'react';
import type { RowWindow } from './use-window.ts';

interface Sizes {
  readonly row: number;
  /** The heights that cover the top and the bottom of the view. */
  readonly head: number;
  readonly over: number;
}

/** Scrolls the row at this index into view when the index or the sizes change. */
export function useInView(
  scroll: RefObject<HTMLElement | null>,
  seen: RowWindow['seen'],
  at: number | undefined,
  { row, head, over }: Sizes,
): void {
  useLayoutEffect(() => {
    const element = scroll.current;
    if (at === undefined || !element) return;
    // Uses the known scroll position: reading it from the DOM would force another layout.
    const { top: from, height: room } = seen.current;
    const [top, bottom] = [at * row, head + (at + 1) * row + over];
    if (top < from) element.scrollTop = top;
    else if (bottom > from + room) element.scrollTop = bottom - room;
  }, [at, scroll, seen, row, head, over]);
}
