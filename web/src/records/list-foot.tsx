import { memo } from 'react';
import type { Field } from '../api/workspace.ts';
import { keyText } from '../app/keys.ts';
import { useIsOnline } from '../api/reach.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import styles from './list-page.module.css';
import { useSum, useSums } from './sums.ts';
import { valueText } from '../values/text-of.ts';
import type { List } from './use-list.ts';

/** The number of records, and sums of amounts, one per currency. */
export const ListFoot = memo(function ListFoot({ list, total }: { list: List; total: number | undefined }) {
  const formats = useFormats();
  const { records, shell } = useTexts();
  const isOnline = useIsOnline();
  const chosen = list.object.fields.find(({ name }) => name === list.state.totals);
  const amounts = list.columns.filter(({ field, path }) => field.type === 'CURRENCY' && !path.includes('.'));
  const summed = chosen ? [chosen] : amounts.slice(0, 3).map(({ field }) => field);
  return (
    <footer className={styles.foot}>
      <span role="status" className="clip">
        <strong>{total === undefined ? '' : formats.number(total)}</strong>{' '}
        <bdi>{list.object.label.toLocaleLowerCase()}</bdi>
      </span>
      {summed.map((field) => {
        const Shown = field.type === 'CURRENCY' ? Sum : NumberSum;
        return <Shown key={field.name} list={list} field={field} />;
      })}
      <span className={styles.live}>
        {isOnline && records.live} · {shell.keys} <kbd aria-hidden="true">{keyText('?')}</kbd>
      </span>
    </footer>
  );
});

function Sum({ list, field }: { list: List; field: Field }) {
  const formats = useFormats();
  const sums = useSums(list.object.name, field.name, list.query);
  if (!sums || Object.keys(sums).length === 0) return undefined;
  const words = Object.entries(sums).map(([currency, amount]) => formats.money(amount, currency));
  return <SumText field={field} text={words.join(' · ')} />;
}

/** The sum of a numeric field, or of a computed amount. */
function NumberSum({ list, field }: { list: List; field: Field }) {
  const formats = useFormats();
  const sum = useSum(list.object.name, field.name, list.query);
  if (!sum) return undefined;
  const amounts = Object.entries(sum.currencies ?? {}).map(([currency, amount]) => formats.money(amount, currency));
  const text = amounts.length > 0 ? amounts.join(' · ') : valueText(field, sum.value ?? null, formats);
  return text === '' ? undefined : <SumText field={field} text={text} />;
}

function SumText({ field, text }: { field: Field; text: string }) {
  const { records } = useTexts();
  return (
    <span className="clip" title={records.isSum(field.label)}>
      <bdi>{field.label}</bdi> <strong>{text}</strong>
    </span>
  );
}
