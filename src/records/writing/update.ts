/** Changing one record: only what is given. [spec: Records] */
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../access/call.ts';
import { errors, Mistakes, type FieldError } from '../../errors.ts';
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
import { addStrayReferencesOfChange, mayStray, tellingAll } from './stray-references.ts';
import { namingDuplicates } from './unique.ts';
import { setsUniqueValues } from './unique-values.ts';
import { writeAlone } from './write-alone.ts';

/** The record is in none of the states that the write expects. */
export class StaleState extends Error {}

/** Characters of a value that a message repeats. */
const mostTold = 500;

/** Throws RECORD_NOT_FOUND, PERMISSION_DENIED, VALIDATION_ERROR with every problem, MISSING_REQUIRED_FIELDS for a step that asks for more,
 * DUPLICATE_RECORD, CONFLICT for another state than those expected. */
export async function updateOne(
  call: Call,
  object: ObjectDef,
  id: string,
  values: JsonObject,
  expected: ExpectedStates,
): Promise<Written> {
  return tellingClashes(call, object, id, values, () => update(call, object, id, values, expected));
}

/** Does `work`; where it throws StaleState, throws CONFLICT with what is stored by now in the fields of `values`. */
export async function tellingClashes<T>(
  call: Call,
  object: ObjectDef,
  id: string,
  values: JsonObject,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StaleState ? errors.stale(await clashes(call, object, id, values)) : error;
  }
}

/** What is stored now in the fields that the caller wants to set. */
async function clashes(call: Call, object: ObjectDef, id: string, values: JsonObject): Promise<FieldError[]> {
  const { stored } = await storedRecord(call, object, id);
  const clashing: FieldError[] = [];
  for (const field of Object.keys(values)) {
    const key = resolveAttribute(object, field)?.name ?? field;
    if (!Object.hasOwn(stored, key)) continue;
    clashing.push({ field, message: `${field} is now ${await told(stored[key] ?? null)}` });
  }
  return clashing;
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
  return tellingAll(mistakes, further, () => carryOut(call, object, change, expected));
}

async function carryOut(call: Call, object: ObjectDef, change: Change, expected: ExpectedStates): Promise<Written> {
  const { id } = change;
  return namingDuplicates(call, object, change, async () => {
    const isPlain = change.links.size === 0 && !setsUniqueValues(object, change) && !namesStep(object, change);
    if (!expected && isPlain && isReadWithItsWrite(call, object)) return writeAlone(call, object, 'update', change);
    return call.workspace.transaction(async (tx) => {
      throwRefusal(await lockForChange(call, tx, object, [id]));
      if (!(await isAsExpected(call, tx, object, id, expected))) throw new StaleState();
      await changeRows(call, tx, object, [change]);
      return readWritten(call, tx, object, id);
    });
  });
}

/** What was read can be written back: a read-only key may repeat the stored value, and then says nothing; others are mistakes. */
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
 * Those of `keys` with which `values` do not repeat the stored record, in the `form` in which it is answered. Throws RECORD_NOT_FOUND,
 * and StaleState for a record in another state than those expected.
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
  if (expected && !expected.includes(tag)) throw new StaleState(); // of which a stamp that is old is only a sign
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

/** A value for a message, cut where it is long. */
async function told(value: Json): Promise<string> {
  const text = typeof value === 'object' && value !== null ? whole(await writeJson(value)) : JSON.stringify(value);
  return text.length > mostTold ? `${text.slice(0, mostTold).toWellFormed()}…` : text;
}
