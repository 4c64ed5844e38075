import { useState } from 'react';
import { fieldErrorsOf, messageOf } from '../api/kith.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { dayIn } from '../values/days.ts';
import type { Task } from './task-data.ts';
import type { TaskWrites } from './use-task-writes.ts';

export interface Begun {
  /** The initial title, due day and linked records. */
  readonly title: string;
  readonly due: string;
  readonly linked: readonly { readonly type: string; readonly id: string }[];
}

/** The form of a new task: its values, errors, and creating it. */
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

/** Errors by field; those without a field are shown at the title. */
function errorsOf(refusal: unknown): Record<string, string> {
  const fieldErrors = fieldErrorsOf(refusal);
  const byField = Object.fromEntries(fieldErrors.map(({ field, message }) => [field, message]));
  const isShown = ['title', 'due_date', 'priority'].some((name) => name in byField);
  return isShown ? byField : { title: messageOf(refusal) };
}
