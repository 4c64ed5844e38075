import { useState } from 'react';
import { fieldErrorsOf, messageOf } from '../api/kith.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { dayIn } from '../values/days.ts';
import type { Task } from './task-data.ts';
import type { TaskWrites } from './use-task-writes.ts';

export interface Begun {
  /** What it is called, is due on and is about from the start. */
  readonly title: string;
  readonly due: string;
  readonly linked: readonly { readonly type: string; readonly id: string }[];
}

/** A task that is being written: its texts, the day that is meant, what is wrong, and what makes it. */
export function useNewTask(writes: TaskWrites, begun: Begun, made: () => void) {
  const { linked } = begun;
  const { tasks } = useTexts();
  const { userId } = useWorkspace();
  const [title, setTitle] = useState(begun.title);
  const [due, setDue] = useState(begun.due);
  const [priority, setPriority] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isWorking, setWorking] = useState(false);
  const day = dayIn(due, new Date());
  const create = async () => {
    if (title.trim() === '') return setErrors({ title: tasks.noTitle });
    if (due.trim() !== '' && day === undefined) return setErrors({ due_date: tasks.notADay(due) });
    setWorking(true);
    try {
      await writes.create({
        title: title.trim(),
        assigned_to_id: userId,
        ...(day !== undefined && { due_date: day }),
        ...(priority !== '' && { priority: priority as NonNullable<Task['priority']> }),
        ...(linked.length > 0 && { linked_entities: [...linked] }),
      });
      made();
    } catch (refusal) {
      setErrors(errorsOf(refusal));
    } finally {
      setWorking(false);
    }
  };
  return {
    title,
    due,
    day,
    priority,
    errors,
    isWorking,
    create,
    setPriority,
    setTitle: (text: string) => (setTitle(text), setErrors({})),
    setDue: (text: string) => (setDue(text), setErrors({})),
  };
}

/** What is wrong by field; what is of no field stands at the title. */
function errorsOf(refusal: unknown): Record<string, string> {
  const told = fieldErrorsOf(refusal);
  const byField = Object.fromEntries(told.map(({ field, message }) => [field, message]));
  const isShown = ['title', 'due_date', 'priority'].some((name) => name in byField);
  return isShown ? byField : { title: messageOf(refusal) };
}
