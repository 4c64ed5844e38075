import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';
import form from '../ui/form.module.css';
import type { List } from './list.ts';
import styles from './lists.module.css';

interface Found {
  readonly object: string;
  readonly id: string;
  readonly name: string;
}

const mostFound = 6;

/** Finds a record by name and adds it to the list. */
export function AddRecord({ list }: { list: List }) {
  const { lists } = useTexts();
  const box = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = useFound(list, text.trim());
  const items = found.data ?? [];
  useKeys([{ keys: 'l', label: lists.add, run: () => input.current?.focus() }]);
  const put = usePut(list);
  const add = (item: Found) => {
    setText('');
    return put(item);
  };
  const press = (event: KeyboardEvent) => {
    const chosen = items[at];
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, items.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Escape') setText('');
    else if (event.key === 'Enter' && chosen) void add(chosen);
    else return;
    event.preventDefault();
  };
  const isOpen = text.trim() !== '' && found.data !== undefined;
  return (
    <div className={styles.add}>
      <input
        ref={input}
        className={form.input}
        role="combobox"
        aria-label={lists.add}
        aria-expanded={isOpen}
        aria-controls={box}
        aria-activedescendant={isOpen && items[at] ? `${box}-${at}` : undefined}
        placeholder={lists.add}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <Options box={box} items={isOpen ? items : []} at={at} add={(item) => void add(item)} />
      <p role="status" className="unseen">
        {isOpen && items.length === 0 && lists.nothingFound(text)}
      </p>
    </div>
  );
}

/** Adds a record to the list; undo removes it. */
function usePut(list: List) {
  const { lists, shell } = useTexts();
  return async ({ object, id, name }: Found) => {
    try {
      const answer = kith.listEntries.add(list.id, { object_type: object, record_id: id });
      const isThere = (await written(answer, { text: lists.added(name), isQuiet: true }, shell)).added === 0;
      toast({ text: isThere ? lists.there(name) : lists.added(name) });
      await queries.invalidateQueries({ queryKey: keys.lists });
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    }
  };
}

interface OptionsProps {
  readonly box: string;
  readonly items: readonly Found[];
  readonly at: number;
  readonly add: (item: Found) => void;
}

function Options({ box, items, at, add }: OptionsProps) {
  const { lists } = useTexts();
  return (
    <ul id={box} role="listbox" aria-label={lists.add} hidden={items.length === 0} className={styles.found}>
      {items.map((item, index) => (
        <li
          key={item.id}
          id={`${box}-${index}`}
          role="option"
          aria-selected={index === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => add(item)}
        >
          <bdi>{item.name}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Records of the objects that the list takes. */
function useFound(list: List, search: string) {
  const { reader } = useWorkspace();
  return useQuery({
    queryKey: ['records', 'found', list.object_types, search],
    enabled: search !== '',
    queryFn: async (): Promise<readonly Found[]> => {
      const pages = await Promise.all(
        list.object_types.map(async (object) => {
          const { data } = await kith.records.list(object, { search, limit: mostFound });
          return data.map((record) => {
            const known = record as KithRecord;
            return { object, id: known.id, name: nameOf(known, reader.displayFields[object]) };
          });
        }),
      );
      return pages.flat().slice(0, mostFound);
    },
  });
}
