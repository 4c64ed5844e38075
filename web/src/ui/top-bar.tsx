import type { ReactNode } from 'react';
import styles from './top-bar.module.css';

interface TopBarProps {
  readonly title: string;
  /** What leads back to where the page was opened from, before its title. */
  readonly back?: ReactNode;
  readonly children?: ReactNode;
}

/** The bar at the top of a page: its title, then what is done there. */
export function TopBar({ title, back, children }: TopBarProps) {
  return (
    <header className={styles.bar}>
      {back}
      <h1 className="clip">
        <bdi>{title}</bdi>
      </h1>
      {children}
    </header>
  );
}
