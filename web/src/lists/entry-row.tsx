import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { Field, KithRecord } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { useObject, useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';
import { ValueEditor } from '../values/editors/value-editor.tsx';
import { textOf } from '../values/text-of.ts';
import { Value } from '../values/value.tsx';
import type { Entry, List } from './list.ts';
import styles from './lists.module.css';

interface EntryRowProps {
  readonly list: List;
  readonly fields: readonly Field[];
  readonly entry: Entry;
  readonly mayWrite: boolean;
}

/** One record on the list; what the list keeps of it is edited in place. */
export function EntryRow({ list, fields, entry, mayWrite }: EntryRowProps) {
  const { lists } = useTexts();
  const formats = useFormats();
  const object = useObject(entry.object_type);
  const name = entry.record.display ?? lists.hidden;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <Link to="/r/$object/$id" params={{ object: entry.object_type, id: entry.record_id }}>
          <bdi>{name}</bdi>
        </Link>
      </th>
      {list.object_types.length > 1 && <td className="dim">{object?.labelSingular ?? entry.object_type}</td>}
      {fields.map((field) => (
        <EntryCell key={field.name} list={list} field={field} entry={entry} name={name} mayWrite={mayWrite} />
      ))}
      <td className="dim">
        <time dateTime={entry.created_at}>{formats.day(entry.created_at)}</time>
      </td>
      {mayWrite && (
        <td className={styles.last}>
          <TakeOff list={list} entry={entry} name={name} />
        </td>
      )}
    </tr>
  );
}

function EntryCell({
  list,
  field,
  entry,
  name,
  mayWrite,
}: Omit<EntryRowProps, 'fields'> & { field: Field; name: string }) {
  const { lists, shell } = useTexts();
  const formats = useFormats();
  const { users } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const value = entry.entry_fields[field.name];
  const user = typeof value === 'string' ? users.get(value)?.name : undefined;
  const record: KithRecord = {
    ...entry.entry_fields,
    id: entry.record_id,
    ...(user !== undefined && { [`${field.name}_display`]: user }),
  };
  const commit = async (next: unknown) => {
    setProblem(undefined);
    try {
      const answer = kith.listEntries.update(list.id, entry.entry_id, { entry_fields: { [field.name]: next } });
      await written(answer, { text: lists.saved(field.label), isQuiet: true }, shell);
      setOpen(false);
      await queries.invalidateQueries({ queryKey: [...keys.lists, list.id] });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  if (isOpen)
    return (
      <td className={styles.editing}>
        <ValueEditor
          field={field}
          record={record}
          value={value}
          commit={(next) => void commit(next)}
          cancel={() => setOpen(false)}
          error={problem}
          autoFocus
        />
      </td>
    );
  return (
    <td className={styles.cell}>
      {mayWrite ? (
        <button
          type="button"
          className={styles.open}
          aria-label={[lists.edit(field.label, name), textOf(field, record, formats)]
            .filter((part) => part !== '')
            .join(': ')}
          onClick={() => setOpen(true)}
        >
          <Value field={field} record={record} isLinked={false} />
        </button>
      ) : (
        <Value field={field} record={record} isLinked={false} />
      )}
    </td>
  );
}

function TakeOff({ list, entry, name }: { list: List; entry: Entry; name: string }) {
  const { lists, shell } = useTexts();
  const remove = async () => {
    try {
      const body = { object_type: entry.object_type, record_id: entry.record_id };
      await written(kith.listEntries.remove(list.id, body), { text: lists.takenOff(name) }, shell);
      await queries.invalidateQueries({ queryKey: keys.lists });
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    }
  };
  return (
    <Button
      kind="bare"
      aria-label={lists.takeOff(name)}
      icon={<X size={14} strokeWidth={1.5} />}
      onClick={() => void remove()}
    />
  );
}
