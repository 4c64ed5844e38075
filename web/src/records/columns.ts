/** The columns of a table and their widths. */
import type { Field, FieldType, ObjectShape, Workspace } from '../api/workspace.ts';
import { valueTypeOf } from '../values/shapes.ts';
import { isNumeric } from '../values/text-of.ts';
import type { ColumnChoice } from './list-state.ts';

export interface Column {
  /** The field's name, or its path through a relation. */
  readonly path: string;
  readonly field: Field;
  /** The field under the key that a record of the list has it by: its path. */
  readonly shown: Field;
  readonly label: string;
  readonly width: number;
  /** Whether the reader has resized it. */
  readonly isSized: boolean;
  /** Whether it is the name of the record. */
  readonly isName: boolean;
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

/** Parts of a person's name, which need no columns beside the full name. */
const partsOfNames = new Set(['first_name', 'last_name']);
/** Types that a table does not show by default, because they are long or secondary. */
const seldom = new Set<FieldType>(['LONG_TEXT', 'RICH_TEXT', 'ADDRESS', 'URL', 'DURATION', 'ELAPSED_TIME']);
const kept = new Set(['created_by', 'created_at', 'updated_at']);
const mostAtFirst = 8;

/** Fields that can be columns: lists do not contain HAS_MANY relations. */
export function listable(object: ObjectShape): readonly Field[] {
  return object.fields.filter(({ relationConfig }) => relationConfig?.relationType !== 'HAS_MANY');
}

/** The default columns: the name first, then the most useful fields. */
function usualColumns(object: ObjectShape, displayField: string | undefined): readonly ColumnChoice[] {
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

/** The field at a path, and its label; undefined if it does not exist or is hidden from the reader. */
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

/** The columns to show; fields that no longer exist are left out. */
export function columnsOf(
  workspace: Workspace,
  object: ObjectShape,
  chosen: readonly ColumnChoice[] | undefined,
): readonly Column[] {
  const display = workspace.reader.displayFields[object.name];
  return (chosen ?? usualColumns(object, display)).flatMap(({ field: path, width }) => {
    const found = fieldAt(workspace, object, path);
    if (!found) return [];
    const isName = path === display;
    const usual = isName ? nameWidth : (widths[valueTypeOf(found.field)] ?? usualWidth);
    const column = {
      path,
      ...found,
      isName,
      isSized: width !== undefined,
      width: Math.min(widest, Math.max(narrowest, width ?? usual)),
    };
    const shown = path.includes('.') ? { ...found.field, name: path } : found.field;
    return [{ ...column, shown, isEnd: isNumeric(found.field) }];
  });
}

/** The columns as a reader's choice; only resized ones have a width. */
export function choiceOf(columns: readonly Column[]): readonly ColumnChoice[] {
  return columns.map(({ path, width, isSized }) => ({ field: path, ...(isSized && { width }) }));
}

/** Columns from this width on shrink before the table scrolls, down to this share of their width. */
const [wide, least] = [150, 0.8];

/** The grid tracks of the columns: the name takes the remaining width until it is resized. */
export function tracksOf(columns: readonly Column[]): string {
  const tracks = columns.map(({ width, isSized, isName }) => {
    if (!isSized && isName) return `minmax(${width}px, 999fr)`;
    return isSized || width < wide ? `${width}px` : `minmax(${width * least}px, ${width}px)`;
  });
  return `2.25rem ${tracks.join(' ')} minmax(0, 1fr)`;
}

/** The value of the `fields` parameter for these columns. */
export function namesOf(columns: readonly Column[], display: string | undefined): string {
  const names = columns.flatMap(({ path, field }) =>
    field.type === 'PIPELINE' && !path.includes('.') ? ['pipeline_id', 'pipeline_step_id'] : [path],
  );
  return [...new Set([...(display === undefined ? [] : [display]), ...names])].join(',') || 'id';
}
