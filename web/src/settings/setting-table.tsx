import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language.tsx';
import styles from './settings.module.css';

interface SettingTableProps {
  readonly label: string;
  /** The headings; a column of buttons has an empty one, since the buttons have labels. */
  readonly columns: readonly string[];
  readonly rows: readonly SettingRow[];
  /** Fixed column widths, so that the columns of tables above each other are aligned. */
  readonly isEven?: boolean;
}

export interface SettingRow {
  readonly id: string;
  /** In the order of the columns. */
  readonly cells: readonly ReactNode[];
  /** Whether keys act on it. */
  readonly isActive?: boolean;
  readonly ref?: (element: HTMLElement | null) => void;
}

/** A table on a settings page: if it is too wide, it scrolls, also by keys; on a phone each row becomes lines. */
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
