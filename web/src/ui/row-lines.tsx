import { useIsLate } from '../app/later.ts';
import { useTexts } from '../i18n/language.tsx';
import styles from './row-lines.module.css';

/** Placeholders for rows that are loading, shown after a short delay. */
export function RowLines({ count = 8 }: { count?: number }) {
  const { shell } = useTexts();
  const isLate = useIsLate(true);
  return (
    <div className={styles.lines} role="status" aria-busy="true" aria-label={shell.loading}>
      {isLate && Array.from({ length: count }, (_, at) => <i key={at} />)}
    </div>
  );
}
