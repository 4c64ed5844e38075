/** Toasts: what happened, with Undo; they disappear by themselves unless the pointer or focus is on them. */
import { useSyncExternalStore } from 'react';
import { X } from 'lucide-react';
import { useTexts } from '../i18n/language.tsx';
import { Button } from './button.tsx';
import styles from './toasts.module.css';

export interface Toast {
  readonly text: string;
  /** An action, available once. */
  readonly action?: { readonly label: string; run(): void };
  readonly isBad?: boolean;
  /** A text of the user that the toast is about. */
  readonly detail?: string;
  /** Stays until it is closed. */
  readonly isLasting?: boolean;
}

interface Shown extends Toast {
  readonly id: number;
}

const shownMs = 8_000;
let shown: readonly Shown[] = [];
let lastId = 0;
const watchers = new Set<() => void>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Shows a toast. Errors of a field are shown at the field instead. */
export function toast(options: Toast): void {
  const one = { ...options, id: ++lastId };
  const passing = shown.filter(({ isLasting }) => !isLasting).slice(-2);
  shown = [...shown.filter((other) => other.isLasting || passing.includes(other)), one];
  leaveLater(one.id);
  notify();
}

/** The toasts, in a live region. */
export function Toasts() {
  const all = useSyncExternalStore(watch, () => shown);
  const { shell } = useTexts();
  const hold = () => all.forEach(({ id }) => clearTimeout(timers.get(id)));
  const release = () => all.forEach(({ id }) => leaveLater(id));
  return (
    <div
      className={styles.toasts}
      role="status"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {all.map(({ id, text, detail, action, isBad }) => (
        <div key={id} className={isBad ? styles.bad : styles.toast}>
          <p>
            {text}
            {detail !== undefined && <bdi className={styles.detail}>{detail}</bdi>}
          </p>
          {action && (
            <Button
              kind="bare"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button kind="bare" aria-label={shell.close} icon={<X size={14} />} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}

function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  shown = shown.filter((one) => one.id !== id);
  notify();
}

function leaveLater(id: number): void {
  if (shown.find((one) => one.id === id)?.isLasting) return;
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => {
      // In a hidden tab nobody has seen it, so its time starts when the tab is shown.
      if (document.hidden) document.addEventListener('visibilitychange', () => leaveLater(id), { once: true });
      else dismiss(id);
    }, shownMs),
  );
}

function notify(): void {
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
