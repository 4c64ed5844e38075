import { useState, type RefObject } from 'react';
import { useKeys } from '../app/keys.ts';
import type { ActiveRow } from '../app/use-active-row.ts';
import { useTexts } from '../i18n/language.tsx';
import type { Asked } from './asking.tsx';
import type { Task } from './task-data.ts';
import type { TaskWrites } from './use-task-writes.ts';

const pageStep = 10;

interface KeysProps {
  /** The list. */
  readonly scroll: RefObject<HTMLElement | null>;
  readonly active: ActiveRow;
  /** The active one. */
  readonly task: Task | undefined;
  readonly writes: TaskWrites;
  readonly open: (id: string) => void;
}

/** What keys do with the active one of the tasks; gives what they have asked of it, and what ends that. */
export function useTaskKeys({ scroll, active, task, writes, open }: KeysProps) {
  const { tasks } = useTexts();
  const [asked, setAsked] = useState<Asked>();
  const ask = (what: Asked['what']) => {
    const at = scroll.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (task && at) setAsked({ what, task, at });
  };
  useKeys([
    { keys: 'ArrowDown', label: tasks.next, run: () => active.move(1) },
    { keys: 'ArrowUp', label: tasks.previous, run: () => active.move(-1) },
    { keys: 'PageDown', label: tasks.next, run: () => active.move(pageStep) },
    { keys: 'PageUp', label: tasks.previous, run: () => active.move(-pageStep) },
    { keys: ' ', label: tasks.done, run: () => task && void writes.complete(task) },
    { keys: 'Enter', label: tasks.open, run: () => task && open(task.id) },
    { keys: 'd', label: tasks.toDate, run: () => ask('due') },
    { keys: 'a', label: tasks.assign, run: () => ask('person') },
  ]);
  const answered = () => {
    if (asked) active.choose(asked.task.id, true);
    setAsked(undefined);
  };
  return { asked, answered };
}
