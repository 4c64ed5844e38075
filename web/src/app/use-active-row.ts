import { useCallback, useEffect, useRef, useState } from 'react';

export interface ActiveRow {
  /** The id of the row that keys act on. */
  readonly id: string | undefined;
  /** Its index, or its last index after it was removed. */
  readonly at: number;
  /** Makes a row the active one; with `hasFocus` it is focused too. */
  choose(id: string, hasFocus?: boolean): void;
  /** Moves by so many rows, within the list. */
  move(step: number): void;
  /** Ref callback for the element of each row: focuses the active one if a key chose it. */
  ref(id: string): (element: HTMLElement | null) => void;
}

/** The row of a list that keys act on; if it is removed, the next one takes its place. */
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
    // A row that is moved in the document loses the focus.
    const isLost = hadFocus.current && document.activeElement === document.body;
    if (element && (focusWanted.current || isLost)) {
      focusWanted.current = false;
      element.focus({ preventScroll: true });
    }
  });
  useEffect(() => {
    // When an element is removed, the focus is lost without a focus event, so this value stays.
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
