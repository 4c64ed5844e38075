import { Lock } from 'lucide-react';
import styles from './settings.module.css';

/** Why a page is only read: its reason beside a lock. */
export function ReadOnly({ reason }: { reason: string }) {
  return (
    <span className={styles.locked}>
      <Lock size={12} strokeWidth={1.5} aria-hidden="true" />
      {reason}
    </span>
  );
}
