import { messageOf } from '../api/kith.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import form from '../ui/form.module.css';
import { Counts } from './counts.tsx';
import { keyFields, type Drafting } from './draft.ts';
import type { Job } from './read-file.ts';
import type { Trial } from './use-trial.ts';
import styles from './import.module.css';

interface TrialPanelProps {
  readonly job: Job;
  readonly drafting: Drafting;
  readonly trial: Trial;
}

/** What the import would do now, and how existing records are treated. */
export function TrialPanel({ job, drafting, trial }: TrialPanelProps) {
  const { imports } = useTexts();
  return (
    <aside className={styles.panel} aria-label={imports.ifItRan}>
      <section className={styles.part}>
        <h2>{imports.ifItRan}</h2>
        <Ran job={job} trial={trial} />
      </section>
      <WhenThere job={job} drafting={drafting} />
      <Also drafting={drafting} />
      <p className="hint">{imports.goesOn}</p>
    </aside>
  );
}

function Ran({ job, trial }: { job: Job; trial: Trial }) {
  const { imports } = useTexts();
  const formats = useFormats();
  const { objects } = useWorkspace();
  const { answer, at, error, isRunning, isStale } = trial;
  const [rows, tried] = [formats.number(job.rows), formats.number(answer?.rows_tried ?? 0)];
  return (
    <>
      <p role="status" className="dim">
        {isRunning && imports.trying}
        {!isRunning && isStale && imports.isStale}
        {!isRunning &&
          !isStale &&
          answer &&
          (answer.rows_tried < job.rows
            ? imports.triedSome(tried, rows, formats.time(at ?? ''))
            : imports.tried(job.rows, rows, formats.time(at ?? '')))}
      </p>
      {error !== undefined && (
        <p role="alert" className={styles.problem}>
          {messageOf(error)}
        </p>
      )}
      {(isStale || error !== undefined) && !isRunning && (
        <Button onClick={() => void trial.run()}>{imports.tryAgain}</Button>
      )}
      {answer && (
        <div className={isStale ? `${styles.part} ${styles.old}` : styles.part}>
          <Counts of={answer} />
          <Said
            lines={[
              answer.duplicates.existing > 0 && imports.existing(answer.duplicates.existing),
              answer.duplicates.refused > 0 && imports.takenValues(answer.duplicates.refused),
              ...Object.entries(answer.records_made).map(([name, n]) =>
                imports.alsoMade(formats.number(n), objects.get(name)?.label ?? name),
              ),
              answer.new_fields.length > 0 && imports.newFields(formats.list(answer.new_fields)),
            ]}
          />
        </div>
      )}
    </>
  );
}

function Said({ lines }: { lines: readonly (string | false)[] }) {
  return lines.map((line) => line !== false && <p key={line}>{line}</p>);
}

function WhenThere({ job, drafting: { draft, choose } }: { job: Job; drafting: Drafting }) {
  const { imports } = useTexts();
  const { options } = draft;
  const strategy = options.duplicate_strategy ?? 'create';
  const fields = keyFields(job);
  const label = (name: string) => job.target_fields.find((field) => field.name === name)?.label ?? name;
  const [by = fields[0] ?? ''] = options.duplicate_fields ?? [];
  return (
    <section className={styles.part}>
      <fieldset className={form.group}>
        <legend>{imports.whenThere}</legend>
        {(['skip', 'update', 'create'] as const).map((choice) => (
          <label key={choice} className={form.choice}>
            <input
              type="radio"
              name="strategy"
              checked={strategy === choice}
              onChange={() =>
                choose({ ...options, duplicate_strategy: choice, duplicate_fields: by === '' ? [] : [by] })
              }
            />
            <span>{imports.strategies[choice]}</span>
          </label>
        ))}
      </fieldset>
      {strategy !== 'create' && (
        <label className={form.field}>
          <span className={form.name}>{imports.sameIf}</span>
          <select
            className={form.select}
            value={by}
            onChange={({ target }) => choose({ ...options, duplicate_fields: [target.value] })}
          >
            {[...new Set([...fields, by])].map((name) => (
              <option key={name} value={name}>
                {label(name)}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}

function Also({ drafting: { draft, choose, nameList } }: { drafting: Drafting }) {
  const { imports } = useTexts();
  const { options } = draft;
  return (
    <section className={styles.part}>
      <h2>{imports.also}</h2>
      <label className={form.choice}>
        <input
          type="checkbox"
          checked={options.bad_cells === 'fail'}
          onChange={({ target }) => choose({ ...options, bad_cells: target.checked ? 'fail' : 'empty' })}
        />
        <span>{imports.badCells}</span>
      </label>
      <label className={form.field}>
        <span className={form.name}>{imports.addToList}</span>
        <input
          className={form.input}
          placeholder={imports.listName}
          maxLength={200}
          value={draft.list ?? ''}
          onChange={({ target }) => nameList(target.value === '' ? undefined : target.value)}
        />
      </label>
    </section>
  );
}
