/** Search, sort and the choice of columns. */
import { ArrowDown, ArrowUp, Columns3, Plus, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { keyText, useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { listable } from './columns.ts';
import { ColumnMenu } from './column-menu.tsx';
import styles from './list-page.module.css';
import { Picker } from '../ui/picker.tsx';
import { Pop } from '../ui/pop.tsx';
import type { List } from './use-list.ts';
import { usePop } from './use-pop.ts';
import { filterField } from './filter/use-filter-labels.ts';

/** The three tools. */
export function Tools({ list }: { list: List }) {
  return (
    <>
      <SearchField list={list} />
      <SortButton list={list} />
      {list.state.layout === 'table' && <ColumnsButton list={list} />}
    </>
  );
}

/** The pause in typing after which the search starts. */
const restMs = 16;

function SearchField({ list }: { list: List }) {
  const { records } = useTexts();
  const { search } = list.state;
  const [text, setText] = useState(search);
  const [shown, setShown] = useState(search);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A search from elsewhere, such as a view or the back button, replaces the text.
  if (shown !== search) {
    setShown(search);
    if (text.trim() !== search.trim()) setText(search);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  useKeys([{ keys: '/', label: records.search, run: () => input.current?.focus() }]);
  const put = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => list.change({ search: next.trim() }), restMs);
  };
  return (
    <label className={styles.search}>
      <Search size={14} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        aria-label={records.search}
        placeholder={records.find}
        value={text}
        onChange={({ target }) => put(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          if (event.key === 'Escape' && text !== '') put('');
          else document.querySelector<HTMLElement>('[role=grid]')?.focus();
        }}
      />
    </label>
  );
}

function SortButton({ list }: { list: List }) {
  const { records } = useTexts();
  const workspace = useWorkspace();
  const { at, isOpen, open, close } = usePop();
  const { sort } = list.state;
  const [first] = sort;
  useKeys([{ keys: 's', label: records.sort, run: open }]);
  const Icon = first?.direction === 'desc' ? ArrowDown : ArrowUp;
  const label = first ? filterField(workspace, list.object, first.field).label : records.sort;
  return (
    <>
      <Button
        ref={at}
        kind="bare"
        icon={<Icon size={14} />}
        hint={keyText('s')}
        aria-haspopup="dialog"
        title={records.sort}
        onClick={open}
      >
        <bdi>{sort.length > 1 ? `${label} +${sort.length - 1}` : label}</bdi>
      </Button>
      {isOpen && (
        <Pop at={at} label={records.sort} close={close}>
          <SortMenu list={list} close={close} />
        </Pop>
      )}
    </>
  );
}

function SortMenu({ list, close }: { list: List; close: () => void }) {
  const { records } = useTexts();
  const workspace = useWorkspace();
  const { sort } = list.state;
  const [isAdding, setAdding] = useState(sort.length === 0);
  const put = (next: typeof sort) => list.change({ sort: next });
  const fields = listable(list.object).filter(({ type }) => type !== 'MANY_TO_MANY');
  if (isAdding)
    return (
      <Picker
        label={sort.length === 0 ? records.sort : records.addSort}
        items={fields.map(({ name, label, type }) => ({ id: type === 'PIPELINE' ? 'pipeline_step_id' : name, label }))}
        pick={(field) => {
          put([...sort.filter((key) => key.field !== field), { field, direction: 'asc' as const }].slice(-5));
          close();
        }}
      />
    );
  return (
    <div className={styles.menu}>
      {sort.map(({ field, direction }, at) => {
        const { label } = filterField(workspace, list.object, field);
        const isUp = direction === 'asc';
        const words = isUp ? records.sortAscending : records.sortDescending;
        return (
          <div key={field} className={styles.line}>
            <bdi className="clip">{label}</bdi>
            <Button
              kind="bare"
              aria-label={`${label}: ${words}`}
              icon={isUp ? <ArrowUp size={14} /> : <ArrowDown size={14} />}
              onClick={() => put(sort.with(at, { field, direction: isUp ? 'desc' : 'asc' }))}
            />
            <Button
              kind="bare"
              aria-label={`${records.removeSort}: ${label}`}
              icon={<X size={14} />}
              onClick={() => put(sort.filter((key) => key.field !== field))}
            />
          </div>
        );
      })}
      {sort.length < 5 && (
        <Button kind="bare" autoFocus icon={<Plus size={14} />} onClick={() => setAdding(true)}>
          {records.addSort}
        </Button>
      )}
    </div>
  );
}

function ColumnsButton({ list }: { list: List }) {
  const { records } = useTexts();
  const { at, isOpen, open, close } = usePop();
  useKeys([{ keys: 'k', label: records.columns, run: open }]);
  return (
    <>
      <Button
        ref={at}
        kind="bare"
        icon={<Columns3 size={14} />}
        aria-haspopup="dialog"
        aria-label={records.columns}
        title={records.columns}
        onClick={open}
      />
      {isOpen && (
        <Pop at={at} label={records.columns} close={close}>
          <ColumnMenu list={list} />
        </Pop>
      )}
    </>
  );
}
