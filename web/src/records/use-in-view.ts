import { useLayoutEffect, type RefObject } from 'react';
import type { RowWindow } from './use-window.ts';

interface Sizes {
  readonly row: number;
  /** What stands above the rows, and over the last of them. */
  readonly head: number;
  readonly over: number;
}

/** Scrolls so that the row at this index is seen; it does when another one is meant, and where the sizes change. */
export function useInView(
  scroll: RefObject<HTMLElement | null>,
  seen: RowWindow['seen'],
  at: number | undefined,
  { row, head, over }: Sizes,
): void {
  useLayoutEffect(() => {
    const element = scroll.current;
    if (at === undefined || !element) return;
    // What the page looks like is known here; to ask it again would have it laid out twice.
    const { top: from, height: room } = seen.current;
    const [top, bottom] = [at * row, head + (at + 1) * row + over];
    if (top < from) element.scrollTop = top;
    else if (bottom > from + room) element.scrollTop = bottom - room;
  }, [at, scroll, seen, row, head, over]);
}
