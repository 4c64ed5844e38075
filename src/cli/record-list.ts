/** Lists records: a page or all of them, as JSON or text. */
import { errors } from '../errors.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../lib/json.ts';
import { messageOf } from '../lib/thrown.ts';
import { listRecords } from '../operations/records/records.ts';
import type { Client } from './client.ts';
import { terminalWidth, textOf, type Answer } from './output.ts';
import { soMany } from '../lib/so-many.ts';

export interface ListOptions {
  readonly filters?: string;
  readonly search?: string;
  readonly sort?: string;
  readonly fields?: string;
  readonly limit?: string;
  readonly cursor?: string;
  readonly all?: true;
}

/** The largest page. */
const wholePage = '100';

/** The records that the options select, and their text for a terminal. */
export async function listAnswer(client: Client, object: string, options: ListOptions): Promise<Answer> {
  const { all, sort, ...rest } = options;
  if (all && options.limit !== undefined) throw errors.validation('--all and --limit exclude each other');
  const input = {
    object,
    ...rest,
    ...(rest.filters !== undefined && { filters: jsonText('--filters', rest.filters) }),
    ...(sort !== undefined && { sort: sortText(sort) }),
    ...(all && { limit: wholePage }),
  };
  const value = await client.ask(listRecords, input);
  const data = recordsOf(value);
  let next = value['nextCursor'];
  while (all && next !== undefined) {
    const page = await client.ask(listRecords, { ...input, cursor: next });
    for (const record of recordsOf(page)) data.push(record);
    next = page['nextCursor'];
  }
  if (all) delete value['nextCursor'];
  else if (next !== undefined)
    client.note(
      `${data.length} of ${soMany(Number(value['total']), 'record')}; --all takes them all, and the next page is\n  --cursor ${String(next)}`,
    );
  return { value, text: textOf({ data: data.map(readable) }, terminalWidth()) };
}

function recordsOf({ data }: JsonObject): JsonObject[] {
  return data as JsonObject[];
}

/** REST ignores an unreadable sort; on the command line it is refused. */
function sortText(sort: string): string {
  if (sort.trimStart().startsWith('[')) return jsonText('--sort', sort);
  const keys = sort.split(',').map((name) => name.trim());
  return JSON.stringify(
    keys.map((name) =>
      name.startsWith('-') ? { field: name.slice(1), direction: 'desc' } : { field: name, direction: 'asc' },
    ),
  );
}

function jsonText(flag: string, text: string): string {
  try {
    parseJson(text);
    return text;
  } catch (error) {
    throw errors.validation(`${flag} is not JSON: ${messageOf(error)}`);
  }
}

/** A record as lines, with the lists that it is on. */
export function recordText({ record, lists }: JsonObject): string {
  const named = Array.isArray(lists) ? { lists: lists.map((list) => isObject(list) && list['list_name']) } : {};
  return textOf({ ...readable(record as JsonObject), ...named }, terminalWidth());
}

function readable(record: JsonObject): object {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, spoken(value)]));
}

/** Amounts, addresses, e-mail addresses and links in readable form instead of JSON. */
function spoken(value: Json): Json {
  if (Array.isArray(value)) return value.map(spoken);
  if (!isObject(value)) return value;
  if (typeof value['display'] === 'string') return value['display'];
  const parts = Object.values(value).filter((part) => part !== null && typeof part !== 'boolean');
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ');
}
