import type { ReactNode } from 'react';
import styles from './top-bar.module.css';

interface TopBarProps {
  readonly title: string;
  /** A link back to where the page was opened from, before the title. */
  readonly back?: ReactNode;
  /** A control that switches to another page of its kind; it replaces the title. */
  readonly chooser?: ReactNode;
  readonly children?: ReactNode;
}

/** The bar at the top of a page: its title, then its actions. */
export function TopBar({ title, back, chooser, children }: TopBarProps) {
  return (
    <header className={styles.bar}>
      {back}
      <h1 className={chooser ? styles.unseen : 'clip'}>
        <bdi>{title}</bdi>
      </h1>
      {chooser}
      {children}
    </header>
  );
}
