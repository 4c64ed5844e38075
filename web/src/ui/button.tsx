import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  /** One `main` a view; `bare` where many stand side by side; `danger` for what ends for good. */
  readonly kind?: 'main' | 'plain' | 'bare' | 'danger';
  readonly icon?: ReactNode;
  /** The key that does the same, as it is shown. */
  readonly hint?: string | undefined;
  /** What it was pressed for goes on: it keeps its width and label, and cannot be pressed again. */
  readonly isWorking?: boolean;
}

/** A button; without children it is an icon, and needs `aria-label`. One that is disabled says why in its `title`. */
export function Button({ kind = 'plain', icon, hint, isWorking = false, children, disabled, ...props }: ButtonProps) {
  const classes = [styles.button, styles[kind], children === undefined && styles.icon].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      {...props}
      className={classes}
      disabled={disabled === true || isWorking}
      aria-busy={isWorking}
    >
      {icon}
      {children}
      {hint !== undefined && <kbd aria-hidden="true">{hint}</kbd>}
    </button>
  );
}
