/** From the JSON of a write to cells: every field error at once, none of them a guess about another. */
import { errors, shortened, type FieldError, type KithError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { FieldProblem, type DecodeContext, type Link } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { isUuid } from '../lib/id.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import type { Policies } from '../access/policies.ts';
import type { Cell } from '../postgres/database.ts';

/** What a write sets, by field. A field that is not here is left as it is, or takes its default. */
export interface Decoded {
  readonly cells: Map<FieldDef, readonly Cell[]>;
  readonly links: Map<FieldDef, readonly Link[]>;
}

export function decodeContext(model: Model, object: ObjectDef): DecodeContext {
  return {
    currency: model.currency,
    timeZone: model.timeZone,
    pipelines: model.pipelines.filter((pipeline) => pipeline.objectName === object.name),
  };
}

/** Fields that a write may set, by name. The field of a PIPELINE is set by its parts. */
export function writable(object: ObjectDef, policies: Policies): Map<string, FieldDef> {
  const fields = [...object.fields.filter((field) => !fieldType(field.type).parts), ...object.attributes.values()];
  return new Map(
    fields
      .filter((field) => field.type !== 'ID' && !field.isReadonly && policies.shows(object.name, field.name))
      .map((field) => [field.name, field]),
  );
}

/** Decodes what it can of `values` and adds the rest to `problems`. Throws PERMISSION_DENIED for a field that the role may only read. */
export function decodeValues(
  object: ObjectDef,
  values: JsonObject,
  model: Model,
  policies: Policies,
  problems: FieldError[],
): Decoded {
  refuseFlood(object, policies, values);
  const fields = writable(object, policies);
  const context = decodeContext(model, object);
  const decoded: Decoded = { cells: new Map(), links: new Map() };
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name);
    if (!field) problems.push(unknownKey(object, policies, name));
    else if (!policies.writes(object.name, name))
      throw errors.permissionDenied(`Your role may read ${name}, not change it`);
    else decodeField(field, value, context, decoded, problems);
  }
  return decoded;
}

export function decodeField(
  field: FieldDef,
  value: Json,
  context: DecodeContext,
  into: Decoded,
  problems: FieldError[],
): void {
  const type = fieldType(field.type);
  try {
    if (field.isRequired && isEmpty(value)) throw new FieldProblem('is required');
    if (type.links) into.links.set(field, type.links(value, field, context));
    else into.cells.set(field, type.decode(value, field, context));
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    problems.push(fieldError(field.name, error));
  }
}

export function fieldError(field: string, problem: FieldProblem): FieldError {
  const values = problem.availableValues;
  const shown =
    values && values.length > 0 ? `; one of: ${values.slice(0, 30).join(', ')}${values.length > 30 ? ', …' : ''}` : '';
  return { field, message: `${field} ${problem.message}${shown}` };
}

/** The problem with a key that no write may set: what is read-only is named so; what is hidden is as unknown as a typing error. */
export function unknownKey(object: ObjectDef, policies: Policies, name: string): FieldError {
  const known = object.attributes.get(name) ?? object.fields.find((field) => field.name === name);
  if (known && policies.shows(object.name, name)) return { field: name, message: `${name} is read-only` };
  const shown = shortened(name);
  return {
    field: shown,
    message: `${shown} is not a field of ${object.name}${didYouMean(name, writable(object, policies).keys())}`,
  };
}

/** Throws VALIDATION_ERROR for more keys than fields, their displays and a slip or two make: each wrong one costs a look at all fields. */
export function refuseFlood(object: ObjectDef, policies: Policies, values: JsonObject): void {
  const names = [...object.attributes.keys(), ...object.fields.map((field) => field.name)];
  const most = 100 + 2 * names.filter((name) => policies.shows(object.name, name)).length;
  const count = Object.keys(values).length;
  if (count > most) throw errors.validation(`A record of ${object.name} takes at most ${most} values, not ${count}`);
}

/** Throws VALIDATION_ERROR with every problem, if there is one. */
export function refuse(problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw errors.validation(problems.map((problem) => problem.message).join('; '), problems);
}

/** What a required field may not be. */
function isEmpty(value: Json | undefined): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The object by its name; throws INVALID_OBJECT. */
export function objectNamed(model: Model, policies: Policies, name: string): ObjectDef {
  const object = model.objects.get(name);
  if (!object) throw unknownObject(model, policies, name);
  return object;
}

export function unknownObject(model: Model, policies: Policies, name: string): KithError {
  const known = [...model.objects.values()].filter((object) => mayKnow(object, policies));
  return errors.invalidObject(
    name,
    known.map((object) => object.name),
  );
}

/** An object whose rows a role can neither see nor create is not told of. */
export function mayKnow(object: ObjectDef, policies: Policies): boolean {
  return policies.rows(object.name) !== 'none' || policies.mayCreate(object.name);
}

export function recordId(object: ObjectDef, id: string): string {
  if (!isUuid(id)) throw errors.recordNotFound(object.name, id);
  return id.toLowerCase();
}
