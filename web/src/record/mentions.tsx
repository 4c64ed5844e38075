/** Suggests users to mention in a note after an `@`. */
import { useState, type KeyboardEvent, type RefObject } from 'react';
import type { User } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { Avatar } from '../ui/avatar.tsx';
import styles from './composer.module.css';
import { mentionAt } from './note-text.ts';

const mostShown = 6;

interface Mentioning {
  readonly found: readonly User[];
  readonly active: number;
  readonly take: (user: User) => void;
  /** Handles the key; returns whether it did. */
  readonly press: (event: KeyboardEvent) => boolean;
  /** Updates the suggestions for the cursor's position. */
  readonly look: () => void;
}

/** The matching users; arrows choose, Enter or Tab inserts. */
export function useMentioning(
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  set: (text: string) => void,
  isOn: boolean,
): Mentioning {
  const { users } = useWorkspace();
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  const at = isOn ? mentionAt(text, Math.min(cursor, text.length)) : undefined;
  const wanted = at?.wanted.toLocaleLowerCase() ?? '';
  const fits = ({ name, is_active }: User) =>
    is_active && name.toLocaleLowerCase().includes(wanted) && name.toLocaleLowerCase() !== wanted;
  const found = at ? [...users.values()].filter(fits).slice(0, mostShown) : [];
  const take = ({ name }: User) => {
    if (!at) return;
    const next = `${text.slice(0, at.begin)}@${name} `;
    set(next + text.slice(cursor));
    setActive(0);
    setCursor(next.length);
    requestAnimationFrame(() => area.current?.setSelectionRange(next.length, next.length));
  };
  return {
    found,
    active: Math.min(active, found.length - 1),
    take,
    look: () => setCursor(area.current?.selectionStart ?? 0),
    press(event) {
      const marked = found[Math.min(active, found.length - 1)];
      if (!marked || event.ctrlKey || event.metaKey) return false;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        setActive((active + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length);
      } else if (event.key === 'Enter' || event.key === 'Tab') take(marked);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

/** The suggestions, below the input. */
export function MentionList({ mentioning }: { mentioning: Mentioning }) {
  if (mentioning.found.length === 0) return null;
  return (
    <ul className={styles.mentions}>
      {mentioning.found.map((user, index) => (
        <li key={user.id}>
          <button
            type="button"
            tabIndex={-1}
            data-active={index === mentioning.active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => mentioning.take(user)}
          >
            <Avatar name={user.name} />
            <bdi>{user.name}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
