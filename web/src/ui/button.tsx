import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  /** One `main` per view; `bare` in toolbars; `danger` for what cannot be undone. */
  readonly kind?: 'main' | 'plain' | 'bare' | 'danger';
  readonly icon?: ReactNode;
  /** The key that does the same, for display. */
  readonly hint?: string | undefined;
  /** While its action runs, it keeps its width and label and cannot be pressed. */
  readonly isWorking?: boolean;
}

/** A button; without children it is an icon and needs `aria-label`. A disabled one gives the reason in its `title`. */
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
