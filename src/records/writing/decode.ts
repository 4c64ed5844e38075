/** From the JSON of a write to cells: every field error at once, none of them a guess about another. */
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

/** What a write sets, by field. A field that is not here is left as it is, or takes its default. */
export interface Decoded {
  readonly cells: Map<FieldDef, readonly Cell[]>;
  readonly links: Map<FieldDef, readonly Link[]>;
  /** Fields that a step of the pipeline sets, not the caller: it need not see what they lead to. */
  readonly byStep: Set<FieldDef>;
  /** What the caller calls the step: the name of the PIPELINE field. Without it, the step's column. */
  stepKey?: string;
}

function decodeContext(model: Model, object: ObjectDef): DecodeContext {
  return {
    currency: model.currency,
    timeZone: model.timeZone,
    pipelines: model.pipelines.filter((pipeline) => pipeline.objectName === object.name),
  };
}

/** Fields that a write may set, by name. A PIPELINE is one beside its parts. */
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

/** The name of the column whose rights are those of the field: for a PIPELINE, its step. */
function setBy(object: ObjectDef, { name }: FieldDef): string {
  return resolveAttribute(object, name)?.name ?? name;
}

/** Of the values that a field could have, an answer has so many: one wrong value does not make it large. */
const mostAvailable = 100;

/** Available values that the message of a field repeats. */
const mostValuesTold = 20;

/** What a role may write of an object, and what values are read with: the same for all rows of a request. */
export interface Writing {
  readonly object: ObjectDef;
  readonly policies: Policies;
  /** As `writable` gives them. */
  readonly fields: ReadonlyMap<string, FieldDef>;
  readonly names: readonly string[];
  readonly context: DecodeContext & Asker;
}

/**
 * What a write to the object needs to know of the caller: the fields that it may write, and how their values are read.
 */
export function writingOf(call: Pick<Call, 'model' | 'visibility' | 'signal'>, object: ObjectDef): Writing {
  const { model, visibility, signal } = call;
  const { fields, names } = fieldsOf(object, visibility);
  const context = { ...decodeContext(model, object), organizationId: model.organizationId, signal };
  return { object, policies: visibility, fields, names, context };
}

/** What a role may write of an object stays as it is for as long as both do. */
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
 * Decodes what it can of `values`, in slices, and adds the rest to `mistakes`. Throws PERMISSION_DENIED for a field that the
 * role may only read, and ends with the request.
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
    else await decodeField(field, values[name] ?? null, context, decoded, mistakes);
  }
  // Which steps it may name, the pipeline beside it says.
  if (whole) await decodeStepOf(whole, values[whole.name] ?? null, writing, decoded, mistakes);
  return decoded;
}

/** Reads the value of a PIPELINE field as that of its step. A step that the write names by its column as well must be the same. */
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
 * Reads one value and adds it to `into`, or adds what is wrong with it to `mistakes`. Throws only what is no problem
 * of the value.
 */
export async function decodeField(
  field: FieldDef,
  value: Json,
  context: DecodeContext & Asker,
  into: Decoded,
  mistakes: Mistakes,
): Promise<void> {
  if (!field.isRequired) return readStored(field, value, context, into, mistakes);
  if (!isEmptyValue(value)) {
    await readStored(field, value, context, into, mistakes);
    // A value of several parts may have none of them, as an address `{}`.
    if (!into.cells.get(field)?.every((cell) => cell === null)) return;
    into.cells.delete(field);
  }
  mistakes.add(fieldError(field.name, new FieldProblem('is required')));
}

/** The same of a value that was stored: it may be empty where it is required by now. */
export async function readStored(
  field: FieldDef,
  value: Json,
  context: DecodeContext & Asker,
  into: Decoded,
  mistakes: Mistakes,
): Promise<void> {
  const type = fieldType(field.type);
  try {
    if (type.links) into.links.set(field, await type.links(value, field, context));
    else {
      const aside = type.decodeAside?.(value, field, context);
      into.cells.set(field, aside ? await aside : type.decode(value, field, context));
    }
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    mistakes.add(fieldError(field.name, error), error.availableValues?.slice(0, mostAvailable));
  }
}

/** The problem as an answer tells it, with the first of the values that would be right. */
export function fieldError(field: string, problem: FieldProblem): FieldError {
  const values = problem.availableValues ?? [];
  const shown = values.slice(0, mostValuesTold).map(shortened).join(', ');
  const more = values.length > mostValuesTold ? ', …' : '';
  return { field, message: `${field} ${problem.message}${shown && `; one of: ${shown}${more}`}` };
}

/** Under these, other services take the values of a record. */
const wrappers: ReadonlySet<string> = new Set(['record', 'data', 'properties', 'attributes', 'fields', 'values']);

/** Adds that no write may set `name`: what is read-only is called so; what is hidden is as unknown as a typing error. */
export function addUnknownKey({ object, policies, names }: Writing, name: string, mistakes: Mistakes): void {
  mistakes.addUnknown(() => {
    const known = object.attributes.get(name) ?? object.fields.find((field) => field.name === name);
    if (known && policies.shows(object.name, name)) return { field: name, message: `${name} is read-only` };
    const shown = shortened(name);
    const hint = wrappers.has(name) ? ': send the field values at the top level of the body' : didYouMean(name, names);
    return { field: shown, message: `${shown} is not a field of ${object.name}${hint}` };
  }, names);
}
