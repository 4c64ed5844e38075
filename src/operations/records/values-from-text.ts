/** Converts values typed as `name=value` to what their fields take, as cells of an import are. */
import { Mistakes } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { FieldProblem } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { JsonObject } from '../../lib/json.ts';
import { fieldError } from '../../records/writing/decode.ts';

/** The properties of a field that `/schema` shows. */
export type TypedField = Pick<FieldDef, 'name' | 'type' | 'options' | 'relationConfig'>;

/** The values by field name. An unknown name keeps its text, which the write refuses. Throws VALIDATION_ERROR. */
export function valuesFromText(fields: readonly TypedField[], texts: ReadonlyMap<string, string>): JsonObject {
  const values: JsonObject = {};
  const mistakes = new Mistakes();
  for (const [name, text] of texts) {
    const field = fields.find((one) => one.name === name);
    try {
      // The cast is safe: a cell is read by the field's type, options and targets only.
      values[name] = field ? fieldType(field.type).fromCell(text, field as FieldDef) : text;
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      mistakes.add(fieldError(name, error));
    }
  }
  mistakes.refuse();
  return values;
}
