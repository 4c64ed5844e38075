import type { Field } from '../api/workspace.ts';
import { keyText } from '../app/keys.ts';
import { useIsOnline } from '../api/reach.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import styles from './list-page.module.css';
import { useSums } from './sums.ts';
import type { List } from './use-list.ts';
import type { Rows } from './use-rows.ts';

/** How many there are, and what their amounts add up to: each currency by itself. */
export function ListFoot({ list, rows }: { list: List; rows: Rows }) {
  const formats = useFormats();
  const { records, shell } = useTexts();
  const isOnline = useIsOnline();
  const amounts = list.columns.filter(({ field, path }) => field.type === 'CURRENCY' && !path.includes('.'));
  return (
    <footer className={styles.foot}>
      <span role="status">
        <strong>{rows.total === undefined ? '' : formats.number(rows.total)}</strong>{' '}
        <bdi>{list.object.label.toLocaleLowerCase()}</bdi>
      </span>
      {amounts.slice(0, 3).map(({ field }) => (
        <Sum key={field.name} list={list} field={field} />
      ))}
      <span className={styles.live}>
        {isOnline && records.live} · {shell.keys} <kbd aria-hidden="true">{keyText('?')}</kbd>
      </span>
    </footer>
  );
}

function Sum({ list, field }: { list: List; field: Field }) {
  const formats = useFormats();
  const { records } = useTexts();
  const sums = useSums(list.object.name, field.name, list.query);
  if (!sums || Object.keys(sums).length === 0) return undefined;
  const words = Object.entries(sums).map(([currency, amount]) => formats.money(amount, currency));
  return (
    <span title={records.isSum(field.label)}>
      <bdi>{field.label}</bdi> <strong>{words.join(' · ')}</strong>
    </span>
  );
}
