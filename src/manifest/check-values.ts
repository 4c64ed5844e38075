/** Checks values in a manifest, such as defaults: a write must accept them. */
import { mayHaveDefault } from '../fields/abilities.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { FieldProblem, type DecodeContext } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { isEmptyValue } from '../fields/empty-value.ts';
import type { Json } from '../lib/json.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { below } from './shape.ts';

/** In slices, as a default may be a page of HTML. */
export async function checkValues(model: Model, draft: Draft, problems: Problems): Promise<void> {
  for (const object of model.objects.values()) {
    for (const field of object.fields) {
      if (sliceIsOver()) await nextSlice();
      const place = placeOf(draft, field.id, `${object.name}.${field.name}`);
      checkDefault(model, object, field, place, problems);
      for (const [index, part] of (field.junctionFields ?? []).entries()) {
        checkDefault(model, object, part, `${place}.junctionFields[${index}]`, problems);
      }
    }
  }
}

function checkDefault(model: Model, object: ObjectDef, field: FieldDef, place: string, problems: Problems): void {
  if (field.defaultValue === null) return;
  const at = below(place, 'defaultValue');
  if (mayHaveDefault(field)) checkValue(model, object, field, field.defaultValue, at, problems);
  else problems.add(at, `cannot be given for ${field.type}`);
}

/** The most characters of such a value. */
const longestText = 10_000;

/** Adds a problem if a write of `value` to `field` would be refused. */
export function checkValue(
  model: Model,
  object: ObjectDef,
  field: FieldDef,
  value: Json,
  place: string,
  problems: Problems,
): void {
  const context: DecodeContext = {
    currency: model.currency,
    timeZone: model.timeZone,
    pipelines: model.pipelines.filter((pipeline) => pipeline.objectName === object.name),
  };
  if (typeof value === 'string' && value.length > longestText) {
    problems.add(place, `is longer than ${longestText.toLocaleString('en')} characters`);
    return;
  }
  if (field.isRequired && isEmptyValue(value)) {
    problems.add(place, 'is required');
    return;
  }
  try {
    fieldType(field.type).decode(value, field, context);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const values = error.availableValues?.slice(0, 30).join(', ');
    problems.add(place, values ? `${error.message}: ${values}` : error.message);
  }
}
