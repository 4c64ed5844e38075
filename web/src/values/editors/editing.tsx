/** Shared by all editors: Enter and blur save, Esc cancels, and a value is saved only once. */
import { useEffect, useId, useRef, type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import type { Field, KithRecord } from '../../api/workspace.ts';
import styles from './editors.module.css';

export interface EditorProps {
  readonly field: Field;
  readonly record: KithRecord;
  /** The present value, as the service returns it. */
  readonly value: unknown;
  /** Called with the new value as the service takes it; not called if nothing was changed. */
  readonly commit: (value: unknown) => void;
  /** Ends editing without a change. */
  readonly cancel: () => void;
  /** Why the last value was refused. */
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  /** Text typed before the editor was mounted; it replaces the value. */
  readonly begun?: string | undefined;
}

/** Ends editing once, with or without a value. */
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

/** Keeps the focus when a label or another part beside the inputs is pressed, so that this does not count as leaving. */
function keepFocus(event: MouseEvent<HTMLElement>): void {
  const at = event.target as HTMLElement;
  if (!at.closest('input, textarea, select, button, [contenteditable]')) event.preventDefault();
}

interface FrameProps {
  readonly label: string;
  readonly error?: string | undefined;
  /** Why the typed text cannot be parsed; nothing was saved yet. */
  readonly problem?: string | undefined;
  readonly hint?: string | undefined;
  /** Called on Enter and on blur. */
  readonly keep: () => void;
  readonly stop: () => void;
  readonly children: (described: {
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': boolean;
  }) => ReactNode;
}

/** The frame of an editor: its keys, and its error as text. */
export function Frame({ label, problem, hint, keep, stop, children, ...rest }: FrameProps) {
  const id = useId();
  const error = problem ?? rest.error;
  const note = error ?? hint;
  const leave = (event: FocusEvent<HTMLDivElement>) => {
    // Neither a window that loses the focus nor a list of the field counts as leaving.
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
      {children({ 'aria-describedby': note === undefined ? undefined : id, 'aria-invalid': error !== undefined })}
      {note !== undefined && (
        <span
          id={id}
          className={error === undefined ? styles.hint : styles.error}
          role={error === undefined ? undefined : 'alert'}
        >
          {note}
        </span>
      )}
    </div>
  );
}
