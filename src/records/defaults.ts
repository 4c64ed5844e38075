/** What a new record gets without being asked. [spec: Record (generic)] */
import type { FieldError } from '../errors.ts';
import type { DecodeContext } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import type { ObjectDef } from '../model/model.ts';
import { decodeField, type Decoded } from './decode.ts';
import { enterPipeline, pipelineFields } from './pipeline-position.ts';

/** Adds defaults, `owner`, `created_by` and the first step to `decoded`; reports required fields that stay empty. */
export function fillNewRecord(
  object: ObjectDef,
  decoded: Decoded,
  context: DecodeContext,
  me: string,
  now: string,
  problems: FieldError[],
): void {
  for (const field of object.fields) {
    if (decoded.cells.has(field) || decoded.links.has(field) || fieldType(field.type).parts) continue;
    if (problems.some((problem) => problem.field === field.name)) continue;
    if (field.defaultValue !== null) decodeField(field, field.defaultValue, context, decoded, problems);
    else if (field.isRequired) problems.push({ field: field.name, message: `${field.name} is required` });
  }
  const owner = object.attributes.get('owner');
  if (owner && !decoded.cells.has(owner)) decoded.cells.set(owner, [me]);
  const createdBy = object.attributes.get('created_by');
  if (createdBy) decoded.cells.set(createdBy, [me]);
  enterPipeline(object, context.pipelines, decoded, problems);
  const position = pipelineFields(object);
  if (position && decoded.cells.get(position.step)?.[0]) decoded.cells.set(position.enteredAt, [now]);
}
