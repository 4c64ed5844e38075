/** Which columns a table has, and how wide they are. */
import type { Field, FieldType, ObjectShape, Workspace } from '../api/workspace.ts';
import { valueTypeOf } from '../values/shapes.ts';
import { isNumeric } from '../values/text-of.ts';
import type { ColumnChoice } from './list-state.ts';

export interface Column {
  /** The field's name, or its path behind a relation. */
  readonly path: string;
  readonly field: Field;
  /** The field as a record of the list has it: by its path. */
  readonly shown: Field;
  readonly label: string;
  readonly width: number;
  readonly isEnd: boolean;
}

const widths: Readonly<Partial<Record<FieldType, number>>> = {
  EMAILS: 184,
  EMAIL: 184,
  URL: 170,
  ADDRESS: 200,
  MULTI_SELECT: 176,
  RELATION: 184,
  DEPENDENT_RELATION: 176,
  MORPH_RELATION: 176,
  MANY_TO_MANY: 190,
  LONG_TEXT: 240,
  RICH_TEXT: 240,
  PHONES: 140,
  SELECT: 132,
  PIPELINE: 132,
  USERS: 132,
  DATE: 108,
  DATETIME: 132,
  BOOLEAN: 96,
  CURRENCY: 120,
  PERCENT: 92,
  NUMBER: 104,
  INTEGER: 96,
};
const usualWidth = 152;
const nameWidth = 208;
export const narrowest = 56;
export const widest = 800;

/** Parts of what a person is called; where the whole stands, they need no columns of their own. */
const partsOfNames = new Set(['first_name', 'last_name']);
/** What a table does not begin with: long, or of the record's keeping. */
const seldom = new Set<FieldType>(['LONG_TEXT', 'RICH_TEXT', 'ADDRESS', 'URL', 'DURATION', 'ELAPSED_TIME']);
const kept = new Set(['created_by', 'created_at', 'updated_at']);
const mostAtFirst = 8;

/** Fields that can be columns: a list has no links of others to the record. */
export function listable(object: ObjectShape): readonly Field[] {
  return object.fields.filter(({ relationConfig }) => relationConfig?.relationType !== 'HAS_MANY');
}

/** Those that a table has by itself: its name first, then what people look for. */
export function usualColumns(object: ObjectShape, displayField: string | undefined): readonly ColumnChoice[] {
  const rest = listable(object).filter(
    ({ name, type, isHidden }) =>
      name !== displayField &&
      !isHidden &&
      !kept.has(name) &&
      !seldom.has(type) &&
      !(displayField === 'full_name' && partsOfNames.has(name)),
  );
  const ranked = rest.toSorted((a, b) => rank(a) - rank(b));
  const names = [...(displayField === undefined ? [] : [displayField]), ...ranked.map(({ name }) => name)];
  return names.slice(0, mostAtFirst).map((field) => ({ field }));
}

function rank({ type }: Field): number {
  if (type === 'RELATION' || type === 'PIPELINE') return 0;
  if (type === 'CALCULATED' || type === 'ROLLUP' || type === 'MANY_TO_MANY' || type === 'BOOLEAN') return 3;
  return type === 'USERS' ? 2 : 1;
}

/** The field that a path leads to, and what it is called; undefined where there is none, or none for this reader. */
export function fieldAt(
  workspace: Workspace,
  object: ObjectShape,
  path: string,
): { field: Field; label: string } | undefined {
  const [name = '', behind, ...more] = path.split('.');
  const field = object.fields.find((one) => one.name === name);
  if (behind === undefined) return field && { field, label: field.label };
  const target = field?.relationConfig && workspace.objects.get(field.relationConfig.targetObjectName);
  const found = target?.fields.find((one) => one.name === behind);
  return found && field && more.length === 0 ? { field: found, label: `${field.label} › ${found.label}` } : undefined;
}

/** The columns to show; what is no field any more is left out. */
export function columnsOf(
  workspace: Workspace,
  object: ObjectShape,
  chosen: readonly ColumnChoice[] | undefined,
): readonly Column[] {
  const display = workspace.reader.displayFields[object.name];
  return (chosen ?? usualColumns(object, display)).flatMap(({ field: path, width }) => {
    const found = fieldAt(workspace, object, path);
    if (!found) return [];
    const usual = path === display ? nameWidth : (widths[valueTypeOf(found.field)] ?? usualWidth);
    const column = { path, ...found, width: Math.min(widest, Math.max(narrowest, width ?? usual)) };
    const shown = path.includes('.') ? { ...found.field, name: path } : found.field;
    return [{ ...column, shown, isEnd: isNumeric(found.field) }];
  });
}

/** The names that `fields` of a request has for these columns. */
export function namesOf(columns: readonly Column[], display: string | undefined): string {
  const names = columns.flatMap(({ path, field }) =>
    field.type === 'PIPELINE' && !path.includes('.') ? ['pipeline_id', 'pipeline_step_id'] : [path],
  );
  return [...new Set([...(display === undefined ? [] : [display]), ...names])].join(',') || 'id';
}
