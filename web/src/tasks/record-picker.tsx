import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kith } from '../api/kith.ts';
import { nameOf } from '../api/record-name.ts';
import { ObjectIcon } from '../app/object-icon.tsx';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Picker } from '../ui/picker.tsx';
import { Pop } from '../ui/pop.tsx';

/** Objects that a task can be linked to. */
const linkable = ['contacts', 'companies', 'opportunities'];

interface RecordPickerProps {
  readonly at: HTMLElement;
  readonly pick: (type: string, id: string) => void;
  readonly close: () => void;
}

/** Finds a record that a task can be linked to, by name. */
export function RecordPicker({ at, pick, close }: RecordPickerProps) {
  const { tasks } = useTexts();
  const { objects, reader } = useWorkspace();
  const [text, setText] = useState('');
  const query = text.trim();
  const { data } = useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => kith.everything.search({ query, limit: 5 }, { signal }),
    enabled: query.length > 1,
    placeholderData: keepPreviousData,
  });
  const found = query.length > 1 ? (data?.results ?? []) : [];
  const choices = found
    .filter(({ objectName }) => linkable.includes(objectName))
    .flatMap(({ objectName, records }) =>
      records.map((record) => ({
        id: `${objectName}/${String(record['id'])}`,
        label: nameOf(record, reader.displayFields[objectName]),
        icon: <ObjectIcon name={objects.get(objectName)?.iconName ?? null} />,
      })),
    );
  return (
    <Pop at={{ current: at }} label={tasks.addRecord} close={close}>
      <Picker
        label={tasks.addRecord}
        items={choices}
        ask={setText}
        nothing={query.length > 1 ? tasks.noRecord(text) : tasks.findRecord}
        pick={(chosen) => {
          close();
          const [type, id] = chosen.split('/');
          if (type !== undefined && id !== undefined) pick(type, id);
        }}
      />
    </Pop>
  );
}
