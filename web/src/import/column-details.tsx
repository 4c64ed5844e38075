import { useFormats, useTexts } from '../i18n/language.tsx';
import form from '../ui/form.module.css';
import type { Entry } from './draft.ts';
import type { Job } from './read-file.ts';
import styles from './import.module.css';

interface ColumnDetailsProps {
  readonly column: Job['columns'][number];
  readonly entry: Entry;
  /** Whether it refers to records, which can be created if they do not exist. */
  readonly makesRecords?: boolean;
  readonly change: (entry: Entry) => void;
}

/** Further choices of a column: date format, type of a new field, creation of records. */
export function ColumnDetails({ column, entry, makesRecords = false, change }: ColumnDetailsProps) {
  const { imports } = useTexts();
  const formats = useFormats();
  const names = column.missing_options?.map(({ label }) => label) ?? [];
  const asksOrder = entry.date_format !== undefined || (column.questions?.length ?? 0) > 0;
  return (
    <>
      {entry.action === 'new_field' && <NewField column={column} entry={entry} change={change} />}
      {entry.action !== 'ignore' && asksOrder && <DateOrder column={column} entry={entry} change={change} />}
      {entry.action === 'map' && (makesRecords || entry.create_missing !== undefined) && (
        <Choice
          label={imports.createMissing}
          isOn={entry.create_missing === true}
          set={(isOn) => change({ ...entry, create_missing: isOn })}
        />
      )}
      {entry.action === 'map' && names.length > 0 && (
        <Choice
          label={imports.optionsToAdd(names.length, formats.list(names.slice(0, 5)))}
          isOn={entry.add_options === true}
          set={(isOn) => change({ ...entry, add_options: isOn })}
        />
      )}
    </>
  );
}

function NewField({ column, entry, change }: ColumnDetailsProps) {
  const { imports } = useTexts();
  return (
    <div className={styles.details}>
      <input
        className={form.input}
        aria-label={imports.labelOf(column.column)}
        value={entry.new_field_label ?? ''}
        maxLength={100}
        onChange={({ target }) => change({ ...entry, new_field_label: target.value })}
      />
      <select
        className={form.select}
        aria-label={imports.typeOf(column.column)}
        value={entry.new_field_type ?? 'TEXT'}
        onChange={({ target }) => change({ ...entry, new_field_type: target.value })}
      >
        {Object.entries(imports.types).map(([type, label]) => (
          <option key={type} value={type}>
            {label}
          </option>
        ))}
      </select>
      <Choice
        label={imports.isUnique}
        isOn={entry.new_field_unique === true}
        set={(isOn) => change({ ...entry, new_field_unique: isOn })}
      />
    </div>
  );
}

function DateOrder({ column, entry, change }: ColumnDetailsProps) {
  const { imports } = useTexts();
  return (
    <select
      className={`${form.select} ${styles.order}`}
      aria-label={imports.datesAre(column.column)}
      value={entry.date_format ?? ''}
      onChange={({ target }) => change({ ...entry, date_format: target.value as NonNullable<Entry['date_format']> })}
    >
      {entry.date_format === undefined && <option value="">{imports.chooseOrder}</option>}
      {Object.entries(imports.orders).map(([order, label]) => (
        <option key={order} value={order}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Choice({ label, isOn, set }: { label: string; isOn: boolean; set: (isOn: boolean) => void }) {
  return (
    <label className={form.choice}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => set(target.checked)} />
      <span>{label}</span>
    </label>
  );
}
