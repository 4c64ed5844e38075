import { useState, type SyntheticEvent } from 'react';
import { Plus } from 'lucide-react';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { useWork } from '../ui/use-work.ts';
import form from '../ui/form.module.css';
import type { List } from './list.ts';
import overview from '../ui/overview.module.css';
import styles from './lists.module.css';

type FieldType = List['fields'][number]['type'];

/** Adds a field to the entries of a list. */
export function AddField({ list }: { list: List }) {
  const { lists } = useTexts();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <FieldForm list={list} close={() => setOpen(false)} />;
  return (
    <p className={styles.addField}>
      <Button kind="bare" icon={<Plus size={14} />} onClick={() => setOpen(true)}>
        {lists.addField}
      </Button>
    </p>
  );
}

function FieldForm({ list, close }: { list: List; close: () => void }) {
  const { lists, shell } = useTexts();
  const [label, setLabel] = useState('');
  const [type, setType] = useState<FieldType>('TEXT');
  const { isWorking, problem, run } = useWork();
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    return run(async () => {
      const fields = [...list.fields, { name: nameFor(label, list), label: label.trim(), type }];
      await written(kith.lists.update(list.id, { fields }), { text: lists.addField, isQuiet: true }, shell);
      await queries.invalidateQueries({ queryKey: keys.lists });
      close();
    });
  };
  return (
    <form className={overview.create} onSubmit={(event) => void save(event)}>
      <input
        className={form.input}
        aria-label={lists.newField}
        placeholder={lists.newField}
        required
        autoFocus
        maxLength={100}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') close();
        }}
      />
      <select
        className={form.select}
        aria-label={lists.fieldType}
        value={type}
        onChange={({ target }) => setType(target.value as FieldType)}
      >
        {Object.entries(lists.types).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <Button type="submit" isWorking={isWorking}>
        {shell.create}
      </Button>
      <Problem text={problem} />
    </form>
  );
}

/** A snake_case name that is not taken. */
function nameFor(label: string, { fields }: List): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const name = /^[a-z]/.test(plain) ? plain : `field_${plain}`.replace(/_$/, '');
  return fields.some((field) => field.name === name) ? `${name}_${fields.length + 1}` : name;
}
