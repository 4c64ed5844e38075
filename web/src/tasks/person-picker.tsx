import { useState } from 'react';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Picker } from '../ui/picker.tsx';
import { Pop } from '../ui/pop.tsx';

const most = 30;
const nobody = 'nobody';

interface PersonPickerProps {
  readonly at: HTMLElement;
  readonly pick: (userId: string | null) => void;
  readonly close: () => void;
}

/** Chooses the assignee among active users, the reader first. */
export function PersonPicker({ at, pick, close }: PersonPickerProps) {
  const { tasks } = useTexts();
  const { users, userId } = useWorkspace();
  const formats = useFormats();
  const [text, setText] = useState('');
  const wanted = text.trim().toLocaleLowerCase();
  const people = [...users.values()]
    .filter((user) => user.is_active && `${user.name} ${user.email}`.toLocaleLowerCase().includes(wanted))
    .toSorted((a, b) => Number(b.id === userId) - Number(a.id === userId) || formats.compare(a.name, b.name))
    .slice(0, most)
    .map(({ id, name }) => ({ id, label: name, icon: <Avatar name={name} /> }));
  const isNobody = tasks.nobody.toLocaleLowerCase().includes(wanted);
  return (
    <Pop at={{ current: at }} label={tasks.assignee} close={close}>
      <Picker
        label={tasks.assignee}
        items={[...people, ...(isNobody ? [{ id: nobody, label: tasks.nobody }] : [])]}
        ask={setText}
        nothing={tasks.noPerson(text)}
        pick={(id) => {
          close();
          pick(id === nobody ? null : id);
        }}
      />
    </Pop>
  );
}
