/** What each field type allows in metadata. */
import type { Json } from '../lib/json.ts';
import type { RelationType } from './field-def.ts';
import { FieldProblem } from './field-problem.ts';
import type { DeclaredField } from './field-type.ts';
import { jsonInText } from './json-in-text.ts';
import { fieldType } from './registry.ts';

/** Computed from other values: always read-only. */
export function isComputed(field: DeclaredField): boolean {
  return fieldType(field.type).isComputed?.(field) ?? false;
}

/** Whether its values can be unique. */
export function mayBeUnique(field: DeclaredField): boolean {
  return fieldType(field.type).mayBeUnique === true && !isComputed(field);
}

/** Whether its values can be found by the search. */
export function mayBeSearchable(field: DeclaredField): boolean {
  return fieldType(field.type).searchText !== undefined;
}

/** Whether it can be required: a computed field cannot. */
export function mayBeRequired(field: DeclaredField): boolean {
  return !isComputed(field);
}

/** Whether a new record gets a value without being given one. */
export function placesByItself(field: DeclaredField): boolean {
  return fieldType(field.type).parts !== undefined;
}

/** A default is a value that `decode` takes for each new record: no pipeline position, and nothing that must exist. */
export function mayHaveDefault(field: DeclaredField): boolean {
  const type = fieldType(field.type);
  return !isComputed(field) && type.parts === undefined && type.target === undefined;
}

/** A default given as the text shown in the schema, as a value: `"7"` is 7 for a number, and "7" for a text. */
export function defaultAsValue(value: Json, field: DeclaredField): Json {
  if (typeof value !== 'string' || !mayHaveDefault(field) || isText(field)) return value;
  try {
    return jsonInText(value) ?? value;
  } catch (error) {
    if (error instanceof FieldProblem) return value; // validation of the default reports the problem
    throw error;
  }
}

/** Whether the field's JSON value is a string. */
function isText(field: DeclaredField): boolean {
  const shown = Object.values(fieldType(field.type).schema({ ...unnamed, ...field }).read);
  return shown
    .flatMap((schema) => [schema, ...(schema.anyOf ?? [])])
    .some(({ type }) => [type].flat().includes('string'));
}

/** Column types whose JSON from PostgreSQL equals the API's: links are shown as PostgreSQL writes them. */
const plainColumns: ReadonlySet<string> = new Set(['text collate "C"', 'numeric', 'bigint', 'boolean', 'date']);

/** Whether a link of a MANY_TO_MANY can carry such a field: it is stored in one plain column. */
export function mayBeJunction(field: DeclaredField): boolean {
  const [column, another] = fieldType(field.type).columns({ ...unnamed, type: field.type });
  return column !== undefined && another === undefined && plainColumns.has(column.type);
}

/** Whether the JSON of a value is self-contained: stored, and no reference to a record or a pipeline position. */
export function standsForItself(field: DeclaredField): boolean {
  const type = fieldType(field.type);
  if (type.relationTypes || type.parts || type.pipelineOptions || isComputed(field)) return false;
  if (type.columns({ ...unnamed, ...field }).length === 0) return false;
  const target = type.target?.({ ...unnamed, ...field });
  return target === undefined || target === 'user';
}

/** Whether an empty list is shown where there is no value. */
export function isShownAsList(field: DeclaredField): boolean {
  return Object.values(fieldType(field.type).schema({ ...unnamed, ...field }).read)[0]?.type === 'array';
}

/** Whether its values are chosen from options that its definition lists. */
export function takesOptions(field: DeclaredField): boolean {
  return fieldType(field.type).takesOptions === true;
}

/** The allowed values of `relationType`; empty for other fields. */
export function relationTypesOf(field: DeclaredField): readonly RelationType[] {
  return fieldType(field.type).relationTypes ?? [];
}

/** Just enough of a field to get its columns. */
const unnamed = {
  id: '',
  name: 'f',
  label: '',
  isRequired: false,
  isReadonly: false,
  isSearchable: false,
  isHidden: false,
  isUnique: false,
  defaultValue: null,
  options: null,
} as const;
