import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useTexts } from '../i18n/language.tsx';
import { Picker } from '../ui/picker.tsx';
import { Pop } from '../ui/pop.tsx';
import { toast } from '../ui/toasts.tsx';

interface AddToListProps {
  readonly object: string;
  readonly id: string;
  readonly close: () => void;
}

/** The lists that the record can be on, by typing, under its name. */
export function AddToList({ object, id, close }: AddToListProps) {
  const { records, shell } = useTexts();
  const at = useRef(document.querySelector<HTMLElement>('main h1'));
  const { data } = useQuery({ queryKey: [...keys.lists, 'choose'], queryFn: () => kith.lists.list({ limit: 100 }) });
  const lists = (data?.data ?? []).filter(({ object_types: types }) => types.includes(object));
  const add = async (list: string) => {
    close();
    const name = lists.find((one) => one.id === list)?.name ?? '';
    try {
      const body = { object_type: object, record_ids: [id] };
      await written(kith.listEntries.add(list, body), { text: records.addedToList(1, name) }, shell);
      await queries.invalidateQueries({ queryKey: keys.object(object) });
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    }
  };
  return (
    <Pop at={at} label={records.addToList} close={close}>
      <Picker
        label={records.chooseList}
        items={lists.map((one) => ({ id: one.id, label: one.name }))}
        pick={(list) => void add(list)}
      />
    </Pop>
  );
}
