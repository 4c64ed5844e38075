/** An import before it runs: its columns with a dry run beside them, then the review. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { KithError } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { keyText, useKeys } from '../app/keys.ts';
import { written } from '../app/changes.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { ColumnTable } from './column-table.tsx';
import { useDraft, type Drafting } from './draft.ts';
import type { Job } from './read-file.ts';
import { Review, SampleRows } from './review.tsx';
import { Steps } from './steps.tsx';
import { FileLine } from './file-line.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { useTrial, type Trial } from './use-trial.ts';
import styles from './import.module.css';

/** The page of an import that has not started. */
export function ChoosingPage({ job, title }: { job: Job; title: string }) {
  const { imports } = useTexts();
  const drafting = useDraft(job);
  const goesSomewhere = job.columns.some((column) => drafting.entryOf(column).action !== 'ignore');
  const trial = useTrial(job.import_job_id, drafting.draft, goesSomewhere);
  const [step, setStep] = useState<'columns' | 'review'>('columns');
  const { start, isStarting, problem } = useStart(job, drafting, trial);
  const review = async () => {
    if ((trial.isStale || trial.answer === undefined) && (await trial.run()) === undefined) return;
    setStep('review');
  };
  const isReview = step === 'review';
  const isBusy = trial.isRunning || isStarting;
  const main = () => {
    if (!isBusy) void (isReview && !trial.isStale ? start() : review());
  };
  useKeys([
    { keys: 'mod+Enter', label: isReview ? imports.steps.done : imports.review, whileTyping: true, run: main },
    { keys: 'Escape', label: imports.backToColumns, run: () => setStep('columns') },
  ]);
  const coming = (trial.answer?.created ?? 0) + (trial.answer?.updated ?? 0);
  return (
    <>
      <Bar title={title} step={step} back={() => setStep('columns')} main={main} isBusy={isBusy} coming={coming} />
      <div className={styles.split}>
        <section className={styles.content} aria-label={imports.steps[step]} tabIndex={-1}>
          {problem !== undefined && (
            <p role="alert" className={styles.warning}>
              {problem}
            </p>
          )}
          {isReview ? (
            <Review job={job} trial={trial} />
          ) : (
            <>
              <FileLine job={job} />
              <ColumnTable job={job} drafting={drafting} />
              <SampleRows job={job} trial={trial} most={5} />
            </>
          )}
        </section>
        <TrialPanel job={job} drafting={drafting} trial={trial} />
      </div>
    </>
  );
}

interface BarProps {
  readonly title: string;
  readonly step: 'columns' | 'review';
  readonly back: () => void;
  readonly main: () => void;
  readonly isBusy: boolean;
  /** The number of records that would be created or changed. */
  readonly coming: number;
}

function Bar({ title, step, back, main, isBusy, coming }: BarProps) {
  const { imports } = useTexts();
  const formats = useFormats();
  const isReview = step === 'review';
  return (
    <TopBar title={title}>
      <Steps at={step} />
      <span className={styles.space} />
      {isReview ? (
        <Button kind="bare" onClick={back}>
          {imports.backToColumns}
        </Button>
      ) : (
        <Link to="/import" className={styles.quiet}>
          {imports.keepForLater}
        </Link>
      )}
      <Button kind="main" hint={keyText('mod+Enter')} isWorking={isBusy} onClick={main}>
        {isReview ? imports.start(formats.number(coming)) : imports.review}
      </Button>
    </TopBar>
  );
}

/** Runs what the last dry run has shown; says so if the outcome would be different by now. */
function useStart(job: Job, { draft }: Drafting, trial: Trial) {
  const { imports, shell } = useTexts();
  const formats = useFormats();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const start = async () => {
    const hash = trial.answer?.preview_hash;
    if (hash === undefined) return;
    setStarting(true);
    setProblem(undefined);
    try {
      const list = draft.list?.trim();
      const answer = kith.imports.execute(job.import_job_id, {
        preview_hash: hash,
        ...(list && { create_list_name: list }),
      });
      await written(answer, { text: imports.importStarted(formats.number(job.rows)) }, shell);
      await queries.invalidateQueries();
    } catch (error) {
      const moved = error instanceof KithError && error.code === 'CONFLICT';
      setProblem(moved ? `${imports.movedOn} ${messageOf(error)}` : messageOf(error));
      trial.spoil();
      await queries.invalidateQueries({ queryKey: keys.imports });
    } finally {
      setStarting(false);
    }
  };
  return { start, isStarting, problem };
}
