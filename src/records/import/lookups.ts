/** Finds records that cells name by a field, and creates missing ones. */
import type { Call } from '../../access/call.ts';
import { policiesFor } from '../../access/policies.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, Mistakes, quoted } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { newId } from '../../lib/id.ts';
import type { JsonObject } from '../../lib/json.ts';
import { objectHint } from '../../lib/other-names.ts';
import type { ObjectDef } from '../../model/model.ts';
import { unknownField, visibleAttributes } from '../../query/attributes.ts';
import type { Visibility } from '../../query/context.ts';
import { createEach, type NewRecord } from '../writing/create-rows.ts';
import { decodeValues, writingOf } from '../writing/decode.ts';
import { fillNewRecord } from '../writing/defaults.ts';
import { ambiguous, type Labels } from './labels.ts';
import { splitName } from './mapping/full-name.ts';
import type { Lookup } from './mapping/entry.ts';
import { comparedKeys, matchesOf } from '../writing/match.ts';

/** The field by which records are looked up, if it is not their label. Throws INVALID_OBJECT, INVALID_FIELD. */
function lookupField(call: Call, { target, by }: Lookup): FieldDef | undefined {
  if (by === undefined) return undefined;
  const object = call.model.objects.get(target);
  if (object) return fieldToMatch(call, object, by);
  const known = [...call.model.objects.keys()];
  throw errors.invalidObject(target, known, objectHint(target, known));
}

/**
 * Normalises the lookup: by label, where it names the label's field and that cannot be matched itself. Throws
 * INVALID_OBJECT, INVALID_FIELD.
 */
export function settledLookup(call: Call, lookup: Lookup): Lookup {
  const { by, ...byLabel } = lookup;
  const object = call.model.objects.get(lookup.target);
  const isName = by !== undefined && by === object?.displayField && call.visibility.shows(object.name, by);
  if (isName && !fieldsToMatch(object, call.visibility).some(({ name }) => name === by)) return byLabel;
  lookupField(call, lookup);
  return lookup;
}

/** A field that records can be matched by. Throws INVALID_FIELD with the possible ones. */
export function fieldToMatch({ visibility }: Call, object: ObjectDef, name: string): FieldDef {
  const fitting = fieldsToMatch(object, visibility);
  const field = fitting.find((one) => one.name === name);
  if (field) return field;
  const names = fitting.map((one) => one.name);
  if (object.attributes.has(name) && visibility.shows(object.name, name))
    throw errors.unfitField(`Records of ${object.name} cannot be matched by ${quoted(name)}: ${whatMatches}`, names);
  throw unknownField(name, object, names, whatMatches);
}

/** Explains in errors which fields can be matched. */
export const whatMatches = 'records can be matched by text, number, date, email and phone fields';

/** Whether an object has a visible field with that name by which its records can be found. */
export type Related = (object: string, field: string) => boolean;

/** Tests, for the caller, by which fields of other objects their records can be found. */
export function relatedTo({ caller, model }: Pick<Call, 'caller' | 'model'>): Related {
  const visibility = policiesFor(caller, model);
  return (objectName, name) => {
    const object = model.objects.get(objectName);
    return object !== undefined && fieldsToMatch(object, visibility).some((field) => field.name === name);
  };
}

function fieldsToMatch(object: ObjectDef, visibility: Visibility): readonly FieldDef[] {
  return visibleAttributes(object, visibility).filter(({ type }) => canMatchRecords(type));
}

/** Whether records can be matched by fields of this type. */
export function canMatchRecords(type: string): boolean {
  return comparable.has(type);
}

/** Types whose stored values can be compared directly. */
const comparable: ReadonlySet<string> = new Set([
  'TEXT',
  'URL',
  'EMAIL',
  'EMAILS',
  'PHONES',
  'INTEGER',
  'NUMBER',
  'DECIMAL',
  'DATE',
  'SELECT',
  'RELATION',
]);

/** The ids of the records with these values in the field, by value. */
export async function recordsBy(
  call: Call,
  tx: WorkspaceTransaction,
  lookup: Lookup,
  values: readonly string[],
): Promise<Labels> {
  const object = call.model.objects.get(lookup.target);
  const field = lookupField(call, lookup);
  if (!object || !field || values.length === 0) return new Map();
  const writing = writingOf(call, object);
  const keys = new Map<string, readonly string[]>();
  for (const value of values) {
    const decoded = await decodeValues(writing, { [field.name]: value }, new Mistakes());
    keys.set(value, comparedKeys(field, decoded));
  }
  const matches = await matchesOf(call, tx, object, field, [...new Set([...keys.values()].flat())]);
  const found = new Map<string, string>();
  for (const [value, own] of keys) {
    const ids = new Set(own.flatMap((key) => [...(matches.get(key) ?? [])]));
    const [id] = ids;
    if (id !== undefined) found.set(value, ids.size > 1 ? ambiguous : id);
  }
  return found;
}

/** Creates a record for each of `values`, which match none; returns their ids by value, without those that failed. */
export async function makeRecords(
  call: Call,
  tx: WorkspaceTransaction,
  { target, by }: Lookup,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const object = call.model.objects.get(target);
  if (!object || values.length === 0) return new Map();
  if (!call.visibility.mayCreate(object.name)) throw errors.permissionDenied(`Your role may not create ${object.name}`);
  const writing = writingOf(call, object);
  const records: (NewRecord & { readonly value: string })[] = [];
  for (const value of values) {
    const mistakes = new Mistakes();
    const decoded = await decodeValues(writing, valuesNaming(object, by, value), mistakes);
    if (mistakes.count > 0) continue;
    await fillNewRecord(call, object, decoded, writing.context, mistakes);
    if (mistakes.count === 0) records.push({ ...decoded, id: newId(), value });
  }
  const refusals = await createEach(call, tx, object, records);
  return new Map(records.flatMap(({ id, value }) => (refusals.has(id) ? [] : [[value, id]])));
}

/** The values that give a new record the label `value`, or let it be found by it. */
function valuesNaming(object: ObjectDef, by: string | undefined, value: string): JsonObject {
  const display = object.attributes.get(object.displayField);
  const isNamed = display !== undefined && !display.isReadonly && display.type === 'TEXT';
  const named: JsonObject = isNamed ? { [object.displayField]: value } : {};
  if (by !== undefined) return { ...(display?.isRequired ? named : {}), [by]: value };
  if (isNamed || !object.attributes.has('first_name')) return named;
  const { first, last } = splitName(value);
  return { first_name: first, ...(last !== '' && { last_name: last }) };
}
