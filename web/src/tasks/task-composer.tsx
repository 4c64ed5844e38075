import { useState } from 'react';
import { fieldErrorsOf, messageOf } from '../api/kith.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { dayIn } from '../values/days.ts';
import type { Task } from './task-data.ts';
import styles from './tasks.module.css';
import type { TaskWrites } from './use-task-writes.ts';

interface TaskComposerProps {
  readonly writes: TaskWrites;
  readonly close: () => void;
  /** What the task is called and is about from the start. */
  readonly title?: string;
  readonly linked?: readonly { readonly type: string; readonly id: string }[];
  /** One field below the other, where there is no room. */
  readonly isNarrow?: boolean;
}

/** A new task, in a line: Enter makes it, Esc leaves, and what the service refuses is told at its field. */
export function TaskComposer({ writes, close, title: given = '', linked = [], isNarrow = false }: TaskComposerProps) {
  const { tasks, shell } = useTexts();
  const { userId } = useWorkspace();
  const formats = useFormats();
  const [title, setTitle] = useState(given);
  const [due, setDue] = useState('');
  const [priority, setPriority] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isWorking, setWorking] = useState(false);
  const day = dayIn(due, new Date());
  const submit = async () => {
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
      close();
    } catch (refusal) {
      setErrors(errorsOf(refusal));
    } finally {
      setWorking(false);
    }
  };
  return (
    <form
      className={isNarrow ? styles.narrow : styles.composer}
      aria-label={tasks.newTask}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label={tasks.title} error={errors['title']}>
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="off"
            placeholder={tasks.titleHint}
            value={title}
            onChange={({ target }) => (setTitle(target.value), setErrors({}))}
          />
        )}
      </Field>
      <Field label={tasks.due} error={errors['due_date']} hint={day && formats.longDay(day)}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            placeholder={tasks.dueHint}
            value={due}
            onChange={({ target }) => (setDue(target.value), setErrors({}))}
          />
        )}
      </Field>
      <Field label={tasks.priority} error={errors['priority']}>
        {(control) => (
          <select {...control} value={priority} onChange={({ target }) => setPriority(target.value)}>
            <option value="">{tasks.noPriority}</option>
            {Object.entries(tasks.priorities).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className={styles.composerActions}>
        <Button onClick={close}>{shell.cancel}</Button>
        <Button kind="main" type="submit" isWorking={isWorking}>
          {shell.create}
        </Button>
      </div>
    </form>
  );
}

/** What is wrong by field; what is of no field stands at the title. */
function errorsOf(refusal: unknown): Record<string, string> {
  const told = fieldErrorsOf(refusal);
  const byField = Object.fromEntries(told.map(({ field, message }) => [field, message]));
  const isShown = ['title', 'due_date', 'priority'].some((name) => name in byField);
  return isShown ? byField : { title: messageOf(refusal) };
}
