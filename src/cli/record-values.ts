/** Reads the values of a record: `name=value` pairs over a JSON object. */
import { errors, quoted } from '../errors.ts';
import { readGiven } from '../lib/given-file.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../lib/json.ts';
import { messageOf } from '../lib/thrown.ts';
import { getObjectSchema } from '../operations/workspace/schema.ts';
import { valuesFromText, type TypedField } from '../operations/records/values-from-text.ts';
import type { Client } from './client.ts';

/** The limit of a request body. */
const asRequest = { maxBytes: 32 * 1024 * 1024, tooLong: 'The values of a record have at most 32 MiB' };

/** The values. Throws VALIDATION_ERROR if they cannot be read, or if there are none. */
export async function valuesGiven(
  client: Client,
  object: string,
  pairs: readonly string[],
  data: string | undefined,
): Promise<JsonObject> {
  if (pairs.length === 0 && data === undefined)
    throw errors.validation('No values are given: name=value for each, or --data with a JSON object');
  const texts = readPairs(pairs);
  const values = data === undefined ? {} : readData(data === '-' ? (await readGiven('-', asRequest)).toString() : data);
  if (texts.size === 0) return values;
  const { fields } = await client.ask(getObjectSchema, { object });
  return { ...values, ...valuesFromText(fields as unknown as readonly TypedField[], texts) };
}

function readPairs(pairs: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at <= 0) throw errors.validation(`${quoted(pair)} has to look like name=value`);
    const name = pair.slice(0, at);
    if (texts.has(name)) throw errors.validation(`${quoted(name)} is given twice`);
    texts.set(name, pair.slice(at + 1));
  }
  return texts;
}

function readData(source: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(source);
  } catch (error) {
    throw errors.validation(`--data is not JSON: ${messageOf(error)}`);
  }
  if (!isObject(value)) throw errors.validation('--data must be a JSON object: {"name": "Globex"}');
  return value;
}
