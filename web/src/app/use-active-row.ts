import { useCallback, useEffect, useRef, useState } from 'react';

export interface ActiveRow {
  /** The id of the row that keys act on. */
  readonly id: string | undefined;
  /** Its index, or where it was before it went. */
  readonly at: number;
  /** Makes a row the active one; with `hasFocus` it takes the focus, too. */
  choose(id: string, hasFocus?: boolean): void;
  /** Goes so many rows on, as far as there are any. */
  move(step: number): void;
  /** For the element of each row: the active one takes the focus where a key has chosen it. */
  ref(id: string): (element: HTMLElement | null) => void;
}

/** One of a list's rows is the one that keys act on; when it goes, the next one takes its place. */
export function useActiveRow(ids: readonly string[], show: (index: number) => void): ActiveRow {
  const [chosen, setChosen] = useState<string>();
  const lastAt = useRef(0);
  const focusWanted = useRef(false);
  const hadFocus = useRef(false);
  const elements = useRef(new Map<string, HTMLElement>());
  const refs = useRef(new Map<string, (element: HTMLElement | null) => void>());
  const found = chosen === undefined ? -1 : ids.indexOf(chosen);
  const at = found >= 0 ? found : Math.min(lastAt.current, ids.length - 1);
  const id = ids[at];
  useEffect(() => {
    lastAt.current = Math.max(0, at);
    const element = id === undefined ? undefined : elements.current.get(id);
    // A row that moves among the others loses the focus to nothing.
    const isLost = hadFocus.current && document.activeElement === document.body;
    if (element && (focusWanted.current || isLost)) {
      focusWanted.current = false;
      element.focus({ preventScroll: true });
    }
  });
  useEffect(() => {
    // An element that goes takes the focus with it, and nothing else gets any: so this stays as it was.
    const look = ({ target }: FocusEvent) => {
      hadFocus.current = [...elements.current.values()].some((element) => element.contains(target as Node | null));
    };
    document.addEventListener('focusin', look);
    return () => document.removeEventListener('focusin', look);
  }, []);
  const choose = useCallback((wanted: string, hasFocus = false) => {
    focusWanted.current ||= hasFocus;
    setChosen(wanted);
  }, []);
  return {
    id,
    at,
    choose,
    move(step) {
      const hasFocus = id !== undefined && elements.current.get(id)?.contains(document.activeElement) === true;
      const next = chosen === undefined && !hasFocus ? at : Math.max(0, Math.min(ids.length - 1, at + step));
      const nextId = ids[next];
      if (nextId === undefined) return;
      show(next);
      focusWanted.current = true;
      setChosen(nextId);
    },
    ref: (one) => {
      const known = refs.current.get(one);
      if (known) return known;
      const made = (element: HTMLElement | null) => {
        if (element) elements.current.set(one, element);
        else elements.current.delete(one);
      };
      refs.current.set(one, made);
      return made;
    },
  };
}
