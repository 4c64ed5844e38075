/** What all editors share: Enter and leaving keep, Esc does not, and nothing is kept twice. */
import { useEffect, useId, useRef, type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import type { Field, KithRecord } from '../../api/workspace.ts';
import styles from './editors.module.css';

export interface EditorProps {
  readonly field: Field;
  readonly record: KithRecord;
  /** What is there, as the service gives it. */
  readonly value: unknown;
  /** Takes the new value, as the service takes it. It is not called where nothing was changed. */
  readonly commit: (value: unknown) => void;
  /** Leaves without a change. */
  readonly cancel: () => void;
  /** Why the last value was refused. */
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  /** Typed before the editor was there: it takes the value's place. */
  readonly begun?: string | undefined;
}

/** Ends editing once: by a value, or without one. */
export function useEnding({
  value,
  commit,
  cancel,
  error,
}: Pick<EditorProps, 'value' | 'commit' | 'cancel' | 'error'>) {
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
  }, [error]);
  return {
    keep(next: unknown) {
      if (isOver.current) return;
      isOver.current = true;
      if (JSON.stringify(next) === JSON.stringify(value ?? null)) cancel();
      else commit(next);
    },
    stop() {
      if (isOver.current) return;
      isOver.current = true;
      cancel();
    },
  };
}

/** A press beside the inputs, such as on a label, leaves the focus where it is: it is no leaving. */
function keepFocus(event: MouseEvent<HTMLElement>): void {
  const at = event.target as HTMLElement;
  if (!at.closest('input, textarea, select, button, [contenteditable]')) event.preventDefault();
}

interface FrameProps {
  readonly label: string;
  readonly error?: string | undefined;
  /** Why what is typed cannot be read: it is in no record yet. */
  readonly problem?: string | undefined;
  readonly hint?: string | undefined;
  /** Enter, or the focus went elsewhere. */
  readonly keep: () => void;
  readonly stop: () => void;
  readonly children: (described: {
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': boolean;
  }) => ReactNode;
}

/** Around an editor: its keys, and in words what is wrong. */
export function Frame({ label, problem, hint, keep, stop, children, ...rest }: FrameProps) {
  const id = useId();
  const error = problem ?? rest.error;
  const told = error ?? hint;
  const leave = (event: FocusEvent<HTMLDivElement>) => {
    // A window that loses the focus is not left, nor is a field for a list of its own.
    if (event.relatedTarget === null && !document.hasFocus()) return;
    if (!event.currentTarget.contains(event.relatedTarget)) keep();
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    const isLines = event.target instanceof HTMLTextAreaElement || (event.target as HTMLElement).isContentEditable;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      stop();
    } else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) {
      if (isLines && !event.metaKey && !event.ctrlKey) return;
      event.preventDefault();
      keep();
    }
  };
  return (
    <div
      className={styles.frame}
      role="group"
      aria-label={label}
      data-unread={problem !== undefined || undefined}
      onBlur={leave}
      onMouseDown={keepFocus}
      onKeyDown={press}
    >
      {children({ 'aria-describedby': told === undefined ? undefined : id, 'aria-invalid': error !== undefined })}
      {told !== undefined && (
        <span
          id={id}
          className={error === undefined ? styles.hint : styles.error}
          role={error === undefined ? undefined : 'alert'}
        >
          {told}
        </span>
      )}
    </div>
  );
}
