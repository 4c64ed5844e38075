/** Updates one record: only the given values change. [spec: Records] */
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../access/call.ts';
import { errors, Mistakes, type FieldError, type KithError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { writeJson } from '../../lib/json-writer.ts';
import { parseLongJson } from '../../lib/long-json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import { whole } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import { resolveAttribute } from '../../query/attributes.ts';
import { planGet } from '../../query/plan-get.ts';
import { isReadWithItsWrite, readWritten, type Written } from '../reading/read-written.ts';
import type { Change } from './change.ts';
import { changeRows, lockForChange } from './change-rows.ts';
import type { ExpectedStates } from './etag.ts';
import { isAsExpected } from './expect-state.ts';
import { addUnknownKey, decodeValues, writingOf, type Writing } from './decode.ts';
import { refuseFloodOfHtml } from './html-flood.ts';
import { settlePosition } from './pipeline-position.ts';
import { refuseHugeTexts } from './record-size.ts';
import { throwRefusal } from './row-write.ts';
import { namesStep } from './step-changes.ts';
import { addStrayReferencesOfChange, mayStray, reportingAll } from './stray-references.ts';
import { namingDuplicates } from './unique.ts';
import { setsUniqueValues } from './unique-values.ts';
import { writeSingleRecord } from './write-single-record.ts';

/** The record is in none of the states that the write expects. */
export class StaleState extends Error {}

/** Characters of a value that a message quotes. */
const longestQuoted = 500;

/**
 * Updates the record. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, VALIDATION_ERROR with every problem,
 * MISSING_REQUIRED_FIELDS for a step, DUPLICATE_RECORD, CONFLICT for an unexpected state.
 */
export async function updateOne(
  call: Call,
  object: ObjectDef,
  id: string,
  values: JsonObject,
  expected: ExpectedStates,
): Promise<Written> {
  return namingClashes(call, object, id, values, () => update(call, object, id, values, expected));
}

/** Does `work`; StaleState becomes CONFLICT with the stored values of the fields in `values`. */
export async function namingClashes<T>(
  call: Call,
  object: ObjectDef,
  id: string,
  values: JsonObject,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StaleState ? await staleError(call, object, id, values) : error;
  }
}

/** CONFLICT with the stored values of the fields that the caller wants to set. */
export async function staleError(call: Call, object: ObjectDef, id: string, values: JsonObject): Promise<KithError> {
  const { stored } = await storedRecord(call, object, id);
  const clashing: FieldError[] = [];
  for (const field of Object.keys(values)) {
    const key = resolveAttribute(object, field)?.name ?? field;
    if (!Object.hasOwn(stored, key)) continue;
    clashing.push({ field, message: `${field} is now ${await quotedForMessage(stored[key] ?? null)}` });
  }
  return errors.stale(clashing);
}

async function update(
  call: Call,
  object: ObjectDef,
  id: string,
  values: JsonObject,
  expected: ExpectedStates,
): Promise<Written> {
  refuseFloodOfHtml(object, [values]);
  const writing = writingOf(call, object);
  const mistakes = new Mistakes();
  const changes = await withoutStoredValues(call, writing, id, values, expected, mistakes);
  const decoded = await decodeValues(writing, changes, mistakes);
  await refuseHugeTexts(object, decoded);
  settlePosition(object, writing.context.pipelines, decoded, mistakes);
  const change = { ...decoded, id };
  const further = async () => {
    if (!mayStray(call, change)) return;
    await call.workspace.transaction((tx) => addStrayReferencesOfChange(call, tx, object, change, mistakes));
  };
  return reportingAll(mistakes, further, () => carryOut(call, object, change, expected));
}

async function carryOut(call: Call, object: ObjectDef, change: Change, expected: ExpectedStates): Promise<Written> {
  const { id } = change;
  return namingDuplicates(call, object, change, async () => {
    const isPlain = change.links.size === 0 && !setsUniqueValues(object, change) && !namesStep(object, change);
    if (!expected && isPlain && isReadWithItsWrite(call, object))
      return writeSingleRecord(call, object, 'update', change);
    return call.workspace.transaction(async (tx) => {
      throwRefusal(await lockForChange(call, tx, object, [id]));
      if (!(await isAsExpected(call, tx, object, id, expected))) throw new StaleState();
      await changeRows(call, tx, object, [change]);
      return readWritten(call, tx, object, id);
    });
  });
}

/**
 * A record can be written back as it was read: a read-only key that repeats the stored value is ignored; any other is
 * a mistake.
 */
async function withoutStoredValues(
  call: Call,
  writing: Writing,
  id: string,
  values: JsonObject,
  expected: ExpectedStates,
  mistakes: Mistakes,
): Promise<JsonObject> {
  const { object, fields } = writing;
  const others = Object.keys(values).filter((key) => !fields.has(key));
  if (others.length === 0) return values;
  for (const key of await keysNotStored(call, object, id, values, others, expected))
    addUnknownKey(writing, key, mistakes);
  return Object.fromEntries(Object.entries(values).filter(([key]) => fields.has(key)));
}

/**
 * The `keys` whose values differ from the stored record in the answer's `form`. Throws RECORD_NOT_FOUND, and
 * StaleState for an unexpected state.
 */
export async function keysNotStored(
  call: Call,
  object: ObjectDef,
  id: string,
  values: JsonObject,
  keys: readonly string[],
  expected: ExpectedStates,
  form: (record: JsonObject) => JsonObject = (record) => record,
): Promise<readonly string[]> {
  const { stored, tag } = await storedRecord(call, object, id);
  // an old `updated_at` among the values would only be a symptom
  if (expected && !expected.includes(tag)) throw new StaleState();
  const record = form(stored);
  const others: string[] = [];
  for (const key of keys)
    if (!Object.hasOwn(record, key) || !(await isSame(record[key] ?? null, values[key] ?? null))) others.push(key);
  return others;
}

async function isSame(stored: Json, given: Json): Promise<boolean> {
  if (!Array.isArray(stored) || !Array.isArray(given)) return isDeepStrictEqual(stored, given);
  if (stored.length !== given.length) return false;
  for (const [at, item] of stored.entries()) {
    if (sliceIsOver()) await nextSlice();
    if (!isDeepStrictEqual(item, given[at])) return false;
  }
  return true;
}

async function storedRecord(call: Call, object: ObjectDef, id: string): Promise<{ stored: JsonObject; tag: string }> {
  const plan = planGet(call, object, id);
  const [found] = await call.workspace.read(plan.statement);
  const record = await plan.read(found?.rows ?? []);
  const parsed = record && (await parseLongJson(whole(record.record)));
  if (!isObject(parsed)) throw errors.recordNotFound(object.name, id);
  return { stored: parsed, tag: record?.tag ?? '' };
}

/** A value quoted for a message, shortened if long. */
async function quotedForMessage(value: Json): Promise<string> {
  const text = typeof value === 'object' && value !== null ? whole(await writeJson(value)) : JSON.stringify(value);
  return text.length > longestQuoted ? `${text.slice(0, longestQuoted).toWellFormed()}…` : text;
}
