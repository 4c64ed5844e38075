/** The names that a caller can use of an object. A hidden field is answered exactly like a missing one. */
import { errors, type KithError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Visibility } from './context.ts';

/** The attribute that a name means: the field itself, or the step of a PIPELINE field; undefined when there is none. */
export function resolveAttribute(object: ObjectDef, name: string): FieldDef | undefined {
  return object.attributes.get(name) ?? partsOf(object, name).find((part) => part.type === 'PIPELINE_STEP_ID');
}

/** The attributes that stand for a field with several columns (PIPELINE); empty for any other name. */
export function partsOf(object: ObjectDef, name: string): readonly FieldDef[] {
  const field = object.fields.find((candidate) => candidate.name === name);
  const parts = (field && fieldType(field.type).parts?.(field)) ?? [];
  return parts.flatMap((part) => object.attributes.get(part.name) ?? []);
}

/** Every attribute that the caller may see, in record order. */
export function visibleAttributes(object: ObjectDef, visibility: Visibility): readonly FieldDef[] {
  return [...object.attributes.values()].filter((attribute) => visibility.shows(object.name, attribute.name));
}

/** The attribute that a caller names; throws INVALID_FIELD with the allowed names. */
export function attributeFor(object: ObjectDef, name: string, visibility: Visibility): FieldDef {
  const visible = visibleAttributes(object, visibility);
  const attribute = resolveAttribute(object, name);
  if (attribute && visible.includes(attribute)) return attribute;
  throw unknownField(
    name,
    object,
    visible.map((field) => field.name),
  );
}

/** INVALID_FIELD with the allowed `names`, the nearest of them, and a reason where it is not obvious. */
export function unknownField(name: string, object: ObjectDef, names: readonly string[], reason = ''): KithError {
  return errors.invalidField(name, object.name, names, didYouMean(name, names) + (reason && `: ${reason}`));
}
