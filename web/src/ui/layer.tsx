import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './layer.module.css';

interface LayerProps {
  readonly close: () => void;
  /** Whether the page below is dimmed. */
  readonly isDim?: boolean;
  readonly children: ReactNode;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'preventDefault' | 'stopPropagation'>;

const stops = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';

/**
 * An element in the browser's top layer: Esc and a press outside close it, Tab stays within it, and the focus returns afterwards.
 * The page below is not made inert, because that recomputes all styles, which delays typing.
 */
export function Layer({ close, isDim = false, children }: LayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  // Children can only be focused once the layer is shown.
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
    // If the focused element was removed, such as an editor that has ended, the layer still handles the next key.
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

/** Moves Tab from the last stop to the first, and back. */
function stay(event: Pressed, box: HTMLElement | null): void {
  const all = [...(box?.querySelectorAll<HTMLElement>(stops) ?? [])].filter((stop) => stop.checkVisibility());
  const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  if (from !== undefined && document.activeElement !== from && box?.contains(document.activeElement)) return;
  event.preventDefault();
  to?.focus();
}
