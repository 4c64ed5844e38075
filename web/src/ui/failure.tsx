import { messageOf, requestIdOf } from '../api/kith.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from './button.tsx';
import styles from './failure.module.css';

/** A part that failed to load: the reason, a retry button, and the request's id. */
export function Failure({ error, again }: { error: unknown; again: () => void }) {
  const { shell } = useTexts();
  const id = requestIdOf(error);
  return (
    <div className={styles.failure} role="alert">
      <p className={styles.what}>{shell.didNotLoad}</p>
      <p className="dim">{messageOf(error)}</p>
      <Button onClick={again}>{shell.tryAgain}</Button>
      {id !== undefined && (
        <p className="hint">
          {shell.requestId} <code>{id}</code>
        </p>
      )}
    </div>
  );
}
