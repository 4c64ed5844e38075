import { useState } from 'react';
import type { TasksUpdateBody } from '../../../client/index.js';
import { fieldErrorOf, messageOf } from '../api/kith.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Field } from '../ui/field.tsx';
import { dayIn } from '../values/days.ts';
import { dueDayOf, type Task } from './task-data.ts';

type Name = 'title' | 'due_date' | 'priority' | 'assigned_to_id' | 'action_type';

interface TaskFieldProps {
  readonly task: Task;
  readonly name: Name;
  readonly isOpen: boolean;
  readonly save: (values: TasksUpdateBody) => Promise<void>;
}

/** One value of a task: saved when the field is left; a refused value stays, with the reason. */
export function TaskField({ task, name, isOpen, save }: TaskFieldProps) {
  const { tasks } = useTexts();
  const { permissions, users } = useWorkspace();
  const [error, setError] = useState<string>();
  const isWritable = isOpen && permissions['tasks']?.fields[name] === 'write';
  const keep = (value: string | null) =>
    save({ [name]: value }).then(
      () => setError(undefined),
      (refusal: unknown) => setError(toldOf(refusal, name)),
    );
  const given = { error, hint: isWritable ? undefined : tasks.readOnly };
  if (name === 'title')
    return (
      <Written
        {...given}
        label={tasks.title}
        value={task.title ?? ''}
        disabled={!isWritable}
        keep={(text) => (text.trim() === '' ? setError(tasks.noTitle) : void keep(text.trim()))}
      />
    );
  if (name === 'due_date') return <Due {...given} task={task} disabled={!isWritable} keep={keep} fail={setError} />;
  const choices: Readonly<
    Record<string, readonly [label: string, none: string, options: readonly (readonly [string, string])[]]>
  > = {
    priority: [tasks.priority, tasks.noPriority, Object.entries(tasks.priorities)],
    action_type: [tasks.kind, tasks.noKind, Object.entries(tasks.kinds)],
    assigned_to_id: [
      tasks.assignee,
      tasks.nobody,
      [...users.values()]
        .filter((user) => user.is_active || user.id === task.assigned_to_id)
        .map(({ id, name: called }) => [id, called]),
    ],
  };
  const [label = name, none = '', options = []] = choices[name] ?? [];
  return (
    <Field label={label} {...given}>
      {(control) => (
        <select
          {...control}
          disabled={!isWritable}
          value={task[name] ?? ''}
          onChange={({ target }) => void keep(target.value === '' ? null : target.value)}
        >
          <option value="">{none}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface WrittenProps {
  readonly label: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly error: string | undefined;
  readonly hint: string | undefined;
  readonly placeholder?: string;
  readonly keep: (text: string) => void;
}

/** A line of text, saved on Enter and on blur if it was changed; Esc restores the old text. */
function Written({ label, value, disabled, error, hint, placeholder, keep }: WrittenProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <input
          {...control}
          disabled={disabled}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={() => text !== value && keep(text)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
            if (event.key !== 'Escape' || text === value) return;
            event.preventDefault();
            setText(value);
          }}
        />
      )}
    </Field>
  );
}

interface DueProps {
  readonly task: Task;
  readonly disabled: boolean;
  readonly error: string | undefined;
  readonly hint: string | undefined;
  readonly keep: (value: string | null) => Promise<void>;
  readonly fail: (error: string) => void;
}

/** The due day, typed as text. */
function Due({ task, disabled, error, hint, keep, fail }: DueProps) {
  const { tasks } = useTexts();
  const formats = useFormats();
  const { timezone } = useWorkspace().reader;
  const day = dueDayOf(task, timezone);
  const time = task.due_all_day || typeof task.due_date !== 'string' ? undefined : formats.time(task.due_date);
  return (
    <Written
      label={tasks.due}
      value={day ?? ''}
      disabled={disabled}
      placeholder={tasks.dueHint}
      error={error}
      hint={hint ?? (day && [formats.longDay(day), time].filter(Boolean).join(' '))}
      keep={(text) => {
        const found = dayIn(text, new Date());
        if (text.trim() !== '' && found === undefined) fail(tasks.notADay(text));
        else void keep(found ?? null);
      }}
    />
  );
}

function toldOf(refusal: unknown, name: string): string {
  return fieldErrorOf(refusal, name) ?? messageOf(refusal);
}
