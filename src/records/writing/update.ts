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
import { planGet } from '../../query/plan-get.ts';
import type { ExpectedStates } from './etag.ts';
import { isAsExpected } from './expect-state.ts';
import { addUnknownKey, decodeValues, writingOf, type Writing } from './decode.ts';
import { refuseFloodOfHtml } from './html-flood.ts';
import { replaceLinks } from './links.ts';
import { settlePosition } from './pipeline-position.ts';
import { refuseHugeTexts, refuseMoreLinks } from './record-size.ts';
import { mustReadAgain, readWritten } from '../reading/read-written.ts';
import { namingDuplicates } from './unique.ts';
import { replaceValues, setsUniqueValues } from './unique-values.ts';
import { lockForUpdate, updateRecord, type Written } from './write-record.ts';

/** The record is in none of the states that the write expects. */
class StaleState extends Error {}

/** Characters of a value that a message repeats. */
const mostTold = 500;

/** Throws RECORD_NOT_FOUND, PERMISSION_DENIED, VALIDATION_ERROR with every problem, DUPLICATE_RECORD, CONFLICT for another state than those expected. */
export async function updateOne(
  call: Call,
  object: ObjectDef,
  id: string,
  values: JsonObject,
  expected: ExpectedStates,
): Promise<Written> {
  try {
    return await update(call, object, id, values, expected);
  } catch (error) {
    throw error instanceof StaleState ? errors.stale(await clashes(call, object, id, values)) : error;
  }
}

/** What is stored now in the fields that the caller wants to set. */
async function clashes(call: Call, object: ObjectDef, id: string, values: JsonObject): Promise<FieldError[]> {
  const { stored } = await storedRecord(call, object, id);
  const clashing: FieldError[] = [];
  for (const field of Object.keys(values)) {
    if (!Object.hasOwn(stored, field)) continue;
    clashing.push({ field, message: `${field} is now ${await told(stored[field] ?? null)}` });
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
  const changes = await withoutStoredValues(call, writing, id, values, expected);
  const mistakes = new Mistakes();
  const decoded = await decodeValues(writing, changes, mistakes);
  await refuseHugeTexts(object, decoded);
  settlePosition(object, writing.context.pipelines, decoded, mistakes);
  mistakes.refuse();
  return namingDuplicates(call, object, decoded, () => {
    const again = mustReadAgain(call, object);
    if (!expected && !again && decoded.links.size === 0 && !setsUniqueValues(object, decoded))
      return updateRecord(call, call.workspace.write, object, id, decoded);
    return call.workspace.transaction(async (tx) => {
      await lockForUpdate(call, tx, object, id);
      if (!(await isAsExpected(call, tx, object, id, expected))) throw new StaleState();
      await refuseMoreLinks(call, tx, object, id, decoded.links);
      const links = await replaceLinks(call, tx, id, decoded.links);
      await replaceValues(call, tx, object, id, decoded);
      const written = await updateRecord(call, tx.run, object, id, decoded, links);
      return again ? readWritten(call, tx, object, id) : written;
    });
  });
}

/** What was read can be written back: a read-only key may repeat the stored value, and then says nothing. */
async function withoutStoredValues(
  call: Call,
  writing: Writing,
  id: string,
  values: JsonObject,
  expected: ExpectedStates,
): Promise<JsonObject> {
  const { object, fields } = writing;
  const others = Object.keys(values).filter((key) => !fields.has(key));
  if (others.length === 0) return values;
  const { stored, tag } = await storedRecord(call, object, id);
  if (expected && !expected.includes(tag)) throw new StaleState(); // of which a stamp that is old is only a sign
  const mistakes = new Mistakes();
  for (const key of others) {
    const isStored = Object.hasOwn(stored, key) && (await isSame(stored[key] ?? null, values[key] ?? null));
    if (!isStored) addUnknownKey(writing, key, mistakes);
  }
  mistakes.refuse();
  return Object.fromEntries(Object.entries(values).filter(([key]) => fields.has(key)));
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
