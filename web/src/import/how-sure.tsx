import { Check, CircleAlert, TriangleAlert } from 'lucide-react';
import { useTexts } from '../i18n/language.tsx';
import type { Entry } from './draft.ts';
import type { Job } from './read-file.ts';
import styles from './import.module.css';

/** Confidence from which a proposal counts as sure, and as probable. */
const [sureFrom, probableFrom] = [0.9, 0.7];

interface HowSureProps {
  readonly column: Job['columns'][number];
  readonly entry: Entry;
  /** Whether a person has chosen it. */
  readonly isChosen: boolean;
}

/** The confidence of a proposal in words, and what is still open. */
export function HowSure({ column, entry, isChosen }: HowSureProps) {
  const { imports } = useTexts();
  const { action, date_format: order } = entry;
  if (action === 'ignore') {
    const isOpen = !isChosen && column.confidence < sureFrom;
    return <span className={isOpen ? styles.warn : 'dim'}>{isOpen ? imports.noFieldYet : imports.leftOut}</span>;
  }
  if ((column.questions?.length ?? 0) > 0 && order === undefined)
    return (
      <span className={styles.bad}>
        <TriangleAlert size={14} aria-hidden="true" />
        {imports.sayDates}
      </span>
    );
  if (isChosen) return <Good text={imports.chosen} />;
  if (column.confidence >= sureFrom)
    return <Good text={order === undefined ? imports.sure : imports.readAs(imports.orders[order] ?? order)} />;
  return (
    <span className={styles.warn}>
      <CircleAlert size={14} aria-hidden="true" />
      {column.confidence >= probableFrom ? imports.probable : imports.pleaseCheck}
    </span>
  );
}

function Good({ text }: { text: string }) {
  return (
    <span className={styles.good}>
      <Check size={14} aria-hidden="true" />
      {text}
    </span>
  );
}
