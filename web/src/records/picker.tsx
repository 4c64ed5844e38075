/** Choosing by typing: an input, and under it what fits; Enter takes the marked one. */
import { Check } from 'lucide-react';
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTexts } from '../i18n/language.tsx';
import styles from './pop.module.css';

export interface PickItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly detail?: string | undefined;
  readonly isChosen?: boolean;
}

interface PickerProps {
  readonly label: string;
  readonly items: readonly PickItem[];
  readonly pick: (id: string) => void;
  /** Where what there is comes from elsewhere: it is asked with what was typed, and filters itself. */
  readonly ask?: (text: string) => void;
}

/** The input and its list. */
export function Picker({ label, items, pick, ask }: PickerProps) {
  const { records } = useTexts();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const found = ask ? items : fitting(items, text);
  const at = Math.min(active, found.length - 1);
  const activeId = at >= 0 ? `${id}-${at}` : undefined;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter' && found[at]) pick(found[at].id);
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
          ask?.(target.value);
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
        {found.map((item, index) => (
          <li
            key={item.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={item.isChosen ?? index === at}
            data-active={index === at || undefined}
            className={styles.option}
            onPointerMove={() => setActive(index)}
            onClick={() => pick(item.id)}
          >
            {item.icon}
            <bdi className="clip">{item.label}</bdi>
            {item.detail !== undefined && <small>{item.detail}</small>}
            {item.isChosen && <Check size={14} strokeWidth={1.5} aria-hidden="true" />}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.none}>{records.nothingFound}</p>}
    </>
  );
}

/** Those with the text in them: where it begins a word first. */
function fitting(items: readonly PickItem[], text: string): readonly PickItem[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return items;
  const rank = ({ label }: PickItem) => {
    const name = label.toLocaleLowerCase();
    if (name.startsWith(wanted)) return 0;
    return name.includes(` ${wanted}`) ? 1 : name.includes(wanted) ? 2 : 3;
  };
  return items.filter((item) => rank(item) < 3).toSorted((a, b) => rank(a) - rank(b));
}
