import { useEffect, useLayoutEffect, useState } from 'react';

/** Pixels between chips, and for the label of the others' number. */
const [gap, moreWidth] = [6, 46];

/**
 * The number of the element's children that fit, at least one; all until it is measured. It measures again when `shown`, a key of
 * the content, or the width changes.
 */
export function useFitting(count: number, shown: string) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [room, setRoom] = useState(0);
  const [known, setKnown] = useState({ of: '', fit: count });
  const of = `${room} ${shown}`;
  const isKnown = known.of === of;
  const around = box?.parentElement;
  useEffect(() => {
    if (!around) return undefined;
    const watch = new ResizeObserver(() => setRoom(around.clientWidth));
    watch.observe(around);
    return () => watch.disconnect();
  }, [around]);
  useLayoutEffect(() => {
    if (!box || isKnown) return;
    const widths = [...box.children].map((child) => child.getBoundingClientRect().width + gap);
    // One pixel of tolerance, so that rounding hides none.
    setKnown({ of, fit: fitting(widths, box.getBoundingClientRect().width + gap + 1) });
  }, [box, isKnown, of]);
  return { box: setBox, isKnown, fit: isKnown ? Math.min(known.fit, count) : count };
}

function fitting(widths: readonly number[], room: number): number {
  let sum = 0;
  for (const [at, width] of widths.entries()) {
    sum += width;
    const isLast = at === widths.length - 1;
    if (sum > room - (isLast ? 0 : moreWidth)) return Math.max(1, at);
  }
  return widths.length;
}
