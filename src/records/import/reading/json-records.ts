/**
 * Reads JSON files as records: JSON lines, an array, or the answer of an export (`{ "records": [...] }`). Numbers
 * keep their digits.
 */
import { errors } from '../../../errors.ts';
import { isObject, parseJson, type Json } from '../../../lib/json.ts';
import { mapInSlices } from '../../../lib/slices.ts';
import { messageOf } from '../../../lib/thrown.ts';
import { parseList } from './json-list.ts';

/** Maximum characters held: of a document that isn't lines; a longer line means a broken file. */
export const longestText = 256 * 1024 * 1024;

/** A value of the file, or the problem of an invalid one. */
export type JsonRow = { readonly value: Json } | { readonly problem: string };

/** Batches of values of any type. Throws VALIDATION_ERROR when a document that is not lines can't be parsed. */
export async function* readJson(text: AsyncIterable<string>): AsyncGenerator<readonly JsonRow[]> {
  let rest = '';
  let shape: 'lines' | 'document' | undefined;
  for await (const piece of text) {
    rest += piece;
    if (rest.length > longestText)
      throw errors.validation('The file is too large to be read as one document: write one record a line');
    // Tested only with new information: a document of one line comes in many pieces.
    if (shape === undefined && (piece.includes('\n') || rest.length === piece.length)) shape = shapeOf(rest);
    if (shape !== 'lines') continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield lines.flatMap(parseLine);
  }
  if (shape === 'lines') yield parseLine(rest);
  else if (rest.trim() !== '') yield await mapInSlices(recordsOf(await parseDocument(rest)), (value) => ({ value }));
}

/** Undefined while undecided: the document has one line, or the first line is incomplete. */
function shapeOf(head: string): 'lines' | 'document' | undefined {
  const start = head.trimStart();
  if (start.startsWith('[')) return 'document';
  const end = start.indexOf('\n');
  if (end < 0) return undefined;
  const line = start.slice(0, end).trimEnd();
  try {
    const first = parseJson(line);
    return isObject(first) && Array.isArray(first['records']) ? 'document' : 'lines';
  } catch {
    // A broken record still ends in a brace; the first line of a document spread over lines doesn't.
    return line.endsWith('}') ? 'lines' : 'document';
  }
}

function parseLine(line: string): JsonRow[] {
  if (line.trim() === '') return [];
  try {
    return [{ value: parseJson(line) }];
  } catch (error) {
    return [{ problem: `not JSON: ${messageOf(error)}` }];
  }
}

async function parseDocument(text: string): Promise<Json> {
  try {
    return text.trimStart().startsWith('[') ? await parseList(text) : parseJson(text);
  } catch (error) {
    throw errors.validation(`The file is not JSON: ${messageOf(error)}`);
  }
}

function recordsOf(document: Json): readonly Json[] {
  if (Array.isArray(document)) return document;
  const records = isObject(document) ? document['records'] : undefined;
  return Array.isArray(records) ? records : [document];
}
