/** Tasks by due day. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { keyText, useKeys } from '../app/keys.ts';
import { NoAccess } from '../app/no-access.tsx';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { TaskComposer } from './task-composer.tsx';
import { shows, useTasks, type Show, type Task } from './task-data.ts';
import { TaskList } from './task-list.tsx';
import { TaskSheet } from './task-sheet.tsx';
import styles from './tasks.module.css';
import { useTaskWrites } from './use-task-writes.ts';

/** The page; `?show=` says which tasks, `?task=` which one is open. */
export function TasksPage() {
  const { shell } = useTexts();
  const { permissions } = useWorkspace();
  useTitle(shell.tasks);
  const isSeen = (permissions['tasks']?.view ?? 'none') !== 'none';
  return isSeen ? <Page /> : <NoAccess title={shell.tasks} what={shell.tasks} />;
}

function Page() {
  const { shell, tasks } = useTexts();
  const { permissions } = useWorkspace();
  const navigate = useNavigate();
  const { show: wanted, task: openId } = useSearch({ strict: false });
  const show = shows.find((one) => one === wanted) ?? 'mine';
  const [isNew, setNew] = useState(false);
  const writes = useTaskWrites();
  const mayCreate = permissions['tasks']?.create === true;
  const go = (task?: string) =>
    void navigate({ to: '/tasks', search: { ...(wanted !== undefined && { show: wanted }), task } });
  useKeys(mayCreate ? [{ keys: 'c', label: tasks.newTask, run: () => setNew(true) }] : []);
  return (
    <>
      <TopBar title={shell.tasks}>
        <Tabs
          label={tasks.shown}
          chosen={show}
          tabs={shows.map((id) => ({ id, label: tasks[id], to: '/tasks', search: id === 'mine' ? {} : { show: id } }))}
        />
        <span className={styles.space} />
        {mayCreate && (
          <Button kind="main" icon={<Plus size={14} />} hint={keyText('c')} onClick={() => setNew(true)}>
            <span className={styles.wide}>{tasks.newTask}</span>
          </Button>
        )}
      </TopBar>
      <Stats />
      <div className={styles.panes}>
        <section className={styles.list}>
          {isNew && <TaskComposer writes={writes} close={() => setNew(false)} />}
          <Listed show={show} writes={writes} open={go} create={mayCreate ? () => setNew(true) : undefined} />
        </section>
        {openId !== undefined && <TaskSheet id={openId} writes={writes} close={() => go()} />}
      </div>
    </>
  );
}

interface ListedProps {
  readonly show: Show;
  readonly writes: ReturnType<typeof useTaskWrites>;
  readonly open: (id: string) => void;
  readonly create: (() => void) | undefined;
}

function Listed({ show, writes, open, create }: ListedProps) {
  const { tasks } = useTexts();
  const { userId } = useWorkspace();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useTasks(show, userId);
  const all = useMemo(
    // A completed task leaves the list at once.
    () =>
      (data?.pages ?? [])
        .flatMap((page) => page.data as Task[])
        .filter((task) => task.is_completed === (show === 'completed')),
    [data, show],
  );
  if (!data) return error ? <Failure error={error} again={() => void refetch()} /> : <RowLines />;
  if (all.length === 0)
    return (
      <Empty action={create && show !== 'completed' && <Button onClick={create}>{tasks.newTask}</Button>}>
        {show === 'completed' ? tasks.nothingCompleted : tasks.nothing}
      </Empty>
    );
  return (
    <TaskList
      key={show}
      all={all}
      total={data.pages[0]?.total ?? all.length}
      writes={writes}
      open={open}
      more={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
      showsAssignee={show !== 'mine'}
    />
  );
}

/** Counts of the reader's tasks, in one line. */
function Stats() {
  const { tasks } = useTexts();
  const { userId } = useWorkspace();
  const formats = useFormats();
  const { data } = useQuery({
    queryKey: [...keys.tasks, 'stats', userId],
    queryFn: ({ signal }) => kith.tasks.stats({ user_id: userId }, { signal }),
  });
  const { remainingToday, overdue, thisWeek, completedToday, completionRate } = data ?? {};
  return (
    <p className={styles.stats}>
      {remainingToday !== undefined && overdue !== undefined && thisWeek !== undefined && (
        <span>{tasks.stats(remainingToday, overdue, thisWeek)}</span>
      )}
      {completedToday !== undefined && completionRate !== undefined && (
        <span className={styles.rate}>{tasks.rate(completedToday, formats.percent(completionRate))}</span>
      )}
    </p>
  );
}
