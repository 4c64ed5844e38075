import { Lock } from 'lucide-react';
import styles from './settings.module.css';

/** A lock with the reason why a page is read-only. */
export function ReadOnly({ reason }: { reason: string }) {
  return (
    <span className={styles.locked}>
      <Lock size={12} aria-hidden="true" />
      {reason}
    </span>
  );
}
