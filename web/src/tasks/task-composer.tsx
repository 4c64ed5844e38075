import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { sendOnEnter } from '../ui/send-on-enter.ts';
import styles from './tasks.module.css';
import { useNewTask, type Begun } from './use-new-task.ts';
import type { TaskWrites } from './use-task-writes.ts';

interface TaskComposerProps extends Partial<Begun> {
  readonly writes: TaskWrites;
  readonly close: () => void;
  /** Stacks the fields, for narrow places. */
  readonly isNarrow?: boolean;
}

/** A new task in one line: Enter creates it, Esc closes, errors are shown at their fields. */
export function TaskComposer({
  writes,
  close,
  title = '',
  due = '',
  linked = [],
  isNarrow = false,
}: TaskComposerProps) {
  const { tasks, shell } = useTexts();
  const formats = useFormats();
  const task = useNewTask(writes, { title, due, linked }, close);
  const { errors } = task;
  return (
    <form
      className={isNarrow ? styles.narrow : styles.composer}
      aria-label={tasks.newTask}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void task.create();
      }}
    >
      <Field label={tasks.title} error={errors['title']}>
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="off"
            placeholder={tasks.titleHint}
            value={task.title}
            onChange={({ target }) => task.setTitle(target.value)}
          />
        )}
      </Field>
      <Field label={tasks.due} error={errors['due_date']} hint={task.day && formats.longDay(task.day)}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            placeholder={tasks.dueHint}
            value={task.due}
            onChange={({ target }) => task.setDue(target.value)}
          />
        )}
      </Field>
      <Priority value={task.priority} set={task.setPriority} error={errors['priority']} />
      <div className={styles.composerActions}>
        <Button onClick={close}>{shell.cancel}</Button>
        <Button kind="main" type="submit" isWorking={task.isWorking}>
          {shell.create}
        </Button>
      </div>
    </form>
  );
}

interface PriorityProps {
  readonly value: string;
  readonly set: (value: string) => void;
  readonly error: string | undefined;
}

function Priority({ value, set, error }: PriorityProps) {
  const { tasks } = useTexts();
  return (
    <Field label={tasks.priority} error={error}>
      {(control) => (
        <select {...control} value={value} onKeyDown={sendOnEnter} onChange={({ target }) => set(target.value)}>
          <option value="">{tasks.noPriority}</option>
          {Object.entries(tasks.priorities).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
