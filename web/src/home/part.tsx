import type { ReactNode } from 'react';
import styles from './home.module.css';

/** A section of the page: its title, rows, and a link to more. */
export function Part({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more}
      </header>
      {children}
    </section>
  );
}
