/** A running or finished import: progress, outcome, and how to revert it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toasts.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { Counts } from './counts.tsx';
import type { Job } from './read-file.ts';
import { Reasons } from './reasons.tsx';
import { Steps } from './steps.tsx';
import { useFileName } from './file-line.tsx';
import styles from './import.module.css';

/** The page of a started import. */
export function OutcomePage({ job, title }: { job: Job; title: string }) {
  const { imports } = useTexts();
  const { objects } = useWorkspace();
  const label = objects.get(job.object_name)?.label ?? job.object_name;
  const isGoing = job.status === 'queued' || job.status === 'running';
  return (
    <>
      <TopBar title={title}>
        <Steps at="done" />
        <span className={styles.space} />
        <Link to="/r/$object" params={{ object: job.object_name }} className={styles.quiet}>
          {imports.seeRecords(label)}
        </Link>
      </TopBar>
      <div className={styles.scroll}>
        <div className={styles.start}>
          <Progress job={job} />
          {job.error !== null && <p className={styles.problem}>{job.error}</p>}
          {job.outcome && <Outcome job={job} />}
          {!isGoing && job.change_set !== undefined && <Revert changeSet={job.change_set} />}
        </div>
      </div>
    </>
  );
}

function Progress({ job }: { job: Job }) {
  const { imports, shell } = useTexts();
  const formats = useFormats();
  const name = useFileName(job.import_job_id);
  const [isStopping, setStopping] = useState(false);
  const isGoing = job.status === 'queued' || job.status === 'running';
  const stop = async () => {
    setStopping(true);
    try {
      await written(kith.imports.cancel(job.import_job_id), { text: imports.stopped, isQuiet: true }, shell);
      toast({ text: imports.stopped });
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    } finally {
      setStopping(false);
      await queries.invalidateQueries({ queryKey: keys.imports });
    }
  };
  return (
    <section className={styles.part}>
      <h2>
        <bdi>{name ?? job.format.toUpperCase()}</bdi>
      </h2>
      <p role="status">
        {imports.states[job.status]}
        {isGoing && `, ${imports.doneOf(formats.number(job.done), formats.number(job.rows))}`}
      </p>
      {isGoing && (
        <div className={styles.going}>
          <progress max={job.rows} value={job.done} aria-label={imports.progress} />
          <Button isWorking={isStopping} onClick={() => void stop()}>
            {imports.stop}
          </Button>
        </div>
      )}
    </section>
  );
}

function Outcome({ job }: { job: Job }) {
  const { imports } = useTexts();
  const formats = useFormats();
  const { objects } = useWorkspace();
  const { outcome } = job;
  if (!outcome) return undefined;
  return (
    <>
      <section className={styles.part}>
        <Counts of={outcome} />
        {Object.entries(outcome.records_made).map(([name, n]) => (
          <p key={name}>{imports.alsoMade(formats.number(n), objects.get(name)?.label ?? name)}</p>
        ))}
        {outcome.new_fields.length > 0 && <p>{imports.newFields(formats.list(outcome.new_fields))}</p>}
      </section>
      {outcome.problems.length > 0 && (
        <section className={styles.part}>
          <h2>{imports.whyRefused}</h2>
          <Reasons of={outcome.problems} />
          <p>
            <FailedRows job={job} />
          </p>
        </section>
      )}
      {outcome.notes.length > 0 && (
        <section className={styles.part}>
          <h2>{imports.notes}</h2>
          <Reasons of={outcome.notes} />
        </section>
      )}
    </>
  );
}

/** The refused rows as a file with its original columns, to be corrected and imported again. */
function FailedRows({ job }: { job: Job }) {
  const { imports } = useTexts();
  const [isWorking, setWorking] = useState(false);
  const save = async () => {
    setWorking(true);
    try {
      await saveFile(await kith.imports.failedRows(job.import_job_id), `${job.object_name}_failed.csv`);
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    } finally {
      setWorking(false);
    }
  };
  return (
    <Button isWorking={isWorking} onClick={() => void save()}>
      {imports.failedRows}
    </Button>
  );
}

/** Reverts the import; a dry run says how many records that concerns and what stays. */
function Revert({ changeSet }: { changeSet: string }) {
  const { imports, shell } = useTexts();
  const formats = useFormats();
  const { objects } = useWorkspace();
  const [isWorking, setWorking] = useState(false);
  const trial = useQuery({
    queryKey: [...keys.changeSets, changeSet, 'trial'],
    queryFn: () => kith.changeSets.undo({ change_set: changeSet }, { dryRun: true }),
  });
  const revert = async () => {
    setWorking(true);
    try {
      const text = imports.reverted(formats.number(trial.data?.undone ?? 0));
      await written(kith.changeSets.undo({ change_set: changeSet }), { text }, shell);
      await queries.invalidateQueries();
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    } finally {
      setWorking(false);
    }
  };
  if (trial.error) return <p className="dim">{messageOf(trial.error)}</p>;
  if (!trial.data) return undefined;
  const { undone, left, left_count: staying } = trial.data;
  return (
    <section className={styles.part}>
      {undone === 0 ? (
        <p role="status">{imports.revertedAll}</p>
      ) : (
        <p>
          <Button icon={<Undo2 size={14} />} isWorking={isWorking} onClick={() => void revert()}>
            {imports.revertCounted(formats.number(undone))}
          </Button>
        </p>
      )}
      {staying > 0 && <p>{imports.stays(staying)}</p>}
      {staying > 0 && (
        <ul className={styles.reasons}>
          {left.map(({ object, id, fields }) => (
            <li key={id}>
              <Link to="/r/$object/$id" params={{ object, id }}>
                {objects.get(object)?.labelSingular ?? object}
              </Link>
              {fields && <span className="dim">{formats.list(fields)}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
