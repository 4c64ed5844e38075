import { ArrowRight } from 'lucide-react';
import { useMemo } from 'react';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import form from '../ui/form.module.css';
import { ColumnDetails } from './column-details.tsx';
import type { Drafting, Entry } from './draft.ts';
import { HowSure } from './how-sure.tsx';
import type { Job } from './read-file.ts';
import { labelOfPath, newFieldOf, targetsOf, type Target } from './targets.ts';
import styles from './import.module.css';

type Column = Job['columns'][number];

/** Every column of the file with its first values and its target. */
export function ColumnTable({ job, drafting }: { job: Job; drafting: Drafting }) {
  const { imports } = useTexts();
  const { objects } = useWorkspace();
  const formats = useFormats();
  const targets = useMemo(() => targetsOf(job, objects, imports), [job, objects, imports]);
  const going = new Set(job.columns.map((column) => drafting.entryOf(column).field?.split(/[.:]/)[0]));
  const left = job.target_fields.filter(
    ({ name, required }) =>
      required && !going.has(name) && !(going.has('full_name') && /^(first|last)_name$/.test(name)),
  );
  return (
    <>
      <table className={`${styles.table} ${styles.columns}`}>
        <thead>
          <tr>
            <th>{imports.column}</th>
            <th>{imports.firstValues}</th>
            <th>{imports.goesTo}</th>
            <th>{imports.howSure}</th>
          </tr>
        </thead>
        <tbody>
          {job.columns.map((column) => (
            <ColumnRow key={column.column} column={column} targets={targets} drafting={drafting} />
          ))}
        </tbody>
      </table>
      {left.length > 0 && (
        <p role="status" className={styles.warning}>
          {imports.requiredLeft(formats.list(left.map(({ label }) => label)))}
        </p>
      )}
    </>
  );
}

interface ColumnRowProps {
  readonly column: Column;
  readonly targets: readonly Target[];
  readonly drafting: Drafting;
}

function ColumnRow({ column, targets, drafting }: ColumnRowProps) {
  const { imports } = useTexts();
  const entry = drafting.entryOf(column);
  const values = column.sample_values.slice(0, 3).join(' · ');
  return (
    <tr>
      <th scope="row" className="clip" title={column.column}>
        <bdi>{column.column}</bdi>
      </th>
      <td>
        <span className={styles.samples}>
          <bdi className="clip" title={values}>
            {values}
          </bdi>
          <ArrowRight size={14} aria-hidden="true" />
        </span>
      </td>
      <td>
        <select
          className={form.select}
          aria-label={imports.goesToOf(column.column)}
          value={valueOf(entry)}
          onChange={({ target }) => drafting.change(entryFor(column, target.value))}
        >
          <option value="ignore">{imports.notImported}</option>
          <option value="new">
            {entry.action === 'new_field'
              ? imports.newFieldNamed(entry.new_field_label ?? column.column)
              : imports.newField}
          </option>
          <optgroup label={imports.fields}>
            {withOwn(targets, entry, imports).map(({ path, label }) => (
              <option key={path} value={`map ${path}`}>
                {label}
              </option>
            ))}
          </optgroup>
        </select>
        <ColumnDetails
          column={column}
          entry={entry}
          makesRecords={targets.some(({ path, namesRecords }) => path === entry.field && namesRecords)}
          change={drafting.change}
        />
      </td>
      <td>
        <HowSure column={column} entry={entry} isChosen={drafting.draft.changed[column.column] !== undefined} />
      </td>
    </tr>
  );
}

/** A proposed part that is not in the list of targets becomes an option too. */
function withOwn(
  targets: readonly Target[],
  { field }: Entry,
  texts: Parameters<typeof labelOfPath>[2],
): readonly Target[] {
  if (field === undefined || targets.some(({ path }) => path === field)) return targets;
  return [...targets, { path: field, label: labelOfPath(field, targets, texts) }];
}

function valueOf({ action, field }: Entry): string {
  if (action === 'ignore') return 'ignore';
  return action === 'new_field' ? 'new' : `map ${field ?? ''}`;
}

function entryFor(column: Column, value: string): Entry {
  if (value === 'ignore') return { column: column.column, action: 'ignore' };
  if (value === 'new') return newFieldOf(column);
  const proposed = column.suggestion as Entry;
  const field = value.slice('map '.length);
  return proposed.field === field ? proposed : { column: column.column, action: 'map', field };
}
