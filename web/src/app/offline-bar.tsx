import { useIsOnline } from '../api/reach.ts';
import { useIsSessionOpen } from '../api/session.ts';
import { useTexts } from '../i18n/language.tsx';
import styles from './offline-bar.module.css';

/** Says that the service is away, or that nobody is signed in any more, for as long as that is so. */
export function OfflineBar() {
  const isOnline = useIsOnline();
  const isSessionOpen = useIsSessionOpen();
  const { shell } = useTexts();
  const isFine = isOnline && isSessionOpen;
  return (
    <div role="status" className={isFine ? undefined : styles.bar}>
      {!isOnline && shell.offline}
      {isOnline && !isSessionOpen && (
        <>
          {shell.signedOut}{' '}
          <a href="/signin?next=/home" target="_blank" rel="noreferrer">
            {shell.signInAgain}
          </a>
        </>
      )}
    </div>
  );
}
