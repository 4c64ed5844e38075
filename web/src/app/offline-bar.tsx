import { useSecondsLeft } from '../api/patience.ts';
import { useIsOnline } from '../api/reach.ts';
import { useIsSessionOpen } from '../api/session.ts';
import { useTexts } from '../i18n/language.tsx';
import styles from './offline-bar.module.css';

/** Says that the service is away, asks to wait, or that the user is signed out, as long as that is so. */
export function OfflineBar() {
  const isOnline = useIsOnline();
  const isSessionOpen = useIsSessionOpen();
  const seconds = useSecondsLeft();
  const { shell } = useTexts();
  const isFine = isOnline && isSessionOpen && seconds === 0;
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
      {isOnline && isSessionOpen && seconds > 0 && (
        <>
          <span className="unseen">{shell.tooFast}</span>
          <span aria-hidden="true">{shell.againIn(seconds)}</span>
        </>
      )}
    </div>
  );
}
