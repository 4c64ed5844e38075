/** The values of each changed field before and after a change. */
import type { RecordsHistoryItem } from '../../../client/index.js';
import type { Field, KithRecord, ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { isRef, refsOf } from '../values/shapes.ts';
import { computedText, valueText } from '../values/text-of.ts';
import styles from './timeline.module.css';

type OneChange = RecordsHistoryItem['changes'][number];

/** One line per field. */
export function Differences({
  shape,
  record,
  entry,
}: {
  shape: ObjectShape;
  record: KithRecord;
  entry: RecordsHistoryItem;
}) {
  return entry.changes.map((change) => {
    const field = shape.fields.find(
      ({ name, type }) => name === change.field || (type === 'PIPELINE' && change.field === 'pipeline_step_id'),
    );
    if (change.field === 'pipeline_step_entered_at' || change.field === 'pipeline_id') return null;
    return (
      <span key={change.field} className={styles.difference}>
        <span className="dim">{field?.label ?? change.field}:</span>{' '}
        <Change field={field} record={record} change={change} />
      </span>
    );
  });
}

function Change({ field, record, change }: { field: Field | undefined; record: KithRecord; change: OneChange }) {
  const { record: texts } = useTexts();
  const write = useWriting(field, record);
  if (!('before' in change)) {
    const parts = [
      change.added.length > 0 && texts.addedLinks(change.added.length),
      change.removed.length > 0 && texts.removedLinks(change.removed.length),
    ];
    return parts.filter(Boolean).join(', ');
  }
  const [before, after] = [write(change.before), write(change.after)];
  return (
    <>
      {before !== '' && (
        <del>
          <bdi>{shortened(before)}</bdi>
        </del>
      )}{' '}
      <bdi>{after === '' ? texts.nothing : shortened(after)}</bdi>
    </>
  );
}

/** Formats values as text: users and steps by name, records by the names in the record. */
function useWriting(field: Field | undefined, record: KithRecord): (value: unknown) => string {
  const formats = useFormats();
  const { users, pipelines } = useWorkspace();
  return (value) => {
    if (value === null || value === undefined) return '';
    if (field === undefined) return computedText(value, formats);
    if (field.type === 'USERS') return users.get(String(value))?.name ?? '…';
    if (field.type === 'PIPELINE') {
      return pipelines.flatMap(({ steps }) => steps).find(({ id }) => id === value)?.name ?? '…';
    }
    if (!isRef(field)) return valueText(field, value, formats);
    const id = typeof value === 'object' && 'id' in value ? value.id : value;
    return refsOf(field, record).find((one) => one.id === id)?.display ?? '…';
  };
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
