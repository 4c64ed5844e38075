/** What metadata may say of a field, by its type. */
import type { Json } from '../lib/json.ts';
import type { RelationType } from './field-def.ts';
import { FieldProblem } from './field-problem.ts';
import type { DeclaredField } from './field-type.ts';
import { jsonInText } from './json-in-text.ts';
import { fieldType } from './registry.ts';

/** Made of other values: always read-only. */
export function isComputed(field: DeclaredField): boolean {
  return fieldType(field.type).isComputed?.(field) ?? false;
}

/** Whether its values can be required to be unique. */
export function mayBeUnique(field: DeclaredField): boolean {
  return fieldType(field.type).mayBeUnique === true && !isComputed(field);
}

/** Whether its values can be found by the search. */
export function mayBeSearchable(field: DeclaredField): boolean {
  return fieldType(field.type).searchText !== undefined;
}

/** Whether a value can be demanded: not of one that is computed. */
export function mayBeRequired(field: DeclaredField): boolean {
  return !isComputed(field);
}

/** Whether a new record has its place in it without being given one. */
export function placesByItself(field: DeclaredField): boolean {
  return fieldType(field.type).parts !== undefined;
}

/** A default is a value that `decode` takes for each new record: no place in a pipeline, and nothing that must exist. */
export function mayHaveDefault(field: DeclaredField): boolean {
  const type = fieldType(field.type);
  return !isComputed(field) && type.parts === undefined && type.target === undefined;
}

/** A default that is given as the text which the schema shows of it, as the value itself: `"7"` is 7 for a number, and "7" for a text. */
export function defaultAsValue(value: Json, field: DeclaredField): Json {
  if (typeof value !== 'string' || !mayHaveDefault(field) || isText(field)) return value;
  try {
    return jsonInText(value) ?? value;
  } catch (error) {
    if (error instanceof FieldProblem) return value; // whoever checks the default says what is wrong with it
    throw error;
  }
}

/** Whether a value of the field is a text in JSON. */
function isText(field: DeclaredField): boolean {
  const shown = Object.values(fieldType(field.type).schema({ ...unnamed, ...field }).read);
  return shown
    .flatMap((schema) => [schema, ...(schema.anyOf ?? [])])
    .some(({ type }) => [type].flat().includes('string'));
}

/** Columns whose JSON, as PostgreSQL makes it, is the interface's own: links are read as PostgreSQL writes them. */
const plainColumns: ReadonlySet<string> = new Set(['text collate "C"', 'numeric', 'bigint', 'boolean', 'date']);

/** Whether a link of a MANY_TO_MANY can carry such a field: it is stored in one plain column. */
export function mayBeJunction(field: DeclaredField): boolean {
  const [column, another] = fieldType(field.type).columns({ ...unnamed, type: field.type });
  return column !== undefined && another === undefined && plainColumns.has(column.type);
}

/** Whether the JSON of a value is all of it: it is stored, and leads to no record and to no place in a pipeline. */
export function standsForItself(field: DeclaredField): boolean {
  const type = fieldType(field.type);
  if (type.relationTypes || type.parts || type.places || isComputed(field)) return false;
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

/** Whether its definition names an object that it leads to. */
export function takesRelation(field: DeclaredField): boolean {
  return fieldType(field.type).relationTypes !== undefined;
}

/** The values that `relationType` may have; empty for what is no relation. */
export function relationTypesOf(field: DeclaredField): readonly RelationType[] {
  return fieldType(field.type).relationTypes ?? [];
}

/** Enough of a field to be asked for its columns. */
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
