import { useTexts } from '../i18n/language.tsx';
import { useIsOnline } from './live.ts';
import styles from './offline-bar.module.css';

/** Says that the service is away, for as long as it is. */
export function OfflineBar() {
  const isOnline = useIsOnline();
  const { shell } = useTexts();
  return (
    <div role="status" className={isOnline ? undefined : styles.bar}>
      {isOnline ? undefined : shell.offline}
    </div>
  );
}
