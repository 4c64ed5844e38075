/** The rendered rows of a long table: those in view at once, and as many on either side when idle. */
import { useDeferredValue, useEffect, useMemo, useRef, useState, type RefObject } from 'react';

export interface Span {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface RowWindow {
  /** The indexes of the rows to render, ascending. */
  readonly indexes: readonly number[];
  /** The rows in view. */
  readonly span: Span;
  /** The view in pixels, known without a layout. */
  readonly seen: RefObject<{ top: number; height: number }>;
}

/** The window moves in steps of so many rows, so that not every pixel renders the table. */
const step = 4;
/** Rows rendered beyond the view when idle, ready for a key press or a turn of the wheel. */
const ahead = 32;
/** The assumed height before it is measured. */
const usualHeight = 800;

/** The rows of a scroll container to render; `count` rows of equal height. */
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

/** The indexes of both spans: rows rendered last stay until the next ones are there. */
function indexesOf(a: Span, b: Span, count: number): number[] {
  const spans = a.from <= b.from ? [a, b] : [b, a];
  const indexes: number[] = [];
  for (const { from, to } of spans) {
    const first = Math.max(0, from, (indexes.at(-1) ?? -1) + 1);
    for (let index = first; index < Math.min(count, to); index++) indexes.push(index);
  }
  return indexes;
}
