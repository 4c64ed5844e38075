import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language.tsx';
import styles from './settings.module.css';

interface SettingTableProps {
  readonly label: string;
  /** The headings; a column of buttons has an empty one, and they say themselves what they do. */
  readonly columns: readonly string[];
  readonly rows: readonly SettingRow[];
  /** Its columns are as wide as those of others beside it, whatever is in them; the last one has the most to say. */
  readonly isEven?: boolean;
}

export interface SettingRow {
  readonly id: string;
  /** In the order of the columns. */
  readonly cells: readonly ReactNode[];
  /** Keys act on it. */
  readonly isActive?: boolean;
  readonly ref?: (element: HTMLElement | null) => void;
}

/** A table of a settings page: what is too wide scrolls within it, also by keys; a phone shows each row as lines. */
export function SettingTable({ label, columns, rows, isEven = false }: SettingTableProps) {
  const { settings } = useTexts();
  return (
    <div className={styles.wide} tabIndex={0} role="region" aria-label={label}>
      <table className={isEven ? `${styles.table} ${styles.even}` : styles.table}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col">
                {column === '' ? <span className="unseen">{settings.change}</span> : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells, isActive, ref }) => (
            <tr key={id} ref={ref} tabIndex={ref ? -1 : undefined} data-active={isActive}>
              {cells.map((cell, at) => (
                <td key={at} data-label={columns[at] || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
