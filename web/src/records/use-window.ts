/** Which rows of a long table are drawn: those looked at, at once, and as many on either side when there is time. */
import { useDeferredValue, useEffect, useMemo, useRef, useState, type RefObject } from 'react';

export interface Span {
  readonly from: number;
  /** Not in it. */
  readonly to: number;
}

export interface RowWindow {
  /** The indexes of the rows to draw, ascending. */
  readonly indexes: readonly number[];
  /** What is looked at. */
  readonly span: Span;
  /** What is looked at in pixels, without asking the page for its layout. */
  readonly seen: RefObject<{ top: number; height: number }>;
}

/** Rows come and go in steps of so many: not each pixel draws the table anew. */
const step = 4;
/** So many are drawn beyond what is looked at, when there is time: a key or a turn of the wheel finds them there. */
const ahead = 32;
/** A window that was not measured yet shows so many. */
const usualHeight = 800;

/** The rows of a scrolled element, `count` of the same height, that are to be drawn. */
export function useWindow(scroll: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowWindow {
  const seen = useRef({ top: 0, height: usualHeight });
  const [span, setSpan] = useState<Span>(() => spanOf(seen.current, rowHeight));
  useEffect(() => {
    const element = scroll.current;
    if (!element) return undefined;
    const look = () => {
      const next = spanOf(seen.current, rowHeight);
      setSpan((was) => (was.from === next.from && was.to === next.to ? was : next));
    };
    const scrolled = () => {
      seen.current.top = element.scrollTop;
      look();
    };
    const sizes = new ResizeObserver(([entry]) => {
      seen.current.height = entry?.contentRect.height ?? seen.current.height;
      look();
    });
    sizes.observe(element);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [scroll, rowHeight]);
  const wide = useDeferredValue(
    useMemo(() => ({ from: span.from - ahead, to: span.to + ahead }), [span]),
    span,
  );
  const indexes = useMemo(() => indexesOf(span, wide, count), [span, wide, count]);
  return { indexes, span, seen };
}

function spanOf({ top, height }: { top: number; height: number }, rowHeight: number): Span {
  const stepHeight = step * rowHeight;
  return {
    from: Math.floor(top / stepHeight) * step,
    to: Math.ceil((top + height) / stepHeight) * step,
  };
}

/** Of both spans, as far as there are rows: what was drawn last stays until the next is there. */
function indexesOf(a: Span, b: Span, count: number): number[] {
  const spans = a.from <= b.from ? [a, b] : [b, a];
  const indexes: number[] = [];
  for (const { from, to } of spans) {
    const first = Math.max(0, from, (indexes.at(-1) ?? -1) + 1);
    for (let index = first; index < Math.min(count, to); index++) indexes.push(index);
  }
  return indexes;
}
