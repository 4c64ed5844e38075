/**
 * Decodes the JSON of a write into cells, and reports every field error at once, none as a guess that follows from
 * another.
 */
import type { Call } from '../../access/call.ts';
import { errors, shortened, type FieldError, type Mistakes } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isEmptyValue } from '../../fields/empty-value.ts';
import { FieldProblem, type Asker, type DecodeContext, type Link } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { Model, ObjectDef } from '../../model/model.ts';
import type { Policies } from '../../access/policies.ts';
import type { Cell } from '../../postgres/database.ts';
import { resolveAttribute } from '../../query/attributes.ts';
import { pipelineFields } from './pipeline-fields.ts';

/** The values that a write sets, by field. A missing field stays as it is, or takes its default. */
export interface Decoded {
  readonly cells: Map<FieldDef, readonly Cell[]>;
  readonly links: Map<FieldDef, readonly Link[]>;
  /** Fields set by a pipeline step rather than by the caller, who need not see their targets. */
  readonly byStep: Set<FieldDef>;
  /** The key under which the caller names the step: the PIPELINE field's name; absent for the step's column. */
  stepKey?: string;
}

function decodeContext(model: Model, object: ObjectDef): DecodeContext {
  return {
    currency: model.currency,
    timeZone: model.timeZone,
    pipelines: model.pipelines.filter((pipeline) => pipeline.objectName === object.name),
  };
}

/** The fields that a write may set, by name: a PIPELINE field beside its parts. */
export function writable(object: ObjectDef, policies: Policies): Map<string, FieldDef> {
  const fields = [...object.fields, ...object.attributes.values()];
  return new Map(
    fields
      .filter((field) => field.type !== 'ID' && !field.isReadonly && policies.shows(object.name, setBy(object, field)))
      .map((field) => [field.name, field]),
  );
}

/** Whether the role may set a field that it sees. */
export function mayWrite(object: ObjectDef, policies: Policies, field: FieldDef): boolean {
  return policies.writes(object.name, setBy(object, field));
}

/** The column whose rights decide about the field: the step for a PIPELINE field. */
function setBy(object: ObjectDef, { name }: FieldDef): string {
  return resolveAttribute(object, name)?.name ?? name;
}

/** The most values an error lists as available, so that one wrong value does not make an answer large. */
const mostAvailable = 100;

/** The most available values that an error message repeats. */
const mostValuesNamed = 20;

/** What a role may write of an object, and the context for decoding; the same for all rows of a request. */
export interface Writing {
  readonly object: ObjectDef;
  readonly policies: Policies;
  /** The result of `writable`. */
  readonly fields: ReadonlyMap<string, FieldDef>;
  readonly names: readonly string[];
  readonly context: DecodeContext & Asker;
}

/** The fields of the object that the caller may write, and the context for decoding their values. */
export function writingOf(call: Pick<Call, 'model' | 'visibility' | 'signal'>, object: ObjectDef): Writing {
  const { model, visibility, signal } = call;
  const { fields, names } = fieldsOf(object, visibility);
  const context = { ...decodeContext(model, object), organizationId: model.organizationId, signal };
  return { object, policies: visibility, fields, names, context };
}

/** Cached per role and object, which are immutable. */
const writables = new WeakMap<Policies, WeakMap<ObjectDef, Pick<Writing, 'fields' | 'names'>>>();

function fieldsOf(object: ObjectDef, policies: Policies): Pick<Writing, 'fields' | 'names'> {
  let ofRole = writables.get(policies);
  if (!ofRole) writables.set(policies, (ofRole = new WeakMap()));
  let known = ofRole.get(object);
  if (!known) {
    const fields = writable(object, policies);
    ofRole.set(object, (known = { fields, names: [...fields.keys()] }));
  }
  return known;
}

/**
 * Decodes `values` in slices, and adds problems to `mistakes`. Throws PERMISSION_DENIED for a field that the role may
 * only read; aborts with the request.
 */
export async function decodeValues(writing: Writing, values: JsonObject, mistakes: Mistakes): Promise<Decoded> {
  const { object, policies, fields, context } = writing;
  let whole: FieldDef | undefined;
  const decoded: Decoded = { cells: new Map(), links: new Map(), byStep: new Set() };
  for (const name of Object.keys(values)) {
    if (sliceIsOver()) await nextSlice();
    context.signal.throwIfAborted();
    const field = fields.get(name);
    if (!field) addUnknownKey(writing, name, mistakes);
    else if (!mayWrite(object, policies, field))
      throw errors.permissionDenied(`Your role may read ${name}, not change it`);
    else if (fieldType(field.type).parts) whole = field;
    else {
      const pending = decodeField(field, values[name] ?? null, context, decoded, mistakes);
      if (pending) await pending;
    }
  }
  // The pipeline given beside a step decides which steps the name can mean.
  if (whole) await decodeStepOf(whole, values[whole.name] ?? null, writing, decoded, mistakes);
  return decoded;
}

