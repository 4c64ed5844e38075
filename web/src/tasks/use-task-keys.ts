import { useState, type RefObject } from 'react';
import { useKeys } from '../app/keys.ts';
import type { ActiveRow } from '../app/use-active-row.ts';
import { useTexts } from '../i18n/language.tsx';
import type { TaskQuestion } from './asking.tsx';
import type { Task } from './task-data.ts';
import type { TaskWrites } from './use-task-writes.ts';

const pageStep = 10;

interface KeysProps {
  /** The scroll container. */
  readonly scroll: RefObject<HTMLElement | null>;
  readonly active: ActiveRow;
  /** The active task. */
  readonly task: Task | undefined;
  readonly writes: TaskWrites;
  readonly open: (id: string) => void;
}

/** The keys that act on the active task; returns the question that a key has opened, and a function that closes it. */
export function useTaskKeys({ scroll, active, task, writes, open }: KeysProps) {
  const { tasks } = useTexts();
  const [question, setQuestion] = useState<TaskQuestion>();
  const ask = (what: TaskQuestion['what']) => {
    const at = scroll.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (task && at) setQuestion({ what, task, at });
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
    if (question) active.choose(question.task.id, true);
    setQuestion(undefined);
  };
  return { question, answered };
}
