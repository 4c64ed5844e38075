/** What an import would do: sample rows, changes, and why rows are refused. */
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useObject } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { valueText } from '../ui/value-text.ts';
import type { Job } from './read-file.ts';
import { Reasons } from './reasons.tsx';
import type { Trial } from './use-trial.ts';
import styles from './import.module.css';

interface ReviewProps {
  readonly job: Job;
  readonly trial: Trial;
}

/** The review. */
export function Review({ job, trial }: ReviewProps) {
  const { imports } = useTexts();
  const { answer } = trial;
  if (!answer) return undefined;
  return (
    <>
      <Changes job={job} trial={trial} />
      <section className={styles.block}>
        <h2>{imports.whyRefused}</h2>
        {answer.problems.length === 0 ? (
          <p className="dim">{imports.nothingRefused}</p>
        ) : (
          <Reasons of={answer.problems} />
        )}
      </section>
      {answer.notes.length > 0 && (
        <section className={styles.block}>
          <h2>{imports.notes}</h2>
          <Reasons of={answer.notes} />
        </section>
      )}
      <SampleRows job={job} trial={trial} most={20} />
    </>
  );
}

/** The first rows of the file as the records that they would become. */
export function SampleRows({ job, trial, most }: ReviewProps & { most: number }) {
  const { imports } = useTexts();
  const formats = useFormats();
  const object = useObject(job.object_name);
  const rows = trial.answer?.sample_rows.slice(0, most) ?? [];
  if (rows.length === 0) return undefined;
  const valuesOf = (row: (typeof rows)[number]) => (row.values ?? {}) as Record<string, unknown>;
  const names = [...new Set(rows.flatMap((row) => Object.keys(valuesOf(row))))].slice(0, 6);
  const field = (name: string) => object?.fields.find((one) => one.name === name);
  return (
    <section className={styles.block}>
      <h2>{imports.asTheyWouldBe}</h2>
      <div className={styles.wide} role="region" aria-label={imports.asTheyWouldBe} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th className={styles.end}>{imports.row}</th>
              <th>{imports.becomes}</th>
              {names.map((name) => (
                <th key={name}>{field(name)?.label ?? name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.index}>
                <td className={`${styles.end} faint numeric`}>{row.index + 1}</td>
                <td className={styles[row.fate] ?? ''}>{imports.fates[row.fate] ?? row.fate}</td>
                {names.map((name) => (
                  <td key={name} className={styles.cell}>
                    <bdi>{valueText(valuesOf(row)[name], formats, field(name))}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Changes({ job, trial }: ReviewProps) {
  const { imports } = useTexts();
  const formats = useFormats();
  const object = useObject(job.object_name);
  const changes = trial.answer?.changes ?? [];
  if (changes.length === 0) return undefined;
  const field = (name: string) => object?.fields.find((one) => one.name === name);
  return (
    <section className={styles.block}>
      <h2>{imports.whatChanges}</h2>
      <div className={styles.wide} role="region" aria-label={imports.whatChanges} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th className={styles.end}>{imports.row}</th>
              <th>{imports.field}</th>
              <th>{imports.before}</th>
              <th>{imports.after}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <Fragment key={change.index}>
                {Object.entries(change.fields).map(([name, { before, after }], at) => (
                  <tr key={name}>
                    <td className={`${styles.end} numeric`}>
                      {at === 0 && (
                        <Link to="/r/$object/$id" params={{ object: job.object_name, id: change.id }}>
                          {change.index + 1}
                        </Link>
                      )}
                    </td>
                    <td>{field(name)?.label ?? name}</td>
                    <td className={styles.cell}>
                      {valueText(before, formats, field(name)) === '' ? (
                        <span className="faint">{imports.none}</span>
                      ) : (
                        <del>
                          <bdi>{valueText(before, formats, field(name))}</bdi>
                        </del>
                      )}
                    </td>
                    <td className={styles.cell}>
                      <bdi>{valueText(after, formats, field(name))}</bdi>
                    </td>
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
