import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './layer.module.css';

interface LayerProps {
  readonly close: () => void;
  /** Whether the page under it is dimmed. */
  readonly isDim?: boolean;
  readonly children: ReactNode;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'preventDefault' | 'stopPropagation'>;

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
  const press = (event: Pressed) => {
    if (event.key === 'Tab') stay(event, layer.current);
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  useEffect(() => {
    // What had the focus may be gone, such as an editor that has ended: the next key is still meant for the layer.
    const pressNowhere = (event: KeyboardEvent) => {
      const shown = [...document.querySelectorAll(`.${styles.layer}:popover-open`)];
      if (shown.at(-1) === layer.current && document.activeElement === document.body) press(event);
    };
    window.addEventListener('keydown', pressNowhere, true);
    return () => window.removeEventListener('keydown', pressNowhere, true);
  });
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
function stay(event: Pressed, box: HTMLElement | null): void {
  const all = [...(box?.querySelectorAll<HTMLElement>(stops) ?? [])].filter((stop) => stop.checkVisibility());
  const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  if (from !== undefined && document.activeElement !== from && box?.contains(document.activeElement)) return;
  event.preventDefault();
  to?.focus();
}
