import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { rememberedFacts, type Job } from './read-file.ts';
import styles from './import.module.css';

/** A summary of the file: name, rows, columns, format, and what was left out. */
export function FileLine({ job }: { job: Job }) {
  const { imports } = useTexts();
  const formats = useFormats();
  const name = useFileName(job.import_job_id);
  const facts = rememberedFacts(job.import_job_id);
  const parts = [
    imports.rowsTold(job.rows, formats.number(job.rows)),
    imports.columnsTold(job.columns.length, formats.number(job.columns.length)),
    job.source?.split('_')[0],
    facts && imports.encoding[facts.encoding],
    facts?.separator && imports.separators[facts.separator],
  ].filter((part) => part !== undefined);
  return (
    <div className={styles.told}>
      <p>
        <b>
          <bdi>{name ?? job.format.toUpperCase()}</bdi>
        </b>{' '}
        <span className="dim">{parts.join(', ')}</span>
      </p>
      <Link to="/import" search={{ object: job.object_name }} className={styles.quiet}>
        {imports.another}
      </Link>
      {job.warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  );
}

/** The name of the import's file, if it is known. */
export function useFileName(id: string): string | undefined {
  const list = useQuery({ queryKey: [...keys.imports, 'list'], queryFn: () => kith.imports.list({ limit: 50 }) });
  return list.data?.data.find((item) => item.import_job_id === id)?.file_name ?? undefined;
}
