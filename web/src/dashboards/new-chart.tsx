/** Creates a chart: the form offers what the schema has, and the service says which choices do not fit together. */
import { useState, type SyntheticEvent } from 'react';
import type { ChartsCreateBody } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { useWork } from '../ui/use-work.ts';
import form from '../ui/form.module.css';
import { functionsOf, groupFields, isTime } from './chart-choices.ts';
import styles from './dashboards.module.css';

interface Draft {
  readonly title: string;
  readonly object: string;
  readonly type: ChartsCreateBody['chart_type'];
  readonly aggregation: string;
  readonly field: string;
  readonly groupBy: string;
  readonly bucket: string;
  readonly period: string;
  readonly dateField: string;
}

/** The form in a dialog. */
export function NewChart({ dashboard, close }: { dashboard: string; close: () => void }) {
  const { shell, dashboards } = useTexts();
  const { objects } = useWorkspace();
  const [first] = objects.keys();
  const [draft, setDraft] = useState<Draft>({
    title: '',
    object: objects.has('opportunities') ? 'opportunities' : (first ?? ''),
    type: 'bar',
    aggregation: 'COUNT',
    field: '',
    groupBy: '',
    bucket: '',
    period: '',
    dateField: 'created_at',
  });
  const { isWorking, problem, run } = useWork();
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    return run(async () => {
      await kith.charts.create(dashboard, bodyOf(draft));
      await queries.invalidateQueries({ queryKey: keys.dashboards });
      close();
    });
  };
  return (
    <Dialog
      title={dashboards.newChart}
      isOpen
      close={close}
      actions={
        <>
          <Button onClick={close}>{shell.cancel}</Button>
          <Button kind="main" type="submit" form="new-chart" isWorking={isWorking}>
            {shell.create}
          </Button>
        </>
      }
    >
      <form id="new-chart" className={styles.form} onSubmit={(event) => void save(event)}>
        <Fields draft={draft} set={(part) => setDraft({ ...draft, ...part })} object={objects.get(draft.object)} />
        <Problem text={problem} />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
  readonly object: ObjectShape | undefined;
}

function Fields({ draft, set, object }: FieldsProps) {
  const { dashboards } = useTexts();
  const { objects } = useWorkspace();
  const fields = object?.fields ?? [];
  const ofFunction = fields.filter((field) => functionsOf(field).includes(draft.aggregation));
  return (
    <>
      <label className={form.field}>
        <span className={form.name}>{dashboards.title}</span>
        <input
          className={form.input}
          required
          autoFocus
          maxLength={200}
          value={draft.title}
          onChange={({ target }) => set({ title: target.value })}
        />
      </label>
      <Choice
        label={dashboards.object}
        value={draft.object}
        options={named([...objects.values()])}
        set={(name) => set({ object: name, field: '', groupBy: '', bucket: '', dateField: 'created_at' })}
      />
      <Choice
        label={dashboards.type}
        value={draft.type}
        options={Object.entries(dashboards.types)}
        set={(type) => set({ type: type as Draft['type'] })}
      />
      <Choice
        label={dashboards.aggregation}
        value={draft.aggregation}
        options={Object.entries(dashboards.functions)}
        set={(aggregation) => set({ aggregation, field: '' })}
      />
      {draft.aggregation !== 'COUNT' && (
        <Choice
          label={dashboards.of}
          value={draft.field}
          options={[['', ''], ...named(ofFunction)]}
          isRequired
          set={(field) => set({ field })}
        />
      )}
      <GroupsAndPeriods draft={draft} set={set} object={object} />
    </>
  );
}

function GroupsAndPeriods({ draft, set, object }: FieldsProps) {
  const { dashboards } = useTexts();
  const fields = object?.fields ?? [];
  const grouped = fields.find(({ name }) => name === draft.groupBy);
  return (
    <>
      {draft.type !== 'indicator' && (
        <Choice
          label={dashboards.groupBy}
          value={draft.groupBy}
          options={[['', ''], ...named(groupFields(fields))]}
          isRequired
          set={(groupBy) => set({ groupBy, bucket: '' })}
        />
      )}
      {draft.type !== 'indicator' && isTime(grouped) && (
        <Choice
          label={dashboards.bucket}
          value={draft.bucket}
          options={Object.entries(dashboards.buckets)}
          set={(bucket) => set({ bucket })}
        />
      )}
      <Choice
        label={dashboards.compare}
        value={draft.period}
        options={Object.entries(dashboards.periods)}
        set={(period) => set({ period })}
      />
      {draft.period !== '' && (
        <Choice
          label={dashboards.dateField}
          value={draft.dateField}
          options={named(fields.filter(isTime))}
          set={(dateField) => set({ dateField })}
        />
      )}
    </>
  );
}

function named(list: readonly { readonly name: string; readonly label: string }[]) {
  return list.map(({ name, label }) => [name, label] as const);
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly isRequired?: boolean;
  readonly set: (value: string) => void;
}

function Choice({ label, value, options, isRequired = false, set }: ChoiceProps) {
  return (
    <label className={form.field}>
      <span className={form.name}>{label}</span>
      <select className={form.select} value={value} required={isRequired} onChange={({ target }) => set(target.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function bodyOf({
  title,
  object,
  type,
  aggregation,
  field,
  groupBy,
  bucket,
  period,
  dateField,
}: Draft): ChartsCreateBody {
  return {
    title,
    object_name: object,
    chart_type: type,
    aggregation,
    ...(field !== '' && aggregation !== 'COUNT' && { metric_field: field }),
    ...(groupBy !== '' && type !== 'indicator' && { group_by: groupBy }),
    ...(bucket !== '' && type !== 'indicator' && { bucket: bucket as NonNullable<ChartsCreateBody['bucket']> }),
    ...(period !== '' && {
      comparison: true,
      comparison_period: period as NonNullable<ChartsCreateBody['comparison_period']>,
      date_field: dateField,
    }),
  };
}
