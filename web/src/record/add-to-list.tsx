/** Adds the record to a list, by the list's name. */
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useTexts } from '../i18n/language.tsx';
import { Picker } from '../ui/picker.tsx';
import { Pop } from '../ui/pop.tsx';
import { toast } from '../ui/toasts.tsx';

interface AddToListProps {
  readonly at: RefObject<HTMLElement | null>;
  readonly object: string;
  readonly id: string;
  /** The record's name. */
  readonly name: string;
  readonly close: () => void;
}

/** Offers the lists that take records of the object. */
export function AddToList({ at, object, id, name, close }: AddToListProps) {
  const { records, lists: texts, shell } = useTexts();
  const { data } = useQuery({ queryKey: [...keys.lists, 'choose'], queryFn: () => kith.lists.list({ limit: 100 }) });
  const lists = (data?.data ?? []).filter(({ object_types: types }) => types.includes(object));
  const add = async (list: string) => {
    close();
    try {
      const answer = kith.listEntries.add(list, { object_type: object, record_id: id });
      const { added } = await written(answer, { text: texts.added(name), isQuiet: true }, shell);
      toast({ text: added === 0 ? texts.there(name) : texts.added(name) });
      void queries.invalidateQueries({ queryKey: keys.record(object, id) });
      void queries.invalidateQueries({ queryKey: keys.lists });
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    }
  };
  return (
    <Pop at={at} label={records.chooseList} close={close}>
      <Picker
        label={records.chooseList}
        items={lists.map((list) => ({ id: list.id, label: list.name }))}
        pick={(list) => void add(list)}
      />
    </Pop>
  );
}
