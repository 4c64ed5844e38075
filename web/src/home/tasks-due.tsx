import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import type { Task } from '../tasks/task-data.ts';
import { TaskRow } from '../tasks/task-row.tsx';
import { useTaskWrites } from '../tasks/use-task-writes.ts';
import { Part } from './part.tsx';
import styles from './home.module.css';

const most = 12;

/** The reader's tasks that are overdue or due today; they can be completed here. */
export function TasksDue() {
  const { home } = useTexts();
  const { permissions } = useWorkspace();
  return (permissions['tasks']?.view ?? 'none') === 'none' ? undefined : (
    <Part title={home.due} more={<Link to="/tasks">{home.allTasks}</Link>}>
      <Rows />
    </Part>
  );
}

function Rows() {
  const { home } = useTexts();
  const navigate = useNavigate();
  const { userId } = useWorkspace();
  const writes = useTaskWrites();
  const overdue = useDue('overdue', userId);
  const today = useDue('today', userId);
  const error = overdue.error ?? today.error;
  if (!overdue.data || !today.data)
    return error ? (
      <Failure error={error} again={() => (void overdue.refetch(), void today.refetch())} />
    ) : (
      <RowLines count={4} />
    );
  // A task of today whose time has passed is in both lists.
  const all = [...new Map([...overdue.data.data, ...today.data.data].map((task) => [task.id, task as Task])).values()];
  const open = all.filter((task) => !task.is_completed);
  const total = overdue.data.total + today.data.total;
  if (open.length === 0) return <p className="dim">{home.nothingDue}</p>;
  return (
    <>
      <ul>
        {open.slice(0, most).map((task) => (
          <li key={task.id} className={styles.task}>
            <TaskRow
              task={task}
              isReachable
              showsAssignee={false}
              complete={() => void writes.complete(task)}
              open={() => void navigate({ to: '/tasks', search: { task: task.id } })}
            />
          </li>
        ))}
      </ul>
      {open.length > most && (
        <p>
          <Link to="/tasks">{home.moreTasks(Math.max(total, open.length) - most)}</Link>
        </p>
      )}
    </>
  );
}

function useDue(mode: 'overdue' | 'today', userId: string) {
  return useQuery({
    queryKey: [...keys.tasks, 'list', mode, userId],
    queryFn: ({ signal }) => kith.tasks.list({ mode, assigned_to: userId, limit: most + 1 }, { signal }),
  });
}
