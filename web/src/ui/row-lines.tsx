import { useEffect, useState } from 'react';
import { useTexts } from '../i18n/language.tsx';
import styles from './row-lines.module.css';

const patienceMs = 300;

/** Lines where rows will be, once that takes longer than a blink. */
export function RowLines({ count = 8 }: { count?: number }) {
  const { shell } = useTexts();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.lines} role="status" aria-busy="true" aria-label={shell.loading}>
      {isLate && Array.from({ length: count }, (_, at) => <i key={at} />)}
    </div>
  );
}
