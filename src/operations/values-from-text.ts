/** Values that a person types, as `name=value`: texts become what their fields take, as the cells of an import do. */
import { Mistakes } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { FieldProblem } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import type { JsonObject } from '../lib/json.ts';
import { fieldError } from '../records/writing/decode.ts';

/** As much of a field as `/schema` tells. */
export type TypedField = Pick<FieldDef, 'name' | 'type' | 'options' | 'relationConfig'>;

/** The values by field name; a name that is no field's keeps its text, which the write then refuses. Throws VALIDATION_ERROR. */
export function valuesFromText(fields: readonly TypedField[], texts: ReadonlyMap<string, string>): JsonObject {
  const values: JsonObject = {};
  const mistakes = new Mistakes();
  for (const [name, text] of texts) {
    const field = fields.find((one) => one.name === name);
    try {
      // A cell is read by the field's type, its options and its targets; the rest of it says nothing there.
      values[name] = field ? fieldType(field.type).fromCell(text, field as FieldDef) : text;
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      mistakes.add(fieldError(name, error));
    }
  }
  mistakes.refuse();
  return values;
}
