import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/language.tsx';
import type { Drawing } from './chart-data.ts';
import styles from './dashboards.module.css';

/** A chart as a table: every group, every currency. */
export function ChartTable({ object, title, drawing }: { object: string; title: string; drawing: Drawing }) {
  const { dashboards } = useTexts();
  const compares = drawing.bars.some(({ previousText }) => previousText !== undefined);
  return (
    <div className={styles.tableWrap} role="region" aria-label={dashboards.asTable(title)} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{dashboards.groupBy}</th>
            <th>{dashboards.value}</th>
            {compares && <th>{dashboards.before}</th>}
          </tr>
        </thead>
        <tbody>
          {drawing.bars.map((bar) => (
            <tr key={bar.key}>
              <td>
                <Link to="/r/$object" params={{ object }} search={{ f: bar.filter }}>
                  <bdi>{bar.label}</bdi>
                </Link>
              </td>
              <td className="numeric">{bar.text}</td>
              {compares && <td className="numeric">{bar.previousText}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
