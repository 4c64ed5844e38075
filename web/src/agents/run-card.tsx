import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { toast } from '../ui/toasts.tsx';
import { isOfAgent, useFirstNames, useUndoTrial, useWrites, type Run } from './runs.ts';
import { useSeen } from './use-seen.ts';
import { WritesTable } from './writes-table.tsx';
import styles from './agents.module.css';

/** One run: who did it, in whose name, and how much; when open, its writes and what an undo would do. */
export function RunCard({ run, isOpen }: { run: Run; isOpen: boolean }) {
  const { agents } = useTexts();
  const formats = useFormats();
  const person = run.actor?.display ?? '';
  const isAgent = isOfAgent(run);
  const who = isAgent ? agents.forWhom(run.agent ?? agents.unknownAgent, person) : person;
  const what = agents.operations[run.operation ?? ''] ?? agents.changedSomething;
  return (
    <article className={styles.card} aria-label={`${what}, ${who}`}>
      <header className={styles.head}>
        <Avatar name={person} kind={isAgent ? 'agent' : 'person'} />
        <div className={styles.what}>
          <h2>
            <Link to="/agents/$set" params={{ set: run.id }} search={isAgent ? {} : { by: 'people' }}>
              {what}
            </Link>
          </h2>
          <p className="dim">
            <bdi>{who}</bdi>, <time dateTime={run.at}>{formats.moment(run.at)}</time>
          </p>
        </div>
        {!isOpen && (
          <Link
            to="/agents/$set"
            params={{ set: run.id }}
            search={isAgent ? {} : { by: 'people' }}
            className={styles.undo}
          >
            <Undo2 size={14} aria-hidden="true" />
            {agents.undoAll}
          </Link>
        )}
      </header>
      <Counts run={run} isNamed={!isOpen} />
      {isOpen && <Opened run={run} />}
    </article>
  );
}

/** What it wrote: the names of the first records, and their number. */
function Counts({ run, isNamed }: { run: Run; isNamed: boolean }) {
  const { agents } = useTexts();
  const formats = useFormats();
  const [ref, isSeen] = useSeen();
  const names = useFirstNames(run.id, isNamed && isSeen);
  return (
    <p ref={ref} className={styles.counts}>
      {isNamed && names.length > 0 && (
        <b className="clip">
          <bdi>{formats.list(names)}</bdi>
        </b>
      )}
      <span>{agents.records(run.records)}</span>
      <span>{agents.writes(run.writes)}</span>
    </p>
  );
}

function Opened({ run }: { run: Run }) {
  const { agents } = useTexts();
  const workspace = useWorkspace();
  const formats = useFormats();
  const trial = useUndoTrial(run.id);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useWrites(run.id);
  const writes = data?.pages.flatMap((page) => page.data) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  return (
    <>
      {error && <Failure error={error} again={() => void refetch()} />}
      {writes.length > 0 && <WritesTable writes={writes} left={trial.data?.left ?? []} />}
      {hasNextPage && (
        <p className="hint">
          {agents.someWrites(writes.length, total)}{' '}
          <Button isWorking={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {agents.more}
          </Button>
        </p>
      )}
      {trial.error && <p className="dim">{messageOf(trial.error)}</p>}
      {trial.data && <UndoAll run={run} undone={trial.data.undone} staying={trial.data.left_count} />}
      {trial.data && trial.data.left_count > 0 && (
        <ul className={styles.left}>
          {trial.data.left.map(({ object, id, reason, fields }) => (
            <li key={id}>
              <Link to="/r/$object/$id" params={{ object, id }}>
                {writes.find((one) => one.id === id)?.display ?? workspace.objects.get(object)?.labelSingular ?? object}
              </Link>{' '}
              <span className={styles.since}>
                {agents.reasons[reason] ?? reason}
                {fields && `: ${formats.list(fields.map((name) => fieldLabel(workspace, object, name)))}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function fieldLabel({ objects }: ReturnType<typeof useWorkspace>, object: string, name: string): string {
  return objects.get(object)?.fields.find((field) => field.name === name)?.label ?? name;
}

function UndoAll({ run, undone, staying }: { run: Run; undone: number; staying: number }) {
  const { agents, shell } = useTexts();
  const [isWorking, setWorking] = useState(false);
  const undo = async () => {
    setWorking(true);
    try {
      await written(kith.changeSets.undo({ change_set: run.id }), { text: agents.undone(undone) }, shell);
      await queries.invalidateQueries();
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    } finally {
      setWorking(false);
    }
  };
  return (
    <div className={styles.foot}>
      {undone > 0 ? (
        <Button kind="main" icon={<Undo2 size={14} />} isWorking={isWorking} onClick={() => void undo()}>
          {agents.undoOf(undone, Math.max(undone, run.records))}
        </Button>
      ) : (
        <p role="status">{agents.nothingLeft}</p>
      )}
      {staying > 0 && <span className="dim">{agents.stays(staying)}</span>}
    </div>
  );
}
