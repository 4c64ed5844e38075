/** Ids of records in another program: the field that stores them, and relations that are resolved by them. */
import type { FieldDef } from '../../../fields/field-def.ts';
import type { ObjectDef } from '../../../model/model.ts';
import type { ColumnProfile } from '../guessing/profile.ts';
import { canMatchRecords, type Related } from '../lookups.ts';
import type { Path, Source } from '../sources/source.ts';
import { sourceOf } from '../sources/sources.ts';
import { placeOf, type MappingEntry } from './entry.ts';

/** The entry that creates the field for the column's ids; undefined for other columns, and where the field exists. */
export function idEntry(
  object: ObjectDef,
  fields: ReadonlyMap<string, FieldDef>,
  { column, filled }: ColumnProfile,
  source: Source | undefined,
): MappingEntry | undefined {
  const { name, label } = source?.idField ?? {};
  if (name === undefined || label === undefined || filled === 0) return undefined;
  if (source?.pathOf(column) !== name || fields.has(name) || object.attributes.has(name)) return undefined;
  return {
    column,
    action: 'new_field',
    new_field_name: name,
    new_field_label: label,
    new_field_type: 'TEXT',
    new_field_unique: true,
  };
}

/** The mapped field with the ids of the file's program: rows with the same id are the same record. */
export function fieldOfIds(
  source: string | undefined,
  objectName: string,
  entries: readonly MappingEntry[],
  related: Related,
): string | undefined {
  const name = sourceOf(source, objectName)?.idField?.name;
  if (name === undefined) return undefined;
  const isKept = entries.some(
    ({ field, new_field_name: made, new_field_type: type = 'TEXT' }) =>
      (field === name && related(objectName, name)) || (made === name && canMatchRecords(type)),
  );
  return isKept ? name : undefined;
}

/** The use of related records' ids in a file. */
export interface Links {
  /** The targets of columns, where ids take precedence over names: a relation by its ids, or none. */
  readonly paths: ReadonlyMap<string, Path>;
  /** The field by which a column's ids would be looked up, if it existed. */
  readonly needs: ReadonlyMap<string, { readonly object: string; readonly field: string }>;
}

/**
 * Resolves a relation by ids where the file has some and the related object stores them; its names are ignored then.
 */
export function linksAmong(
  profiles: readonly ColumnProfile[],
  fields: ReadonlyMap<string, FieldDef>,
  source: Source | undefined,
  related: Related,
): Links {
  const paths = new Map<string, Path>();
  const needs = new Map<string, { object: string; field: string }>();
  const found = new Map<string, string>();
  const { idField } = source ?? {};
  if (!source || !idField) return { paths, needs };
  for (const { column, filled } of profiles) {
    const path = source.pathOf(column) ?? '';
    if (!path.endsWith(`.${idField.name}`)) continue;
    paths.set(column, '-');
    const { target, lookup } = placeOf(path, fields) ?? {};
    if (!target || !lookup || filled === 0) continue;
    const { name } = target.field;
    if (!related(lookup.target, idField.name)) needs.set(column, { object: lookup.target, field: idField.name });
    else if (!found.has(name) || source.prefers?.(column)) found.set(name, column);
  }
  for (const [relation, column] of found) {
    paths.set(column, `${relation}.${idField.name}`);
    for (const other of profiles) if (source.pathOf(other.column) === relation) paths.set(other.column, '-');
  }
  return { paths, needs };
}
