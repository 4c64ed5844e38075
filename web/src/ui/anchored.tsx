import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './anchored.module.css';
import { Layer } from './layer.tsx';

export type Placement = 'top start' | 'bottom start' | 'bottom end';

interface AnchoredProps {
  /** The element that it opens at. */
  readonly at: HTMLElement | null;
  readonly label: string;
  readonly close: () => void;
  readonly placement?: Placement;
  readonly isWide?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A box above the page at an element; opens upwards if there is no room below. */
export function Anchored({ close, ...box }: AnchoredProps) {
  return (
    <Layer close={close}>
      <Box {...box} />
    </Layer>
  );
}

function Box(props: Omit<AnchoredProps, 'close'>) {
  const { at, label, placement = 'bottom start', isWide = false, className, children } = props;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const place = () => put(element, at?.getBoundingClientRect() ?? new DOMRect(8, 8, 0, 0), placement);
    place();
    const watch = new ResizeObserver(place);
    watch.observe(element);
    addEventListener('resize', place);
    return () => {
      watch.disconnect();
      removeEventListener('resize', place);
    };
  }, [at, placement]);
  const classes = [styles.box, isWide && styles.wide, className].filter(Boolean).join(' ');
  return (
    <div ref={box} role="dialog" aria-modal="true" aria-label={label} tabIndex={-1} className={classes}>
      {children}
    </div>
  );
}

/** Pixels between the box and its element, and between it and the window's edges. */
const gap = 6;

function put(box: HTMLElement, anchor: DOMRect, placement: Placement): void {
  const [room, roomAbove] = [innerHeight - anchor.bottom - 2 * gap, anchor.top - 2 * gap];
  box.style.maxHeight = '';
  const height = box.offsetHeight;
  const isAbove = placement.startsWith('top')
    ? height <= roomAbove || roomAbove > room
    : height > room && roomAbove > room;
  box.style.maxHeight = `${Math.max(isAbove ? roomAbove : room, 80)}px`;
  box.style.top = isAbove ? '' : `${anchor.bottom + gap}px`;
  box.style.bottom = isAbove ? `${innerHeight - anchor.top + gap}px` : '';
  const isRtl = getComputedStyle(box).direction === 'rtl';
  const wanted = placement.endsWith('start') === isRtl ? anchor.right - box.offsetWidth : anchor.left;
  box.style.left = `${Math.max(gap, Math.min(wanted, innerWidth - gap - box.offsetWidth))}px`;
}
