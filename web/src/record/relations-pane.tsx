/** What belongs to the record: records that lead to it, lists it is on, and open tasks. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { StepName } from '../values/parts.tsx';
import { isObject } from '../values/shapes.ts';
import { computedText } from '../values/text-of.ts';
import { Value } from '../values/value.tsx';
import type { Loaded } from './record-query.ts';
import { tellingField, wayBeside, waysTo, type Way } from './related.ts';
import styles from './relations-pane.module.css';

const mostShown = 5;
const linkable = new Set(['contacts', 'companies', 'opportunities']);

/** Sections of what belongs to the record; those with nothing in them are not there. */
export function RelationsPane({ shape, loaded }: { shape: ObjectShape; loaded: Loaded }) {
  const workspace = useWorkspace();
  const { record: texts } = useTexts();
  const { record, lists } = loaded;
  const beside = wayBeside(shape, record);
  const hasTasks = linkable.has(shape.name) && (workspace.permissions['tasks']?.view ?? 'none') !== 'none';
  return (
    <>
      {waysTo(shape.name, workspace).map((way) => (
        <Related key={`${way.from.name}.${way.field.name}`} title={way.from.label} way={way} id={record.id} />
      ))}
      {beside && <Related title={texts.beside(shape.label, beside.name)} way={beside} id={beside.id} but={record.id} />}
      <ListsOf lists={lists} />
      {hasTasks && <TasksOf object={shape.name} id={record.id} />}
    </>
  );
}

function Section({ title, total, children }: { title: string; total: number; children: ReactNode }) {
  const formats = useFormats();
  return (
    <section className={styles.section}>
      <h2>
        <bdi>{title}</bdi> <span className="faint numeric">{formats.number(total)}</span>
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

interface RelatedProps {
  readonly title: string;
  readonly way: Way;
  /** What the field of the related records names. */
  readonly id: string;
  /** The record itself, where it would be among them. */
  readonly but?: string;
}

function Related({ title, way: { from, field }, id, but }: RelatedProps) {
  const { record: texts } = useTexts();
  const formats = useFormats();
  const filters = { type: 'AND' as const, conditions: [{ field: field.name, operator: 'equals' as const, value: id }] };
  const { data } = useQuery({
    queryKey: [...keys.object(from.name), 'related', field.name, id],
    queryFn: () => kith.records.list(from.name, { filters, limit: mostShown + 1 }),
  });
  const rows = (data?.data ?? []).filter((row) => row.id !== but).slice(0, mostShown);
  const total = (data?.total ?? 0) - (but === undefined ? 0 : 1);
  if (rows.length === 0) return null;
  return (
    <Section title={title} total={total}>
      {rows.map((row: KithRecord) => (
        <li key={row.id}>
          <RelatedRow from={from} row={row} />
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
            {texts.showAll(formats.number(data?.total ?? total))}
          </Link>
        </li>
      )}
    </Section>
  );
}

function RelatedRow({ from, row }: { from: ObjectShape; row: KithRecord }) {
  const { reader, permissions } = useWorkspace();
  const name = nameOf(row, reader.displayFields[from.name]).slice(0, 300);
  const telling = tellingField(from, permissions[from.name]?.fields);
  return (
    <Link className={styles.row ?? ''} to="/r/$object/$id" params={{ object: from.name, id: row.id }}>
      <Mark object={from.name} record={row} name={name} />
      <bdi className={styles.name} title={name}>
        {name}
      </bdi>
      {telling && (
        <span className={styles.detail}>
          <Value field={telling} record={row} isLinked={false} />
        </span>
      )}
    </Link>
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

function ListsOf({ lists }: Pick<Loaded, 'lists'>) {
  const { record: texts } = useTexts();
  const formats = useFormats();
  if (lists.length === 0) return null;
  return (
    <Section title={texts.lists} total={lists.length}>
      {lists.map((list) => (
        <li key={list.entry_id}>
          <Link className={styles.row ?? ''} to="/lists/$id" params={{ id: list.list_id }}>
            <bdi className={styles.name}>{list.list_name}</bdi>
            <bdi className={styles.detail}>
              {isObject(list.entry_fields)
                ? Object.values(list.entry_fields)
                    .map((value) => computedText(value, formats))
                    .filter(Boolean)
                    .join(', ')
                : ''}
            </bdi>
          </Link>
        </li>
      ))}
    </Section>
  );
}

function TasksOf({ object, id }: { object: string; id: string }) {
  const { record: texts, shell } = useTexts();
  const formats = useFormats();
  const queryKey = [...keys.tasks, 'of', object, id];
  const { data } = useQuery({
    queryKey,
    queryFn: () =>
      kith.tasks.list({
        linked_entity_id: id,
        linked_entity_type: object as 'contacts',
        filters: { type: 'AND', conditions: [{ field: 'is_completed', operator: 'is_false' }] },
        limit: 20,
      }),
  });
  if (!data || data.total === 0) return null;
  const finish = async (task: string) => {
    await written(kith.tasks.complete(task, { completed: true }), { text: texts.taskDone }, shell);
    await Promise.all(
      [keys.tasks, keys.activity(object, id)].map((stale) => queries.invalidateQueries({ queryKey: stale })),
    );
  };
  return (
    <Section title={texts.tasks} total={data.total}>
      {data.data.map((task) => (
        <li key={task.id}>
          <label className={styles.row}>
            <input
              type="checkbox"
              aria-label={texts.taskFor(task.title ?? '')}
              onChange={() => void finish(task.id ?? '')}
            />
            <bdi className={styles.name}>{task.title}</bdi>
            <span className={styles.detail}>{task.due_date ? formats.near(task.due_date) : ''}</span>
          </label>
        </li>
      ))}
    </Section>
  );
}
