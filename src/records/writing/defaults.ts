/** What a new record gets without being asked. [spec: Record (generic)] */
import type { Call } from '../../access/call.ts';
import { errors, type FieldError, type Mistakes } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Asker, DecodeContext } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { ObjectDef } from '../../model/model.ts';
import { decodeField, type Decoded } from './decode.ts';
import { enterPipeline, pipelineFields } from './pipeline-position.ts';
import { refuseHugeRecord } from './record-size.ts';

/**
 * Adds defaults, `owner`, `created_by` and the first step to `decoded`; reports required fields that stay empty. Throws
 * VALIDATION_ERROR where the only ones are fields that the role may not see: it names none; and for a record that is too large.
 */
export async function fillNewRecord(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  context: DecodeContext & Asker,
  mistakes: Mistakes,
): Promise<void> {
  const me = call.caller.workspaceUserId;
  let hiddenMissing = false;
  for (const field of object.fields) {
    if (decoded.cells.has(field) || decoded.links.has(field) || fieldType(field.type).parts) continue;
    if (mistakes.concerns(field.name)) continue;
    if (field.defaultValue !== null) await decodeField(field, field.defaultValue, context, decoded, mistakes);
    else if (!field.isRequired) continue;
    else if (call.visibility.shows(object.name, field.name)) mistakes.add(missing(field));
    else hiddenMissing = true;
  }
  const owner = object.attributes.get('owner');
  if (owner && !decoded.cells.has(owner)) decoded.cells.set(owner, [me]);
  const createdBy = object.attributes.get('created_by');
  if (createdBy) decoded.cells.set(createdBy, [me]);
  enterPipeline(object, context.pipelines, decoded, mistakes);
  const position = pipelineFields(object);
  if (position && decoded.cells.get(position.step)?.[0]) {
    decoded.cells.set(position.enteredAt, [new Date(call.now).toISOString()]);
  }
  if (hiddenMissing && mistakes.count === 0) {
    throw errors.validation(`A record of ${object.name} needs a value that your role may not give`);
  }
  await refuseHugeRecord(object, decoded);
}

function missing({ name }: FieldDef): FieldError {
  return { field: name, message: `${name} is required` };
}
