/** What a step sets of the records that come to it. [spec: Pipeline, Record in a pipeline] */
import type { Mistakes } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Asker, DecodeContext, PipelineStepDef } from '../../fields/field-type.ts';
import type { ObjectDef } from '../../model/model.ts';
import { decodeField, type Decoded } from './decode.ts';

/** Adds the step's forced values to `decoded`, and its default values for fields that are empty. Gives the fields that it set. */
export async function setByStep(
  { forcedValues, defaultValues }: PipelineStepDef,
  object: ObjectDef,
  decoded: Decoded,
  isEmpty: (field: FieldDef) => boolean,
  context: DecodeContext & Asker,
  mistakes: Mistakes,
): Promise<ReadonlySet<FieldDef>> {
  const set = new Set<FieldDef>();
  const fieldNamed = (name: string) => object.attributes.get(name);
  for (const [name, value] of Object.entries(defaultValues)) {
    const field = fieldNamed(name);
    if (!field || !isEmpty(field)) continue;
    await decodeField(field, value, context, decoded, mistakes);
    set.add(field);
  }
  for (const [name, value] of Object.entries(forcedValues)) {
    const field = fieldNamed(name);
    if (!field) continue;
    await decodeField(field, value, context, decoded, mistakes);
    set.add(field);
  }
  return set;
}
