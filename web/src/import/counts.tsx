import { useFormats, useTexts } from '../i18n/language.tsx';
import styles from './import.module.css';

interface Counted {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

/** Four counts of rows, and their sum. */
export function Counts({ of: { created, updated, skipped, failed } }: { of: Counted }) {
  const { imports } = useTexts();
  const formats = useFormats();
  const lines: readonly (readonly [string, number])[] = [
    [imports.created, created],
    [imports.updated, updated],
    [imports.skipped, skipped],
    [imports.refused, failed],
  ];
  return (
    <div className={styles.part}>
      <dl className={styles.counts}>
        {lines.map(([label, n]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={label === imports.refused && n > 0 ? `${styles.bad} numeric` : 'numeric'}>
              {formats.number(n)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="dim">{imports.together(formats.number(created + updated + skipped + failed))}</p>
    </div>
  );
}
