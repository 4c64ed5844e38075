/** Choosing by typing: an input with a list under it, one or several. The list lies above everything, so that no pane clips it. */
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Check, X } from 'lucide-react';
import { useTexts } from '../../i18n/language.tsx';
import { Frame } from './editing.tsx';
import styles from './editors.module.css';

export interface Choice {
  readonly id: string;
  readonly label: string;
  /** How it is shown, where that is more than its label. */
  readonly shown?: ReactNode;
  /** Beside it, faint. */
  readonly detail?: string;
}

interface ChoicesProps {
  readonly label: string;
  readonly isMany: boolean;
  readonly chosen: readonly Choice[];
  /** What there is to choose for what was typed; further ones are said by `more`. */
  readonly found: readonly Choice[];
  readonly more?: number;
  readonly isSearching?: boolean;
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly keep: (chosen: readonly Choice[]) => void;
  readonly stop: () => void;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
}

/** Enter takes the marked one; of several it takes and goes on, and leaving keeps them. */
export function Choices(props: ChoicesProps) {
  const { label, isMany, found, typed, setTyped, keep, stop, error, autoFocus = false } = props;
  const [chosen, setChosen] = useState(props.chosen);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const at = Math.min(active, found.length - 1);
  const isChosen = (choice: Choice) => chosen.some((one) => one.id === choice.id);
  const take = (choice: Choice) => {
    if (!isMany) return keep([choice]);
    setChosen(isChosen(choice) ? chosen.filter((one) => one.id !== choice.id) : [...chosen, choice]);
    setTyped('');
    setActive(0);
  };
  const press = (event: KeyboardEvent) => {
    const marked = found[at];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setActive(Math.max(0, Math.min(found.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter' && marked && (typed !== '' || active > 0 || !isMany)) take(marked);
    else if (event.key === 'Tab' && !isMany && typed !== '' && marked) return keep([marked]);
    else if (event.key === 'Backspace' && typed === '' && chosen.length > 0) setChosen(chosen.slice(0, -1));
    else return;
    event.preventDefault();
  };
  // Of one, leaving without a choice changes nothing, but where it was taken out.
  const leave = () => (isMany || chosen.length < props.chosen.length ? keep(chosen) : stop());
  return (
    <Frame label={label} error={error} keep={leave} stop={stop}>
      {(described) => (
        <>
          <Chosen chosen={chosen} remove={(choice) => setChosen(chosen.filter((one) => one !== choice))} />
          <input
            {...described}
            ref={input}
            className={styles.input}
            role="combobox"
            aria-label={label}
            aria-expanded="true"
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever opens it wants to type
            autoFocus={autoFocus}
            dir="auto"
            value={typed}
            onChange={(event) => (setTyped(event.target.value), setActive(0))}
            onKeyDown={press}
          />
          <ChoiceList {...props} id={id} anchor={input} active={at} isChosen={isChosen} take={take} />
        </>
      )}
    </Frame>
  );
}

function Chosen({ chosen, remove }: { chosen: readonly Choice[]; remove: (choice: Choice) => void }) {
  const { values } = useTexts();
  if (chosen.length === 0) return null;
  return (
    <span className={styles.chosen}>
      {chosen.map((choice) => (
        <button
          key={choice.id}
          type="button"
          title={values.takeOut(choice.label)}
          aria-label={values.takeOut(choice.label)}
          onClick={() => remove(choice)}
        >
          {choice.shown ?? <bdi className="clip">{choice.label}</bdi>}
          <X size={12} strokeWidth={1.5} />
        </button>
      ))}
    </span>
  );
}

interface ListProps extends ChoicesProps {
  readonly id: string;
  readonly anchor: { readonly current: HTMLElement | null };
  readonly active: number;
  readonly isChosen: (choice: Choice) => boolean;
  readonly take: (choice: Choice) => void;
}

function ChoiceList({
  label,
  id,
  anchor,
  found,
  more = 0,
  isSearching = false,
  active,
  isMany,
  isChosen,
  take,
}: ListProps) {
  const { values } = useTexts();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [box, under] = [list.current, anchor.current];
    if (!box || !under) return undefined;
    box.showPopover();
    const place = () => {
      const { left, bottom, top, width } = under.getBoundingClientRect();
      const height = Math.min(box.scrollHeight + 2, 288);
      box.style.left = `${left}px`;
      box.style.width = `${Math.max(width, 224)}px`;
      box.style.top = `${bottom + 4 + height > innerHeight ? Math.max(4, top - 4 - height) : bottom + 4}px`;
    };
    place();
    const watch = new ResizeObserver(place);
    watch.observe(box);
    addEventListener('scroll', place, true);
    return () => {
      watch.disconnect();
      removeEventListener('scroll', place, true);
    };
  }, [anchor]);
  useEffect(() => {
    list.current?.querySelector('[data-active=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      popover="manual"
      // A list that scrolls is no stop of its own.
      tabIndex={-1}
      role="listbox"
      aria-label={label}
      aria-multiselectable={isMany}
      className={styles.list}
    >
      {found.map((choice, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the input's
        <div
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={isChosen(choice)}
          data-active={index === active}
          className={styles.option}
          // The input keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(choice)}
        >
          {choice.shown ?? <bdi className="clip">{choice.label}</bdi>}
          {choice.detail !== undefined && <bdi className="faint clip">{choice.detail}</bdi>}
          {isChosen(choice) && <Check size={14} strokeWidth={1.5} />}
        </div>
      ))}
      {found.length === 0 && (
        <div role="option" aria-selected="false" aria-disabled="true" className={styles.none}>
          {isSearching ? values.searching : values.noneFound}
        </div>
      )}
      {more > 0 && (
        <div role="option" aria-selected="false" aria-disabled="true" className={styles.none}>
          {values.moreByTyping(more)}
        </div>
      )}
    </div>
  );
}
