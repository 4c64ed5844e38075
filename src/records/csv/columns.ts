/** The columns of a file, and the fields that they can be imported into. */
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';

/** No program writes more, and mapping each column takes time. */
export const mostColumns = 2_000;

/** The problem of a row with so many columns, to complete a sentence; undefined where accepted. */
export function tooManyColumns(count: number): string | undefined {
  if (count <= mostColumns) return undefined;
  return `has ${count.toLocaleString('en')} columns, and at most ${mostColumns.toLocaleString('en')} are taken`;
}

/** The fields that a file can set, by name. Columns take precedence: the label of `pipeline_id` is `Pipeline`. */
export function importableFields(object: ObjectDef): ReadonlyMap<string, FieldDef> {
  const fields = [...object.attributes.values(), ...object.fields].filter(
    (field) => !field.isReadonly && field.type !== 'ID',
  );
  return new Map(fields.map((field) => [field.name, field]));
}
