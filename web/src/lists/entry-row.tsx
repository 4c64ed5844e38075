import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { Field } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { useObject } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';
import { EntryCell } from './entry-cell.tsx';
import type { Entry, List } from './list.ts';
import styles from './lists.module.css';

interface EntryRowProps {
  readonly list: List;
  readonly fields: readonly Field[];
  readonly entry: Entry;
  readonly mayWrite: boolean;
}

/** One record of a list, with its entry fields. */
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
  return <Button kind="bare" aria-label={lists.takeOff(name)} icon={<X size={14} />} onClick={() => void remove()} />;
}
