import { Link } from '@tanstack/react-router';
import type { ImportsListItem } from '../../../client/index.js';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import styles from './import.module.css';

/** Earlier imports, the latest first. */
export function EarlierImports({ items }: { items: readonly ImportsListItem[] }) {
  const { imports } = useTexts();
  if (items.length === 0) return <Empty>{imports.noneYet}</Empty>;
  return (
    <div className={styles.wide} role="region" aria-label={imports.earlier} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{imports.file}</th>
            <th>{imports.into}</th>
            <th className={styles.end}>{imports.rows}</th>
            <th>{imports.state}</th>
            <th>{imports.by}</th>
            <th>{imports.when}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={item.import_job_id} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ item }: { item: ImportsListItem }) {
  const { imports } = useTexts();
  const { objects } = useWorkspace();
  const formats = useFormats();
  const isGoing = item.status === 'queued' || item.status === 'running';
  return (
    <tr>
      <td className={styles.name}>
        <Link to="/import/$job" params={{ job: item.import_job_id }}>
          <bdi>{item.file_name ?? item.source ?? item.format}</bdi>
        </Link>
      </td>
      <td>{objects.get(item.object_name ?? '')?.label ?? item.object_name}</td>
      <td className={`${styles.end} numeric`}>{formats.number(item.rows)}</td>
      <td>
        {imports.states[item.status]}
        {isGoing && `, ${imports.doneOf(formats.number(item.done), formats.number(item.rows))}`}
      </td>
      <td>
        <bdi>{item.user_display}</bdi>
      </td>
      <td>
        <time dateTime={item.created_at}>{formats.moment(item.created_at)}</time>
      </td>
    </tr>
  );
}
