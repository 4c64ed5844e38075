/** The columns of a file, and the fields that they may go to. */
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';

/** No program makes more; to find out which field each of them means takes time. */
export const mostColumns = 2_000;

/** What is wrong with a row of so many columns, as the end of a sentence about it; undefined for what is taken. */
export function tooManyColumns(count: number): string | undefined {
  if (count <= mostColumns) return undefined;
  return `has ${count.toLocaleString('en')} columns, and at most ${mostColumns.toLocaleString('en')} are taken`;
}

/** The fields of an object that a file can set, by name. Columns go first: `Pipeline` is what `pipeline_id` is called. */
export function importableFields(object: ObjectDef): ReadonlyMap<string, FieldDef> {
  const fields = [...object.attributes.values(), ...object.fields].filter(
    (field) => !field.isReadonly && field.type !== 'ID',
  );
  return new Map(fields.map((field) => [field.name, field]));
}
