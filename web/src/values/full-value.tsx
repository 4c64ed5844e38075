/** A complete value, as the page of its record shows it. */
import { useState } from 'react';
import type { Field, KithRecord } from '../api/workspace.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Option, RecordRef, Stars, StepName, UserRef, WebLink } from './parts.tsx';
import {
  addressLines,
  choicesIn,
  entriesIn,
  isEmpty,
  isRef,
  numberIn,
  refsOf,
  textIn,
  valueTypeOf,
  type Entry,
} from './shapes.ts';
import { textOf } from './text-of.ts';
import styles from './value.module.css';

/** The field's value; nothing if it is empty. */
export function FullValue({ field, record }: { field: Field; record: KithRecord }) {
  const formats = useFormats();
  const value = record[field.name];
  if (isEmpty(field, record)) return null;
  if (isRef(field)) return <Refs field={field} record={record} />;
  switch (valueTypeOf(field)) {
    case 'PIPELINE':
      return <StepName record={record} />;
    case 'SELECT':
    case 'MULTI_SELECT':
      return <Options field={field} values={choicesIn(value)} />;
    case 'EMAILS':
    case 'PHONES':
      return <Entries entries={entriesIn(value)} scheme={field.type === 'EMAILS' ? 'mailto' : 'tel'} />;
    case 'EMAIL':
      return <Entries entries={[{ text: textIn(value) ?? '', label: '', isPrimary: false }]} scheme="mailto" />;
    case 'RATING':
      return <Stars count={Number(numberIn(value) ?? 0)} />;
    case 'URL':
      return <WebLink text={textIn(value) ?? ''} />;
    case 'ADDRESS':
      return <bdi className={`${styles.full} ${styles.lines}`}>{addressLines(value).join('\n')}</bdi>;
    case 'RICH_TEXT':
      // Sanitised by the service when it was written.
      return <div className={styles.rich} tabIndex={0} dangerouslySetInnerHTML={{ __html: textIn(value) ?? '' }} />;
    default:
      return typeof value === 'boolean' ? <YesNo is={value} /> : <LongText text={textOf(field, record, formats)} />;
  }
}

/** Options rendered before the reader asks for more. */
const shownOptions = 100;

function Options({ field, values }: { field: Field; values: readonly string[] }) {
  const { shell } = useTexts();
  const [most, setMost] = useState(shownOptions);
  return (
    <span className={styles.full}>
      <span className={styles.chips}>
        {values.slice(0, most).map((choice) => (
          <Option key={choice} field={field} value={choice} />
        ))}
      </span>
      {values.length > most && (
        <button type="button" className={styles.show} onClick={() => setMost(most + shownOptions)}>
          {shell.showMore}
        </button>
      )}
    </span>
  );
}

function YesNo({ is }: { is: boolean }) {
  const { values } = useTexts();
  return is ? values.yes : values.no;
}

function Refs({ field, record }: { field: Field; record: KithRecord }) {
  return (
    <span className={styles.full}>
      {refsOf(field, record).map((target) =>
        field.type === 'USERS' ? (
          <UserRef key={target.id} target={target} />
        ) : (
          <span key={target.id} className={styles.entry}>
            <RecordRef target={target} isLinked />
            {target.details.length > 0 && <bdi className={styles.label}>{target.details.join(', ')}</bdi>}
          </span>
        ),
      )}
    </span>
  );
}

function Entries({ entries, scheme }: { entries: readonly Entry[]; scheme: 'mailto' | 'tel' }) {
  const { values } = useTexts();
  return (
    <span className={styles.full}>
      {entries.map(({ text, label, isPrimary }) => (
        <span key={text} className={styles.entry}>
          <a
            className={scheme === 'mailto' ? styles.link : styles.ref}
            href={`${scheme}:${encodeURIComponent(text).replaceAll('%40', '@')}`}
          >
            <bdi>{text}</bdi>
          </a>
          {(label !== '' || (isPrimary && entries.length > 1)) && (
            <span className={styles.label}>
              {[label, isPrimary && entries.length > 1 && values.primary].filter(Boolean).join(', ')}
            </span>
          )}
        </span>
      ))}
    </span>
  );
}

/** Characters rendered before the reader asks for more: browsers break long words slowly. */
const shownSigns = 300;

function LongText({ text }: { text: string }) {
  const { shell } = useTexts();
  const [isWhole, setIsWhole] = useState(false);
  if (text.length <= shownSigns) return <bdi className={styles.long}>{text}</bdi>;
  return (
    <span className={styles.full}>
      <bdi className={isWhole ? styles.whole : styles.long}>{isWhole ? text : `${text.slice(0, shownSigns)}…`}</bdi>
      {!isWhole && (
        <button type="button" className={styles.show} onClick={() => setIsWhole(true)}>
          {shell.showMore}
        </button>
      )}
    </span>
  );
}
