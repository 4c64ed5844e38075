import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** A place with nothing in it: one sentence, and the one thing to do about it. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  );
}
