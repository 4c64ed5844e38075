import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** An empty place: one sentence, and one action. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  );
}
