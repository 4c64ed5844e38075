import type { ReactNode } from 'react';
import styles from './top-bar.module.css';

/** The bar at the top of a page: its title, then what is done there. */
export function TopBar({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className={styles.bar}>
      <h1 className="clip">
        <bdi>{title}</bdi>
      </h1>
      {children}
    </header>
  );
}
