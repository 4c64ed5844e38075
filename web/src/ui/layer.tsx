import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './layer.module.css';

interface LayerProps {
  readonly close: () => void;
  /** Whether the page under it is dimmed. */
  readonly isDim?: boolean;
  readonly children: ReactNode;
}

const stops = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';

/**
 * What is over the page as long as it is there, in the browser's own top layer: Esc and a press beside it close it, Tab stays in it,
 * and the focus returns. The page under it is not made inert: its whole style would be computed again, and whoever types waits for it.
 */
export function Layer({ close, isDim = false, children }: LayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  // What takes the focus by itself can do so only in a layer that shows.
  const [isShown, setShown] = useState(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    layer.current?.showPopover();
    setShown(true);
    return () => {
      if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => {
    const box = layer.current;
    if (isShown && box && !box.contains(document.activeElement)) box.querySelector<HTMLElement>('[tabindex]')?.focus();
  }, [isShown]);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Tab') stay(event, layer.current);
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return createPortal(
    <div
      ref={layer}
      popover="manual"
      className={isDim ? `${styles.layer} ${styles.dim}` : styles.layer}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
    >
      {isShown && children}
    </div>,
    document.body,
  );
}

/** Leads Tab from the last stop to the first, and back. */
function stay(event: KeyboardEvent, box: HTMLElement | null): void {
  const all = [...(box?.querySelectorAll<HTMLElement>(stops) ?? [])].filter((stop) => stop.checkVisibility());
  const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  if (from !== undefined && document.activeElement !== from && box?.contains(document.activeElement)) return;
  event.preventDefault();
  to?.focus();
}