/** Decodes the value of a PIPELINE field as its step. A step that is also given by its column must be the same. */
async function decodeStepOf(
  { name }: FieldDef,
  value: Json,
  { object, context }: Writing,
  decoded: Decoded,
  mistakes: Mistakes,
): Promise<void> {
  const fields = pipelineFields(object);
  if (!fields || mistakes.concerns(fields.pipeline.name)) return;
  const pipelineId = decoded.cells.get(fields.pipeline)?.[0];
  const pipelines = context.pipelines.filter(({ id }) => !pipelineId || id === pipelineId);
  const named = { ...fields.step, name };
  const read: Decoded = { cells: new Map(), links: new Map(), byStep: new Set() };
  await decodeField(named, value, { ...context, pipelines }, read, mistakes);
  const cells = read.cells.get(named);
  if (!cells) return;
  const beside = decoded.cells.get(fields.step);
  if (beside && beside[0] !== cells[0]) {
    mistakes.add({ field: name, message: `${name} is another step than ${fields.step.name}` });
    return;
  }
  decoded.cells.set(fields.step, cells);
  decoded.stepKey = name;
}

/**
 * Decodes one value into `into`, or adds its problem to `mistakes`: at once, or later where it gives a promise, since a
 * promise for each value of a large import costs more than the value. Throws only errors that are not about the value.
 */
export function decodeField(
  field: FieldDef,
  value: Json,
  context: DecodeContext & Asker,
  into: Decoded,
  mistakes: Mistakes,
): Promise<void> | undefined {
  if (!field.isRequired) return readStored(field, value, context, into, mistakes);
  const refuse = () => mistakes.add(fieldError(field.name, new FieldProblem('is required')));
  // A value with several parts may lack all of them, such as the address `{}`.
  const check = () => {
    if (!into.cells.get(field)?.every((cell) => cell === null)) return;
    into.cells.delete(field);
    refuse();
  };
  if (isEmptyValue(value)) {
    refuse();
    return undefined;
  }
  const pending = readStored(field, value, context, into, mistakes);
  if (pending) return pending.then(check);
  check();
  return undefined;
}

/** As `decodeField`, for a stored value, which may be empty even if the field has become required. */
export function readStored(
  field: FieldDef,
  value: Json,
  context: DecodeContext & Asker,
  into: Decoded,
  mistakes: Mistakes,
): Promise<void> | undefined {
  const type = fieldType(field.type);
  const refuse = (error: unknown) => {
    if (!(error instanceof FieldProblem)) throw error;
    mistakes.add(fieldError(field.name, error), error.availableValues?.slice(0, mostAvailable));
  };
  try {
    if (type.links) return type.links(value, field, context).then((links) => void into.links.set(field, links), refuse);
    const aside = type.decodeAside?.(value, field, context);
    if (aside) return aside.then((cells) => void into.cells.set(field, cells), refuse);
    into.cells.set(field, type.decode(value, field, context));
  } catch (error) {
    refuse(error);
  }
  return undefined;
}

/** The problem as a FieldError, with the first available values. */
export function fieldError(field: string, problem: FieldProblem): FieldError {
  const values = problem.availableValues ?? [];
  const shown = values.slice(0, mostValuesNamed).map(shortened).join(', ');
  const more = values.length > mostValuesNamed ? ', …' : '';
  return { field, message: `${field} ${problem.message}${shown && `; one of: ${shown}${more}`}` };
}

/** Keys under which other services wrap the values of a record. */
const wrappers: ReadonlySet<string> = new Set(['record', 'data', 'properties', 'attributes', 'fields', 'values']);

/**
 * Adds the mistake that no write may set `name`: read-only fields are named as such; hidden ones look like unknown
 * ones.
 */
export function addUnknownKey({ object, policies, names }: Writing, name: string, mistakes: Mistakes): void {
  mistakes.addUnknown(() => {
    const known = object.attributes.get(name) ?? object.fields.find((field) => field.name === name);
    if (known && policies.shows(object.name, name)) return { field: name, message: `${name} is read-only` };
    const shown = shortened(name);
    const hint = wrappers.has(name) ? ': send the field values at the top level of the body' : didYouMean(name, names);
    return { field: shown, message: `${shown} is not a field of ${object.name}${hint}` };
  }, names);
}
