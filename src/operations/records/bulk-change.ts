/** Reads the change of a bulk request once for all of its records. [spec: Bulk] */
import { Type, type Static } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors, KithError, Mistakes, quoted } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { maxLinks } from '../../fields/types/many-to-many.ts';
import { fieldType } from '../../fields/registry.ts';
import { isUuid } from '../../lib/id.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { hasRecords, type ObjectDef } from '../../model/model.ts';
import { unknownField, visibleAttributes } from '../../query/attributes.ts';
import { objectNamed } from '../../records/reading/named.ts';
import { lengthOf, type SharedChange } from '../../records/writing/change-many.ts';
import { decodeValues, mayWrite, writingOf, type Decoded } from '../../records/writing/decode.ts';
import { refuseFloodOfHtml } from '../../records/writing/html-flood.ts';
import { settlePosition } from '../../records/writing/pipeline-position.ts';
import { refuseHugeTexts } from '../../records/writing/record-size.ts';
import { Choice, ObjectName } from '../inputs.ts';
import { soMany } from '../../lib/so-many.ts';

/** The change, without the selection of records. */
export const BulkChangeInput = {
  action: Choice(['update_field', 'add_relation', 'remove_relation', 'delete', 'restore']),
  object_name: ObjectName,
  field_name: Type.Optional(Type.String({ description: 'Of update_field' })),
  field_value: Type.Optional(Type.Unknown({ description: 'Of update_field: what a write of one record takes' })),
  relation_field: Type.Optional(Type.String({ description: 'Of the actions on relations' })),
  target_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'Of the actions on relations: ids of records that it leads to' }),
  ),
  target_object: Type.Optional(
    Type.String({ description: 'The object of the target, where relation_field leads to several' }),
  ),
  junction_data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Values of each new link, by junction field' }),
  ),
};

/** The change as it was sent, without the selection of records. */
export type BulkInput = Static<ReturnType<typeof inputSchema>>;
const inputSchema = () => Type.Object(BulkChangeInput);

/** The most characters that one request writes over all of its records. */
const mostWritten = 100_000_000;
/** The most characters per transaction, as its records stay locked until the search indexes have them. */
const mostAtOnce = 5_000_000;
/** The most links that one request writes: records times targets. */
const mostPairs = 1_000_000;

/** The object of the records. Throws INVALID_OBJECT, and PERMISSION_DENIED if the role sees no record of it. */
export function bulkObject({ model, visibility }: Call, { object_name: name }: BulkInput): ObjectDef {
  const object = objectNamed(model, visibility, name, hasRecords);
  if (visibility.rows(object.name) === 'none') throw errors.permissionDenied(`Your role may not view ${object.name}`);
  return object;
}

/** The keys of the change that each action takes. */
const partsOf: Readonly<Record<BulkInput['action'], readonly (keyof BulkInput)[]>> = {
  update_field: ['field_name', 'field_value'],
  add_relation: ['relation_field', 'target_ids', 'target_object', 'junction_data'],
  remove_relation: ['relation_field', 'target_ids'],
  delete: [],
  restore: [],
};

/** Throws VALIDATION_ERROR for keys of another action, since the caller probably meant that one. */
export function refuseOtherParts(input: BulkInput): void {
  const { action } = input;
  const own = partsOf[action];
  const mistakes = new Mistakes();
  for (const part of new Set(Object.values(partsOf).flat())) {
    if (own.includes(part) || (input[part] ?? null) === null) continue;
    const takers = Object.entries(partsOf).flatMap(([taker, parts]) => (parts.includes(part) ? [taker] : []));
    mistakes.add({ field: part, message: `${part} belongs to ${takers.join(', ')}, not to ${action}` }, own);
  }
  mistakes.refuse();
}

/**
 * The change of `count` records, `together` of them in one transaction. Throws MISSING_REQUIRED_FIELD, INVALID_FIELD, and
 * VALIDATION_ERROR for more than one request may write. An invalid value is reported for each record, so that missing
 * records are found as well.
 */
export async function bulkChange(
  call: Call,
  object: ObjectDef,
  input: BulkInput,
  count: number,
  together: number,
): Promise<SharedChange> {
  const size = { count, together };
  if (input.action === 'update_field') return fieldChange(call, object, input, size);
  if (input.action === 'delete' || input.action === 'restore') return { kind: 'trash', verb: input.action };
  const name = given(input.relation_field, 'relation_field');
  const field = relationNamed(call, object, name, input.action);
  const targets = [...new Set((input.target_ids ?? []).map((id) => id.toLowerCase()))];
  if (targets.length === 0) throw errors.missingField('target_ids', 'at least one');
  if (targets.length > maxLinks) throw errors.validation(`target_ids takes at most ${formatted(maxLinks)} ids`);
  if (targets.length * count > mostPairs) {
    const most = Math.floor(mostPairs / targets.length);
    throw errors.validation(
      `With ${formatted(targets.length)} target_ids, at most ${soMany(most, 'record is', 'records are')} taken at a time`,
    );
  }
  if (input.action === 'remove_relation') {
    if (!mayWrite(object, call.visibility, field)) return { kind: 'none', reason: mayOnlyRead(field) };
    return { kind: 'unlink', field, targets: targets.filter(isUuid) };
  }
  const junction = (input.junction_data ?? {}) as JsonObject;
  refuseOtherTarget(field, input.target_object);
  if (field.linkTable === undefined) return toOne(call, object, field, targets, junction, input.target_object);
  const links = targets.map((id) => ({ ...junction, id }));
  const change = await readValue(call, object, field.name, links, size);
  return change.kind === 'set' ? { kind: 'link', field, links: change.values.links.get(field) ?? [] } : change;
}

