/** An input with a list of choices below, for one or several. The list is in the top layer, so that no pane clips it. */
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { Check, X } from 'lucide-react';
import { messageOf } from '../../api/kith.ts';
import { useTexts } from '../../i18n/language.tsx';
import { Frame } from './editing.tsx';
import styles from './editors.module.css';

export interface Choice {
  readonly id: string;
  readonly label: string;
  /** How it is rendered, if not by its label. */
  readonly shown?: ReactNode;
  /** A faint text beside it. */
  readonly detail?: string;
}

interface ChoicesProps {
  readonly label: string;
  readonly isMany: boolean;
  readonly chosen: readonly Choice[];
  /** The choices that match the typed text; `more` says that there are others. */
  readonly found: readonly Choice[];
  readonly more?: number;
  readonly isSearching?: boolean;
  /** Finds the first match of a text, for when `found` still belongs to an earlier one. */
  readonly find?: ((text: string) => Promise<Choice | undefined>) | undefined;
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly keep: (chosen: readonly Choice[]) => void;
  readonly stop: () => void;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
}

/** Enter takes the marked choice; with several, it goes on, and blur saves them. */
export function Choices(props: ChoicesProps) {
  const { label, found, typed, stop, error, autoFocus = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  // A form has several of these, so the list opens only where the reader types.
  const [isOpen, setOpen] = useState(autoFocus);
  const choosing = useChoosing(props);
  const remove = (choice: Choice) => {
    choosing.remove(choice);
    input.current?.focus();
  };
  return (
    <Frame label={label} problem={choosing.problem} error={error} keep={choosing.leave} stop={stop}>
      {(described) => (
        <>
          <Chosen chosen={choosing.chosen} remove={remove} />
          <input
            {...described}
            ref={input}
            className={styles.input}
            role="combobox"
            aria-label={label}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && found[choosing.at] ? `${id}-${choosing.at}` : undefined}
            autoFocus={autoFocus}
            dir="auto"
            value={typed}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onChange={(event) => choosing.type(event.target.value)}
            onKeyDown={choosing.press}
          />
          {isOpen && (
            <ChoiceList
              {...props}
              id={id}
              anchor={input}
              active={choosing.at}
              isChosen={choosing.isChosen}
              take={choosing.take}
            />
          )}
        </>
      )}
    </Frame>
  );
}

/** The current choices, the marked one, and the handling of keys. */
function useChoosing({ isMany, found, find, typed, setTyped, keep, stop, ...given }: ChoicesProps) {
  const { values } = useTexts();
  const [chosen, setChosen] = useState(given.chosen);
  const [active, setActive] = useState<number>();
  const [problem, setProblem] = useState<string>();
  // The current choices, for answers that arrive between renders.
  const now = useRef(given.chosen);
  const underway = useRef<Promise<void>>(undefined);
  // Without typed text nothing is marked, so Enter keeps the current choice.
  const at = Math.min(active ?? (typed.trim() === '' ? -1 : 0), found.length - 1);
  const isChosen = ({ id }: Choice) => now.current.some((one) => one.id === id);
  const put = (next: readonly Choice[]) => setChosen((now.current = next));
  const remove = ({ id }: Choice) => put(now.current.filter((one) => one.id !== id));
  const type = (text: string) => {
    setTyped(text);
    setActive(undefined);
    setProblem(undefined);
  };
  const take = (choice: Choice) => {
    if (!isMany) return keep([choice]);
    if (isChosen(choice)) remove(choice);
    else put([...now.current, choice]);
    if (!find) type('');
  };
  const leave = () => {
    if (underway.current) void underway.current.then(end);
    else end();
  };
  const end = () => {
    // For a single choice, blur saves only if the choice was removed.
    if (isMany || now.current.length < given.chosen.length) keep(now.current);
    else stop();
  };
  const takeFirst = (first: Choice | undefined) => (first ? take(first) : setProblem(values.noneFound));
  const takeTyped = () => {
    if (!find) return takeFirst(found[0]);
    // For several choices, the next one can be typed at once.
    if (isMany) type('');
    const work = Promise.all([underway.current, find(typed)]).then(
      ([, first]) => takeFirst(first),
      (error: unknown) => setProblem(messageOf(error)),
    );
    underway.current = work.finally(() => (underway.current = undefined));
  };
  const press = (event: KeyboardEvent) => {
    const { key } = event;
    const marked = found[at];
    const last = now.current.at(-1);
    if (key === 'ArrowDown') setActive(Math.min(found.length - 1, at + 1));
    else if (key === 'ArrowUp') setActive(Math.max(0, at - 1));
    else if (key === 'Enter' && active === undefined && typed.trim() !== '') takeTyped();
    else if (key === 'Enter' && marked) take(marked);
    else if (key === 'Tab' && !isMany && typed.trim() !== '' && marked && !find) return keep([marked]);
    else if (key === 'Backspace' && typed === '' && last) remove(last);
    else return;
    event.preventDefault();
  };
  return { chosen, at, problem, isChosen, remove, type, take, press, leave };
}

/** Most chosen items rendered, the last ones; the list has the others. */
const mostChosen = 100;

function Chosen({ chosen, remove }: { chosen: readonly Choice[]; remove: (choice: Choice) => void }) {
  const { values, filters } = useTexts();
  if (chosen.length === 0) return null;
  const left = chosen.length - mostChosen;
  return (
    <span className={styles.chosen}>
      {left > 0 && <span className={styles.hint}>{filters.others(left)}</span>}
      {chosen.slice(-mostChosen).map((choice) => (
        <button
          key={choice.id}
          type="button"
          title={values.takeOut(choice.label)}
          aria-label={values.takeOut(choice.label)}
          onClick={() => remove(choice)}
        >
          {choice.shown ?? <bdi className="clip">{choice.label}</bdi>}
          <X size={12} />
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
  usePlace(list, anchor);
  useEffect(() => {
    list.current?.querySelector('[data-active=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      popover="manual"
      // A scroll container would otherwise be a tab stop.
      tabIndex={-1}
      role="listbox"
      aria-label={label}
      aria-multiselectable={isMany}
      className={styles.list}
    >
      {found.map((choice, index) => (
        <div
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={isChosen(choice)}
          data-active={index === active}
          className={styles.option}
          // Keeps the focus in the input.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(choice)}
        >
          {choice.shown ?? <bdi className="clip">{choice.label}</bdi>}
          {choice.detail !== undefined && <bdi className="faint clip">{choice.detail}</bdi>}
          {isChosen(choice) && <Check size={14} />}
        </div>
      ))}
      {found.length === 0 && <Note text={isSearching ? values.searching : values.noneFound} />}
      {more > 0 && <Note text={values.moreByTyping(more)} />}
    </div>
  );
}

function Note({ text }: { text: string }) {
  return (
    <div role="option" aria-selected="false" aria-disabled="true" className={styles.none}>
      {text}
    </div>
  );
}

/** Opens the list and keeps it below its input; above it if there is no room below. */
function usePlace(list: RefObject<HTMLDivElement | null>, anchor: ListProps['anchor']): void {
  useEffect(() => {
    const [box, under] = [list.current, anchor.current];
    if (!box || !under) return undefined;
    box.showPopover();
    const place = () => {
      const { left, bottom, width } = under.getBoundingClientRect();
      // When it opens upwards, it leaves the chosen items visible.
      const { top } = (under.closest('[role=group]') ?? under).getBoundingClientRect();
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
  }, [list, anchor]);
}
