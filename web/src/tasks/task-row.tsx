import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Dot } from '../ui/chip.tsx';
import { dueDayOf, groupOf, type Task } from './task-data.ts';
import styles from './tasks.module.css';

/** Colours of priorities; the priority is also text, visible or for screen readers. */
const priorityColors: Readonly<Record<string, string>> = {
  urgent: 'var(--bad)',
  medium: 'var(--warn)',
  low: 'var(--c-6)',
};

/** Links are loaded only for rows that stay in view for so long. */
const settledMs = 150;

interface TaskRowProps {
  readonly task: Task;
  readonly complete: () => void;
  readonly open: () => void;
  readonly showsAssignee?: boolean;
  /** Whether Tab reaches its controls; within a grid, arrows do instead. */
  readonly isReachable?: boolean;
}

/** A row: checkbox, priority, title, linked records, assignee, due date. */
export function TaskRow({ task, complete, open, showsAssignee = true, isReachable = false }: TaskRowProps) {
  const { tasks } = useTexts();
  const tabIndex = isReachable ? 0 : -1;
  const title = task.title ?? '';
  return (
    <>
      <TaskBox task={task} complete={complete} tabIndex={tabIndex} />
      <PriorityDot priority={task.priority} />
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.title}
        data-done={task.is_completed}
        onClick={open}
        title={title}
      >
        <bdi>{title || tasks.title}</bdi>
      </button>
      <TaskLinks id={task.id} tabIndex={tabIndex} />
      {showsAssignee && <Assignee id={task.assigned_to_id} />}
      <DueDay task={task} />
    </>
  );
}

interface TaskBoxProps {
  readonly task: Task;
  readonly complete: () => void;
  readonly tabIndex?: number;
}

/** Completes or reopens a task. */
export function TaskBox({ task, complete, tabIndex = 0 }: TaskBoxProps) {
  const { tasks } = useTexts();
  const { permissions } = useWorkspace();
  const title = task.title ?? '';
  const mayWrite = permissions['tasks']?.fields['is_completed'] === 'write' && permissions['tasks'].update !== 'none';
  return (
    <input
      type="checkbox"
      tabIndex={tabIndex}
      className={styles.box}
      aria-label={task.is_completed ? tasks.reopen(title) : tasks.complete(title)}
      title={mayWrite ? undefined : tasks.readOnly}
      disabled={!mayWrite}
      checked={task.is_completed === true}
      onChange={complete}
    />
  );
}

function PriorityDot({ priority }: { priority: Task['priority'] }) {
  const { tasks } = useTexts();
  if (!priority) return <i className={styles.noPriority} />;
  const label = `${tasks.priority}: ${tasks.priorities[priority] ?? priority}`;
  return (
    <span className={styles.priority} title={label}>
      <Dot color={priorityColors[priority] ?? 'var(--c-6)'} />
      <span className="unseen">{label}</span>
    </span>
  );
}

function Assignee({ id }: { id: string | null | undefined }) {
  const { users } = useWorkspace();
  const user = typeof id === 'string' ? users.get(id) : undefined;
  return (
    <span className={styles.who} title={user?.name}>
      {user && <Avatar name={user.name} />}
      {user && <bdi className="clip">{user.name}</bdi>}
    </span>
  );
}

function DueDay({ task }: { task: Task }) {
  const formats = useFormats();
  const { timezone } = useWorkspace().reader;
  const day = dueDayOf(task, timezone);
  const time = task.due_all_day || typeof task.due_date !== 'string' ? '' : ` ${formats.time(task.due_date)}`;
  return (
    <time className={styles.day} data-over={groupOf(task, timezone) === 'overdue'} dateTime={day}>
      {day === undefined ? '' : formats.near(day) + time}
    </time>
  );
}

/** The records that a task is linked to; lists do not contain them, so each row in view fetches them. */
function TaskLinks({ id, tabIndex }: { id: string; tabIndex: number }) {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settledMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    queryKey: [...keys.tasks, 'one', id],
    queryFn: ({ signal }) => kith.tasks.get(id, { signal }),
    enabled: isSettled,
  });
  const [first, ...rest] = data?.task.linked_entities ?? [];
  return (
    <span className={styles.links}>
      {first && (
        <Link to="/r/$object/$id" params={{ object: first.type, id: first.id }} tabIndex={tabIndex} className="clip">
          <bdi>{first.display ?? first.id}</bdi>
        </Link>
      )}
      {rest.length > 0 && <span className="faint">+{rest.length}</span>}
    </span>
  );
}
