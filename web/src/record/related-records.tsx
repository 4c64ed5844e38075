/** Records that refer to the shown one through one of their fields. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { usePop } from '../records/use-pop.ts';
import { Avatar } from '../ui/avatar.tsx';
import { StepName } from '../values/parts.tsx';
import { Value } from '../values/value.tsx';
import { useLinking } from './linking.ts';
import { leadingTo, rightsOver, detailField, type Way } from './related.ts';
import styles from './relations-pane.module.css';
import { Section } from './relations-section.tsx';

const AddRelated = lazyPart(
  () => import('./add-related.tsx'),
  (file) => file.AddRelated,
);
const NewRecord = lazyPart(
  () => import('../records/new-record.tsx'),
  (file) => file.NewRecord,
);

const mostShown = 5;

interface RelatedProps {
  readonly title: string;
  readonly way: Way;
  /** The object that this field refers to. */
  readonly object: string;
  readonly id: string;
  /** The id of the shown record, which is left out. */
  readonly but?: string;
  readonly isPast: boolean;
}

/** The first related records, their number, and ways to add and remove links. */
export function Related({ title, way, object, id, but, isPast }: RelatedProps) {
  const { from, field } = way;
  const { record: texts } = useTexts();
  const { permissions } = useWorkspace();
  const formats = useFormats();
  const { at, isOpen, open, close } = usePop();
  const [isNew, setNew] = useState(false);
  const { link, unlink } = useLinking(way, object, id);
  const filters = { type: 'AND' as const, conditions: [{ field: field.name, operator: 'equals' as const, value: id }] };
  const { data } = useQuery({
    queryKey: [...keys.object(from.name), 'related', field.name, id],
    queryFn: () => kith.records.list(from.name, { filters, limit: mostShown + 1 }),
  });
  const may = isPast ? undefined : rightsOver(way, permissions[from.name]);
  const rows: KithRecord[] = (data?.data ?? []).filter((row) => row.id !== but).slice(0, mostShown);
  const total = (data?.total ?? 0) - (but === undefined ? 0 : 1);
  if (!data || (rows.length === 0 && !may?.link && !may?.make)) return null;
  const add = may && (may.link || may.make) ? { label: texts.addTo(title), ref: at, run: open } : undefined;
  return (
    <Section title={title} total={total} add={add}>
      {rows.map((row) => (
        <li key={row.id} className={styles.line}>
          <RelatedRow from={from} row={row} unlink={may?.unlink ? unlink : undefined} />
        </li>
      ))}
      {total > rows.length && (
        <li>
          <Link
            className={styles.all ?? ''}
            to="/r/$object"
            params={{ object: from.name }}
            search={{ f: JSON.stringify(filters) }}
          >
            {texts.showMore(formats.number(total - rows.length))}
          </Link>
        </li>
      )}
      {isOpen && (
        <AddRelated
          at={at}
          way={way}
          but={[id, ...data.data.map((row) => row.id)]}
          link={may?.link ? (other, name) => void link(other, name) : undefined}
          make={may?.make ? () => setNew(true) : undefined}
          close={close}
        />
      )}
      {isNew && (
        <NewRecord object={from} given={{ [field.name]: leadingTo(field, object, id) }} close={() => setNew(false)} />
      )}
    </Section>
  );
}

interface RelatedRowProps {
  readonly from: ObjectShape;
  readonly row: KithRecord;
  readonly unlink: ((id: string, name: string) => Promise<void>) | undefined;
}

function RelatedRow({ from, row, unlink }: RelatedRowProps) {
  const { reader, permissions } = useWorkspace();
  const { record: texts } = useTexts();
  const name = nameOf(row, reader.displayFields[from.name]).slice(0, 300);
  const detail = detailField(from, permissions[from.name]?.fields);
  return (
    <>
      <Link className={styles.row ?? ''} to="/r/$object/$id" params={{ object: from.name, id: row.id }}>
        <Mark object={from.name} record={row} name={name} />
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        {detail && (
          <span className={styles.detail}>
            <Value field={detail} record={row} isLinked={false} />
          </span>
        )}
      </Link>
      {unlink && (
        <button
          type="button"
          className={`${styles.icon} ${styles.unlink}`}
          aria-label={texts.unlink(name)}
          title={texts.unlink(name)}
          onClick={() => void unlink(row.id, name)}
        >
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </>
  );
}

function Mark({ object, record, name }: { object: string; record: KithRecord; name: string }) {
  if (object === 'contacts') return <Avatar name={name} />;
  if (object === 'companies') return <Avatar name={name} kind="company" />;
  return record['pipeline_step_id'] ? (
    <span className={styles.step}>
      <StepName record={record} />
    </span>
  ) : null;
}
