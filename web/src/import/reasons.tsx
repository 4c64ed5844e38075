import type { ImportsPreviewAnswer } from '../../../client/index.js';
import { useFormats, useTexts } from '../i18n/language.tsx';
import styles from './import.module.css';

/** Why rows are refused or cells stay empty, one line per reason. */
export function Reasons({ of }: { of: ImportsPreviewAnswer['problems'] }) {
  const { imports } = useTexts();
  const formats = useFormats();
  return (
    <ul className={styles.reasons}>
      {of.map(({ message, count, rows, example, first }) => (
        <li key={message}>
          <span className="dim">{imports.rowsOf(count, formats.list(rows.map((row) => formats.number(row + 1))))}</span>
          <bdi>{count === 1 ? first : example === undefined ? message : `${message}: ${example}`}</bdi>
        </li>
      ))}
    </ul>
  );
}
