/** The values that a step sets in records that enter it. [spec: Pipeline, Record in a pipeline] */
import type { Mistakes } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Asker, DecodeContext, PipelineStepDef } from '../../fields/field-type.ts';
import type { Json } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import { decodeField, type Decoded } from './decode.ts';

/** Adds the step's forced values to `decoded`, and its default values for fields that are empty. */
export async function setByStep(
  { forcedValues, defaultValues }: PipelineStepDef,
  object: ObjectDef,
  decoded: Decoded,
  isEmpty: (field: FieldDef) => boolean,
  context: DecodeContext & Asker,
  mistakes: Mistakes,
): Promise<void> {
  const set = async (name: string, value: Json, always: boolean) => {
    const field = object.attributes.get(name);
    if (!field || !(always || isEmpty(field))) return;
    await decodeField(field, value, context, decoded, mistakes);
    decoded.byStep.add(field);
  };
  for (const [name, value] of Object.entries(defaultValues)) await set(name, value, false);
  for (const [name, value] of Object.entries(forcedValues)) await set(name, value, true);
}
