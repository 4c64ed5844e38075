import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import type { TasksGetAnswer, TasksUpdateBody } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { useKeys } from '../app/keys.ts';
import { NotThere } from '../app/not-there.tsx';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { TaskField } from './task-field.tsx';
import { TaskBox } from './task-row.tsx';
import styles from './task-sheet.module.css';
import type { TaskWrites } from './use-task-writes.ts';

const RecordPicker = lazyPart(
  () => import('./record-picker.tsx'),
  (file) => file.RecordPicker,
);

interface TaskSheetProps {
  readonly id: string;
  readonly writes: TaskWrites;
  readonly close: () => void;
}

/** One task beside the list; everything is edited in place. */
export function TaskSheet({ id, writes, close }: TaskSheetProps) {
  const { shell, tasks } = useTexts();
  const { data, error } = useQuery({
    queryKey: [...keys.tasks, 'one', id],
    queryFn: ({ signal }) => kith.tasks.get(id, { signal }),
  });
  useKeys([{ keys: 'Escape', label: shell.close, whileTyping: true, run: close }]);
  return (
    <aside className={styles.sheet} aria-label={tasks.list}>
      <div className={styles.head}>
        <Button kind="bare" aria-label={shell.close} icon={<X size={14} />} onClick={close} />
      </div>
      {data ? (
        <Whole key={id} task={data.task as Whole} writes={writes} close={close} />
      ) : error ? (
        <NotThere />
      ) : (
        <RowLines />
      )}
    </aside>
  );
}

type Whole = TasksGetAnswer['task'] & { readonly id: string };

function Whole({ task, writes, close }: { task: Whole; writes: TaskWrites; close: () => void }) {
  const { tasks, shell } = useTexts();
  const { permissions, users } = useWorkspace();
  const formats = useFormats();
  const rights = permissions['tasks'];
  const isOpen = rights !== undefined && rights.update !== 'none';
  const save = (values: TasksUpdateBody) => writes.update(task, values);
  const author = users.get(task.created_by ?? '')?.name;
  return (
    <div className={styles.body}>
      <div className={styles.titleLine}>
        <TaskBox task={task} complete={() => void writes.complete(task)} />
        <TaskField task={task} name="title" isOpen={isOpen} save={save} />
      </div>
      {(['due_date', 'priority', 'assigned_to_id', 'action_type'] as const)
        .filter((name) => rights?.fields[name] !== undefined)
        .map((name) => (
          <TaskField key={`${name}${String(task[name])}`} task={task} name={name} isOpen={isOpen} save={save} />
        ))}
      <Links task={task} isOpen={isOpen} save={save} />
      {author !== undefined && task.created_at !== undefined && (
        <p className="hint">{tasks.createdBy(author, formats.moment(task.created_at))}</p>
      )}
      {rights?.delete !== 'none' && (
        <div>
          <Button icon={<Trash2 size={14} />} onClick={() => (close(), void writes.remove(task))}>
            {shell.delete}
          </Button>
        </div>
      )}
    </div>
  );
}

interface LinksProps {
  readonly task: Whole;
  readonly isOpen: boolean;
  readonly save: (values: TasksUpdateBody) => Promise<void>;
}

/** The linked records. */
function Links({ task, isOpen, save }: LinksProps) {
  const { tasks } = useTexts();
  const [at, setAt] = useState<HTMLElement>();
  const [error, setError] = useState<string>();
  const linked = task.linked_entities;
  const keep = (links: readonly { type: string; id: string }[]) =>
    save({ linked_entities: links.map(({ type, id }) => ({ type, id })) }).then(
      () => setError(undefined),
      (refusal: unknown) => setError(messageOf(refusal)),
    );
  return (
    <section className={styles.links} aria-label={tasks.about}>
      <h2>{tasks.about}</h2>
      <ul>
        {linked.map(({ type, id, display }) => (
          <li key={id}>
            <Link to="/r/$object/$id" params={{ object: type, id }} className="clip">
              <bdi>{display ?? id}</bdi>
            </Link>
            {isOpen && (
              <Button
                kind="bare"
                aria-label={tasks.unlink(display ?? id)}
                icon={<X size={12} />}
                onClick={() => void keep(linked.filter((one) => one.id !== id))}
              />
            )}
          </li>
        ))}
      </ul>
      {isOpen && (
        <Button kind="bare" icon={<Plus size={14} />} onClick={({ currentTarget }) => setAt(currentTarget)}>
          {tasks.addRecord}
        </Button>
      )}
      {error !== undefined && <p role="alert">{error}</p>}
      {at && (
        <RecordPicker
          at={at}
          pick={(type, id) => void keep([...linked, { type, id }])}
          close={() => setAt(undefined)}
        />
      )}
    </section>
  );
}
