/** A picker: an input with the matching items below; Enter takes the marked one. */
import { Check } from 'lucide-react';
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTexts } from '../i18n/language.tsx';
import styles from './picker.module.css';

export interface PickItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly detail?: string | undefined;
  readonly isChosen?: boolean;
  /** The heading; adjacent items with the same one are grouped. */
  readonly group?: string;
}

interface PickerProps {
  readonly label: string;
  readonly items: readonly PickItem[];
  readonly pick: (id: string) => void;
  /** For items from elsewhere: called with the typed text, and responsible for filtering. */
  readonly ask?: (text: string) => void;
  /** The initial text. */
  readonly begun?: string;
  /** The text shown if nothing matches. */
  readonly nothing?: string;
}

/** Most items rendered at once: all of 2,000 options would take too long. */
const drawnAtOnce = 100;

/** The input and its list. */
export function Picker({ label, items, pick, ask, nothing, begun = '' }: PickerProps) {
  const { records, values } = useTexts();
  const [text, setText] = useState(begun);
  const [active, setActive] = useState(0);
  const [most, setMost] = useState(drawnAtOnce);
  const id = useId();
  const found = ask ? items : fitting(items, text);
  const drawn = found.slice(0, most);
  const isAll = drawn.length === found.length;
  const drawMore = () => setMost(drawn.length + drawnAtOnce);
  const at = Math.min(active, drawn.length - 1);
  const activeId = at >= 0 ? `${id}-${at}` : undefined;
  useInSight(activeId);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === 1 && at === drawn.length - 1 && !isAll) {
      drawMore();
      setActive(at + 1);
    } else if (step !== undefined) setActive((at + step + drawn.length) % Math.max(1, drawn.length));
    else if (event.key === 'Enter' && drawn[at]) pick(drawn[at].id);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        autoFocus
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        className={styles.find}
        placeholder={label}
        value={text}
        onKeyDown={press}
        onChange={({ target }) => {
          setText(target.value);
          setActive(0);
          setMost(drawnAtOnce);
          ask?.(target.value);
        }}
      />
      <Found
        id={id}
        label={label}
        found={drawn}
        of={found.length}
        at={at}
        mark={setActive}
        pick={pick}
        drawMore={drawMore}
      />
      {!isAll && <p className={styles.none}>{values.moreByTyping(found.length - drawn.length)}</p>}
      {found.length === 0 && <p className={styles.none}>{nothing ?? records.nothingFound}</p>}
    </>
  );
}

/** Scrolls to the item that keys have reached. */
function useInSight(id: string | undefined): void {
  useEffect(() => {
    if (id) document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  }, [id]);
}

interface FoundProps {
  readonly id: string;
  readonly label: string;
  readonly found: readonly PickItem[];
  /** The number of all matches. */
  readonly of: number;
  /** The index of the marked one. */
  readonly at: number;
  readonly mark: (at: number) => void;
  readonly pick: (id: string) => void;
  readonly drawMore: () => void;
}

/** The matches under their headings. If not all are rendered, each has its position for screen readers. */
function Found({ id, label, found, of, at, mark, pick, drawMore }: FoundProps) {
  const isAll = found.length === of;
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      className={styles.list}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (!isAll && scrollTop + 2 * clientHeight > scrollHeight) drawMore();
      }}
    >
      {groupsOf(found).map(({ group, first, items }) => (
        <div key={first} role="group" aria-label={group ?? label}>
          {group !== undefined && (
            <p className={styles.heading} aria-hidden="true">
              {group}
            </p>
          )}
          {items.map((item, index) => (
            <Option
              key={item.id}
              item={item}
              id={`${id}-${first + index}`}
              isActive={first + index === at}
              position={isAll ? undefined : { at: first + index + 1, of }}
              enter={() => mark(first + index)}
              pick={pick}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly item: PickItem;
  readonly id: string;
  readonly isActive: boolean;
  readonly position: { readonly at: number; readonly of: number } | undefined;
  readonly enter: () => void;
  readonly pick: (id: string) => void;
}

function Option({ item, id, isActive, position, enter, pick }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={item.isChosen ?? isActive}
      aria-posinset={position?.at}
      aria-setsize={position?.of}
      data-active={isActive || undefined}
      className={styles.option}
      onPointerMove={enter}
      onClick={() => pick(item.id)}
    >
      {item.icon}
      <bdi className="clip">{item.label}</bdi>
      {item.detail !== undefined && <small>{item.detail}</small>}
      {item.isChosen && <Check size={14} aria-hidden="true" />}
    </div>
  );
}

interface Group {
  readonly group: string | undefined;
  /** The index of its first item among all. */
  readonly first: number;
  readonly items: PickItem[];
}

/** Adjacent items with the same heading. */
function groupsOf(items: readonly PickItem[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [index, item] of items.entries()) {
    const last = groups.at(-1);
    if (last && last.group === item.group) last.items.push(item);
    else groups.push({ group: item.group, first: index, items: [item] });
  }
  return groups;
}

/** The items that contain the text, those in which it begins a word first. */
function fitting(items: readonly PickItem[], text: string): readonly PickItem[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return items;
  const ranks: PickItem[][] = [[], [], []];
  for (const item of items) {
    const name = item.label.toLocaleLowerCase();
    const rank = name.startsWith(wanted) ? 0 : name.includes(` ${wanted}`) ? 1 : 2;
    if (rank < 2 || name.includes(wanted)) ranks[rank]?.push(item);
  }
  return ranks.flat();
}