async function fieldChange(call: Call, object: ObjectDef, input: BulkInput, size: Size): Promise<SharedChange> {
  const name = given(input.field_name, 'field_name');
  const names = [...writingOf(call, object).fields.keys()];
  const isKnown = object.attributes.has(name) || object.fields.some((field) => field.name === name);
  if (!names.includes(name) && !(isKnown && call.visibility.shows(object.name, name)))
    throw unknownField(name, object, names);
  if (input.field_value === undefined) throw errors.missingField('field_value', 'null empties the field');
  return readValue(call, object, name, input.field_value as Json, size);
}

/** Throws VALIDATION_ERROR for an object that is no target of the relation. */
function refuseOtherTarget({ name, relationConfig }: FieldDef, target: string | undefined): void {
  const { targetObjectName, targetObjectNames } = relationConfig ?? {};
  const possible = targetObjectNames ?? (targetObjectName ? [targetObjectName] : []);
  if (target === undefined || possible.length === 0 || possible.includes(target)) return;
  throw errors.validation(`target_object is ${quoted(target)}: ${name} leads to ${possible.join(' or ')}`);
}

/** For a relation to one record, adding a target sets it. */
async function toOne(
  call: Call,
  object: ObjectDef,
  field: FieldDef,
  targets: readonly string[],
  junction: JsonObject,
  targetObject: string | undefined,
): Promise<SharedChange> {
  const [id = '', ...others] = targets;
  if (others.length > 0) throw errors.validation(`target_ids takes one id: ${field.name} leads to one record`);
  if (Object.keys(junction).length > 0)
    throw errors.validation(`junction_data is for MANY_TO_MANY: ${field.name} leads to one record`);
  const possible = field.type === 'MORPH_RELATION' ? (field.relationConfig?.targetObjectNames ?? []) : [];
  if (possible.length === 0) return readValue(call, object, field.name, id, one);
  const target = targetObject ?? (possible.length === 1 ? possible[0] : undefined);
  if (target === undefined)
    throw errors.missingField('target_object', `${field.name} leads to ${possible.join(' or ')}`);
  return readValue(call, object, field.name, { object: target, id }, one);
}

interface Size {
  readonly count: number;
  readonly together: number;
}

/** The size of a link, which has no length. */
const one: Size = { count: 1, together: 1 };

/** The value as a change of so many records, or the reason why it is invalid. */
async function readValue(
  call: Call,
  object: ObjectDef,
  name: string,
  value: Json,
  { count, together }: Size,
): Promise<SharedChange> {
  const mistakes = new Mistakes();
  let values: Decoded;
  try {
    refuseFloodOfHtml(object, [{ [name]: value }]);
    const writing = writingOf(call, object);
    values = await decodeValues(writing, { [name]: value }, mistakes);
    await refuseHugeTexts(object, values);
    settlePosition(object, writing.context.pipelines, values, mistakes);
    mistakes.refuse();
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    return { kind: 'none', reason: error };
  }
  const length = lengthOf(values);
  if (length * count > mostWritten || length * together > mostAtOnce) {
    const most = Math.floor((length * together > mostAtOnce ? mostAtOnce : mostWritten) / length);
    throw errors.validation(
      `A value of ${formatted(length)} characters is set in at most ${soMany(most, 'record')} at a time`,
    );
  }
  return { kind: 'set', values };
}

/** The relation of that name that suits the action. Throws INVALID_FIELD with the suitable ones. */
function relationNamed({ visibility }: Call, object: ObjectDef, name: string, action: BulkInput['action']): FieldDef {
  const fits = (field: FieldDef) =>
    field.relationConfig !== undefined &&
    !fieldType(field.type).isComputed?.(field) &&
    (action === 'add_relation' || field.linkTable !== undefined);
  const fitting = visibleAttributes(object, visibility).filter(fits);
  const found = fitting.find((field) => field.name === name);
  if (found) return found;
  const names = fitting.map((field) => field.name);
  const isSeen = object.attributes.has(name) && visibility.shows(object.name, name);
  if (!isSeen) throw unknownField(name, object, names);
  const kind = action === 'remove_relation' ? 'MANY_TO_MANY' : 'relation';
  throw errors.unfitField(`${name} is no ${kind} of ${object.name}, which ${action} takes`, names);
}

function given(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw errors.missingField(name);
  return value;
}

const formatted = (count: number) => count.toLocaleString('en');

function mayOnlyRead({ name }: FieldDef): KithError {
  return errors.permissionDenied(`Your role may read ${name}, not change it`);
}
