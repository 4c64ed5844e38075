/** The lists that contain the record. */
import { Link } from '@tanstack/react-router';
import { lazyPart } from '../app/lazy-part.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { usePop } from '../records/use-pop.ts';
import { isObject } from '../values/shapes.ts';
import { computedText } from '../values/text-of.ts';
import type { Loaded } from './record-query.ts';
import styles from './relations-pane.module.css';
import { Section } from './relations-section.tsx';

/** The picker of lists. */
export const AddToList = lazyPart(
  () => import('./add-to-list.tsx'),
  (file) => file.AddToList,
);

interface ListsOfProps extends Pick<Loaded, 'lists'> {
  readonly object: string;
  readonly record: KithRecord;
  readonly isPast: boolean;
}

/** Each list with its entry fields, and a way to add the record to another. */
export function ListsOf({ object, record, lists, isPast }: ListsOfProps) {
  const { record: texts, records } = useTexts();
  const { reader } = useWorkspace();
  const formats = useFormats();
  const { at, isOpen, open, close } = usePop();
  if (isPast && lists.length === 0) return null;
  const add = isPast ? undefined : { label: records.addToList, ref: at, run: open };
  return (
    <Section title={texts.lists} total={lists.length} add={add}>
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
      {isOpen && (
        <AddToList
          at={at}
          object={object}
          id={record.id}
          name={nameOf(record, reader.displayFields[object]).slice(0, 80)}
          close={close}
        />
      )}
    </Section>
  );
}
