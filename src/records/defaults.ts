/** What a new record gets without being asked. [spec: Record (generic)] */
import type { Call } from '../access/call.ts';
import { errors, type FieldError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { DecodeContext } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import type { ObjectDef } from '../model/model.ts';
import { decodeField, type Decoded } from './decode.ts';
import { enterPipeline, pipelineFields } from './pipeline-position.ts';

/**
 * Adds defaults, `owner`, `created_by` and the first step to `decoded`; reports required fields that stay empty. Throws
 * VALIDATION_ERROR where the only ones are fields that the role may not see: it names none.
 */
export function fillNewRecord(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  context: DecodeContext,
  problems: FieldError[],
): void {
  const me = call.caller.workspaceUserId;
  let hiddenMissing = false;
  for (const field of object.fields) {
    if (decoded.cells.has(field) || decoded.links.has(field) || fieldType(field.type).parts) continue;
    if (problems.some((problem) => problem.field === field.name)) continue;
    if (field.defaultValue !== null) decodeField(field, field.defaultValue, context, decoded, problems);
    else if (!field.isRequired) continue;
    else if (call.visibility.shows(object.name, field.name)) problems.push(missing(field));
    else hiddenMissing = true;
  }
  const owner = object.attributes.get('owner');
  if (owner && !decoded.cells.has(owner)) decoded.cells.set(owner, [me]);
  const createdBy = object.attributes.get('created_by');
  if (createdBy) decoded.cells.set(createdBy, [me]);
  enterPipeline(object, context.pipelines, decoded, problems);
  const position = pipelineFields(object);
  if (position && decoded.cells.get(position.step)?.[0]) {
    decoded.cells.set(position.enteredAt, [new Date(call.now).toISOString()]);
  }
  if (hiddenMissing && problems.length === 0) {
    throw errors.validation(`A record of ${object.name} needs a value that your role may not give`);
  }
}

function missing({ name }: FieldDef): FieldError {
  return { field: name, message: `${name} is required` };
}
