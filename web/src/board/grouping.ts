/** What the columns of a board are. */
import type { FilterGroup } from '../../../client/index.js';
import type { Field, FieldType, KithRecord, ObjectShape, Pipeline, Step, Workspace } from '../api/workspace.ts';
import { colorAt } from '../ui/chip.tsx';

export interface Groups {
  readonly groups: Readonly<Record<string, readonly KithRecord[]>>;
  readonly counts: Readonly<Record<string, number>>;
  /** Labels of keys that are ids; null if the reader may not see it. */
  readonly labels?: Readonly<Record<string, string | null>>;
}

export interface BoardColumn {
  /** The field's value: the id of a step, user or record, or an option; `uncategorized` for records without one. */
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly isRing: boolean;
  readonly step: Step | undefined;
}

export interface Grouping {
  readonly field: Field;
  /** The field's name in queries and writes. */
  readonly name: string;
  readonly pipeline: Pipeline | undefined;
  /** The pipelines of the object. */
  readonly pipelines: readonly Pipeline[];
}

/** Labels of columns that are neither options nor records. */
interface Words {
  readonly without: string;
  readonly unseen: string;
  readonly yes: string;
  readonly no: string;
}

export const withoutValue = 'uncategorized';
/** Most columns on a board; among more, nobody finds one. */
const mostColumns = 60;
const mostUsers = 30;
const pipelineField = 'pipeline_id';

const order: readonly FieldType[] = ['PIPELINE', 'SELECT', 'USERS', 'RELATION', 'BOOLEAN'];

/** The fields whose values can be columns, the most useful ones first. */
export function groupFields({ fields }: ObjectShape): readonly Field[] {
  const can = ({ type, relationConfig }: Field) => order.includes(type) && relationConfig?.relationType !== 'HAS_MANY';
  return fields.filter(can).toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
}

/** The chosen field, else the steps, else the first field with options. The pipeline is chosen by the filter. */
export function groupingOf(
  { pipelines: all }: Workspace,
  object: ObjectShape,
  chosen: string | undefined,
  filter: FilterGroup | undefined,
): Grouping | undefined {
  const fields = groupFields(object);
  const field =
    fields.find(({ name, type }) => name === chosen || (type === 'PIPELINE' && chosen === 'pipeline_step_id')) ??
    fields[0];
  if (!field) return undefined;
  if (field.type !== 'PIPELINE') return { field, name: field.name, pipeline: undefined, pipelines: [] };
  const pipelines = all.filter(({ objectName }) => objectName === object.name);
  const wanted = pipelineIn(filter);
  const pipeline = pipelines.find(({ id }) => id === wanted) ?? pipelines.find((one) => one.is_default) ?? pipelines[0];
  return { field, name: 'pipeline_step_id', pipeline, pipelines };
}

/** Replaces the pipeline in the filter. */
export function withPipeline(filter: FilterGroup | undefined, id: string): FilterGroup {
  const rest = (filter?.type === 'AND' ? filter.conditions : filter ? [filter] : []).filter(
    (one) => !('field' in one && one.field === pipelineField),
  );
  return { type: 'AND', conditions: [...rest, { field: pipelineField, operator: 'equals', value: id }] };
}

/** Whether the filter has conditions other than the pipeline. */
export function isNarrowed(filter: FilterGroup | undefined): boolean {
  return filter !== undefined && !(filter.conditions.length === 1 && pipelineIn(filter) !== undefined);
}

function pipelineIn(filter: FilterGroup | undefined): unknown {
  if (filter?.type !== 'AND') return undefined;
  const found = filter.conditions.find((one) => 'field' in one && one.field === pipelineField);
  return found && 'value' in found ? found.value : undefined;
}

/** The columns, including empty ones unless there are too many; for relations, only records that are referred to. */
export function columnsOf(
  { field, pipeline }: Grouping,
  { counts, labels = {} }: Groups,
  { users }: Pick<Workspace, 'users'>,
  words: Words,
): readonly BoardColumn[] {
  const none = { key: withoutValue, label: words.without, color: 'var(--c-6)', isRing: true, step: undefined };
  const columns = valuesOf(field, pipeline, Object.keys(counts), labels, users, words);
  return (counts[withoutValue] ?? 0) > 0 && field.type !== 'PIPELINE' ? [...columns, none] : columns;
}

/** The columns to render: if there are too many, those with cards come first. */
export function drawnColumns(columns: readonly BoardColumn[], counts: Groups['counts']): readonly BoardColumn[] {
  if (columns.length <= mostColumns) return columns;
  const isEmpty = ({ key }: BoardColumn) => Number((counts[key] ?? 0) === 0);
  const drawn = new Set(columns.toSorted((a, b) => isEmpty(a) - isEmpty(b)).slice(0, mostColumns));
  return columns.filter((column) => drawn.has(column));
}

function valuesOf(
  field: Field,
  pipeline: Pipeline | undefined,
  keys: readonly string[],
  labels: NonNullable<Groups['labels']>,
  users: Workspace['users'],
  words: Words,
): readonly BoardColumn[] {
  const plain = (key: string, label: string, color = 'var(--c-6)') => ({
    key,
    label,
    color,
    isRing: false,
    step: undefined,
  });
  const named = (key: string) => plain(key, labels[key] ?? users.get(key)?.name ?? words.unseen);
  const there = keys.filter((key) => key !== withoutValue);
  switch (field.type) {
    case 'PIPELINE':
      return (pipeline?.steps ?? []).map(stepColumn);
    case 'SELECT':
      return (field.options ?? []).map(({ value, label, color }, at) => plain(value, label, colorAt(at, color)));
    case 'BOOLEAN':
      return [plain('true', words.yes, 'var(--c-4)'), plain('false', words.no)];
    case 'USERS': {
      const active = [...users.values()].filter(({ is_active }) => is_active).map(({ id }) => id);
      const further = active.length > mostUsers ? [] : active.filter((id) => !there.includes(id));
      return [...there, ...further].map(named);
    }
    default:
      return there.map(named);
  }
}

function stepColumn(step: Step, at: number): BoardColumn {
  return {
    key: step.id,
    label: step.name,
    color: step.kind === 'won' ? 'var(--c-4)' : step.kind === 'lost' ? 'var(--c-6)' : colorAt(at),
    isRing: step.kind !== 'ongoing',
    step,
  };
}

/** The field's value of a record in the column. */
export function valueAt({ field }: Grouping, { key }: BoardColumn): unknown {
  if (key === withoutValue) return null;
  return field.type === 'BOOLEAN' ? key === 'true' : key;
}
