/** A value in one line, for cells, cards and lists. Always rendered as text, whatever it contains. */
import type { ReactNode } from 'react';
import type { Field, KithRecord } from '../api/workspace.ts';
import type { Formats } from '../i18n/formats.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Option, RecordRef, Stars, StepName, UserRef, WebLink } from './parts.tsx';
import { optionLabel } from './options.ts';
import { choicesIn, entriesIn, isEmpty, isRef, numberIn, refsOf, textIn, valueTypeOf } from './shapes.ts';
import { isNumeric, textOf } from './text-of.ts';
import styles from './value.module.css';

interface ValueProps {
  readonly field: Field;
  readonly record: KithRecord;
  /** Whether relations and addresses are links; otherwise they are text. */
  readonly isLinked?: boolean;
}

const drawn = new Set(['PIPELINE', 'SELECT', 'MULTI_SELECT', 'RATING', 'URL']);

/** The cell's text if it is nothing but text; undefined if Value has to render it. */
export function plainTextOf(field: Field, record: KithRecord, formats: Formats): string | undefined {
  const value = record[field.name];
  const type = valueTypeOf(field);
  if (isRef(field) || drawn.has(type) || typeof value === 'boolean') return undefined;
  if ((type === 'EMAILS' || type === 'PHONES') && Array.isArray(value) && value.length > 1) return undefined;
  return isEmpty(field, record) ? '' : textOf(field, record, formats);
}

/** Cuts off text beyond what a cell could show. */
export function clipped(text: string): string {
  return text.length > 500 ? text.slice(0, 500) : text;
}

/** Cuts off a title at a readable length. */
export function titleOf(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** The field's value in one line; `+1` if there is more, nothing if it is empty. */
export function Value({ field, record, isLinked = true }: ValueProps) {
  const formats = useFormats();
  if (isEmpty(field, record)) return null;
  const isEnd = isNumeric(field) && !Array.isArray(record[field.name]);
  const text = textOf(field, record, formats);
  return (
    <span className={isEnd ? `${styles.cell} ${styles.end}` : styles.cell} title={titleOf(text)}>
      <Shown field={field} record={record} isLinked={isLinked} text={text} />
    </span>
  );
}

function Shown({ field, record, isLinked, text }: ValueProps & { isLinked: boolean; text: string }) {
  const value = record[field.name];
  if (isRef(field)) return <Refs field={field} record={record} isLinked={isLinked} />;
  switch (valueTypeOf(field)) {
    case 'PIPELINE':
      return <StepName record={record} />;
    case 'SELECT':
    case 'MULTI_SELECT':
      return <Options field={field} values={choicesIn(value)} />;
    case 'EMAILS':
    case 'PHONES': {
      const entries = entriesIn(value);
      return (
        <First
          shown={entries.slice(0, 1).map((entry) => (
            <Plain key={entry.text} text={entry.text} />
          ))}
          total={entries.length}
        />
      );
    }
    case 'RATING':
      return <Stars count={Number(numberIn(value) ?? 0)} />;
    case 'URL':
      return isLinked ? <WebLink text={textIn(value) ?? ''} /> : <Plain text={text} />;
    default:
      return typeof value === 'boolean' ? <YesNo is={value} /> : <Plain text={text} />;
  }
}

function Plain({ text }: { text: string }) {
  return <bdi className={styles.clip}>{clipped(text)}</bdi>;
}

function YesNo({ is }: { is: boolean }) {
  const { values } = useTexts();
  return <span className={is ? undefined : 'faint'}>{is ? values.yes : values.no}</span>;
}

function Refs({ field, record, isLinked }: { field: Field; record: KithRecord; isLinked: boolean }) {
  const refs = refsOf(field, record);
  const shown = refs
    .slice(0, 1)
    .map((target) =>
      field.type === 'USERS' ? (
        <UserRef key={target.id} target={target} />
      ) : (
        <RecordRef key={target.id} target={target} isLinked={isLinked} />
      ),
    );
  return <First shown={shown} total={refs.length} />;
}

/** As many chips as fit a cell by this number of characters, at least one. */
const mostSigns = 22;

function Options({ field, values }: { field: Field; values: readonly string[] }) {
  let signs = 0;
  const fitting = values.findIndex((value) => {
    signs += 4 + optionLabel(field, value).length;
    return signs > mostSigns;
  });
  const count = Math.max(1, fitting === -1 ? values.length : fitting);
  return (
    <First
      shown={values.slice(0, count).map((value) => (
        <Option key={value} field={field} value={value} />
      ))}
      total={values.length}
    />
  );
}

/** What is shown, and the number of further items of `total`. */
function First({ shown, total }: { shown: readonly ReactNode[]; total: number }) {
  return (
    <>
      {shown}
      {total > shown.length && (
        <span className={styles.more} dir="ltr">
          +{total - shown.length}
        </span>
      )}
    </>
  );
}
