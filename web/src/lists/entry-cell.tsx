/** A field of a list entry, edited in place. */
import { useState } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { Field, KithRecord } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { ValueEditor } from '../values/editors/value-editor.tsx';
import { textOf } from '../values/text-of.ts';
import { Value } from '../values/value.tsx';
import type { Entry, List } from './list.ts';
import styles from './lists.module.css';

interface EntryCellProps {
  readonly list: List;
  readonly field: Field;
  readonly entry: Entry;
  /** The record's name. */
  readonly name: string;
  readonly mayWrite: boolean;
}

/** The cell; a click opens its editor if the reader may write. */
export function EntryCell({ list, field, entry, name, mayWrite }: EntryCellProps) {
  const { lists } = useTexts();
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const record = useEntryRecord(entry, field);
  const close = () => setOpen(false);
  if (isOpen) return <EditedCell list={list} field={field} entry={entry} record={record} close={close} />;
  const shown = <Value field={field} record={record} isLinked={false} />;
  const texts = () => [lists.edit(field.label, name), textOf(field, record, formats)].filter((part) => part !== '');
  return (
    <td className={styles.cell}>
      {mayWrite ? (
        <button type="button" className={styles.open} aria-label={texts().join(': ')} onClick={() => setOpen(true)}>
          {shown}
        </button>
      ) : (
        shown
      )}
    </td>
  );
}

interface EditedCellProps extends Pick<EntryCellProps, 'list' | 'field' | 'entry'> {
  readonly record: KithRecord;
  readonly close: () => void;
}

function EditedCell({ list, field, entry, record, close }: EditedCellProps) {
  const { lists, shell } = useTexts();
  const [problem, setProblem] = useState<string>();
  const commit = async (next: unknown) => {
    setProblem(undefined);
    try {
      const answer = kith.listEntries.update(list.id, entry.entry_id, { entry_fields: { [field.name]: next } });
      await written(answer, { text: lists.saved(field.label), isQuiet: true }, shell);
      close();
      await queries.invalidateQueries({ queryKey: [...keys.lists, list.id] });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <td className={styles.editing}>
      <ValueEditor
        field={field}
        record={record}
        value={entry.entry_fields[field.name]}
        commit={(next) => void commit(next)}
        cancel={close}
        error={problem}
        autoFocus
      />
    </td>
  );
}

/** The entry's fields in the form of a record's, with the display name of the user in this field. */
function useEntryRecord(entry: Entry, { name }: Field): KithRecord {
  const { users } = useWorkspace();
  const value = entry.entry_fields[name];
  const user = typeof value === 'string' ? users.get(value)?.name : undefined;
  return { ...entry.entry_fields, id: entry.record_id, ...(user !== undefined && { [`${name}_display`]: user }) };
}
