/** Fills in what a new record gets by default. [spec: Record (generic)] */
import type { Call } from '../../access/call.ts';
import { errors, type FieldError, type KithError, type Mistakes } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Asker, DecodeContext } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { ObjectDef } from '../../model/model.ts';
import { decodeField, type Decoded } from './decode.ts';
import { enterPipeline } from './pipeline-position.ts';
import { refuseHugeRecord } from './record-size.ts';
import { setByStep } from './step-values.ts';

/**
 * Adds defaults, `owner`, `created_by`, and the first step with its values to `decoded`; reports required fields that
 * stay empty. Throws VALIDATION_ERROR without names where only hidden fields are missing, and for a record that is
 * too large.
 */
export async function fillNewRecord(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  context: DecodeContext & Asker,
  mistakes: Mistakes,
): Promise<void> {
  for (const field of object.fields) {
    if (field.defaultValue === null || isGiven(field, decoded) || mistakes.concerns(field.name)) continue;
    await decodeField(field, field.defaultValue, context, decoded, mistakes);
  }
  const me = call.caller.workspaceUserId;
  const owner = object.attributes.get('owner');
  if (owner && !decoded.cells.has(owner)) decoded.cells.set(owner, [me]);
  const createdBy = object.attributes.get('created_by');
  if (createdBy) decoded.cells.set(createdBy, [me]);
  const step = enterPipeline(object, context.pipelines, decoded, new Date(call.now), mistakes);
  const isEmpty = (field: FieldDef) => isBlank(field, decoded);
  if (step) await setByStep(step, object, decoded, isEmpty, context, mistakes);
  requireAll(call, object, decoded, mistakes);
  await refuseHugeRecord(object, decoded);
}

function requireAll(call: Call, object: ObjectDef, decoded: Decoded, mistakes: Mistakes): void {
  let hiddenMissing = false;
  for (const field of object.fields) {
    if (!field.isRequired || isGiven(field, decoded) || mistakes.concerns(field.name)) continue;
    if (call.visibility.shows(object.name, field.name)) mistakes.add(missing(field));
    else hiddenMissing = true;
  }
  if (hiddenMissing && mistakes.count === 0) {
    throw hiddenIsRequired(object);
  }
}

/** VALIDATION_ERROR for a required field that stays empty and is hidden from the role. */
export function hiddenIsRequired({ name }: ObjectDef): KithError {
  return errors.validation(`A record of ${name} needs a value that your role may not give`);
}

/** Whether the write sets the field; a field that consists of parts is not set itself. */
function isGiven(field: FieldDef, { cells, links }: Decoded): boolean {
  return cells.has(field) || links.has(field) || fieldType(field.type).parts !== undefined;
}

/** Whether the value is empty as `is_empty` defines it: HTML without text is empty. */
function isBlank(field: FieldDef, { cells }: Decoded): boolean {
  const given = cells.get(field) ?? [];
  return (fieldType(field.type).isHtml ? given.slice(1) : given).every(
    (cell) => cell === null || cell === '' || cell === '{}' || cell === '[]',
  );
}

function missing({ name }: FieldDef): FieldError {
  return { field: name, message: `${name} is required` };
}
