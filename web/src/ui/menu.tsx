import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Anchored, type Placement } from './anchored.tsx';
import styles from './menu.module.css';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** The key that does the same, for display. */
  readonly hint?: string;
  run(): void;
}

interface MenuProps {
  /** The button that it opens at. */
  readonly at: HTMLElement;
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly close: () => void;
  readonly placement?: Placement;
}

/** A menu at a button: arrows move, first letters jump, Enter runs an action, Esc returns the focus. */
export function Menu({ at, label, actions, close, placement = 'bottom end' }: MenuProps) {
  return (
    <Anchored at={at} label={label} close={close} placement={placement}>
      <Actions label={label} actions={actions} close={close} />
    </Anchored>
  );
}

function Actions({ label, actions, close }: Pick<MenuProps, 'label' | 'actions' | 'close'>) {
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...(list.current?.querySelectorAll('button') ?? [])];
  useEffect(() => items()[0]?.focus(), []);
  const press = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const to = placeOf(event.key, at, all);
    if (to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  };
  return (
    <div ref={list} role="menu" aria-label={label} className={styles.menu} onKeyDown={press}>
      {actions.map(({ id, label: name, icon, hint, run }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={styles.item}
          onPointerMove={({ currentTarget }) => currentTarget.focus()}
          onClick={() => {
            close();
            run();
          }}
        >
          {icon}
          <bdi className="clip">{name}</bdi>
          {hint !== undefined && <kbd aria-hidden="true">{hint}</kbd>}
        </button>
      ))}
    </div>
  );
}

/** The index that a key moves to from `at`; undefined for other keys. */
function placeOf(key: string, at: number, items: readonly HTMLElement[]): number | undefined {
  const count = items.length;
  const known: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % count,
    ArrowUp: (at - 1 + count) % count,
    Home: 0,
    End: count - 1,
  };
  if (known[key] !== undefined || key.length !== 1) return known[key];
  const letter = key.toLocaleLowerCase();
  const order = items.map((_, index) => (at + 1 + index) % count);
  return order.find((index) => items[index]?.textContent.trim().toLocaleLowerCase().startsWith(letter));
}
