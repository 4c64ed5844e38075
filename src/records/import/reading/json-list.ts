/** Parses a long JSON list in parts, between which other work is served. */
import { parseJson, type Json } from '../../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../../lib/slices.ts';

/** Characters parsed at once, unless an item is longer. */
const defaultPart = 65_536;

/** The items of the list in `text`, which begins with its bracket. Throws SyntaxError for invalid JSON. */
export async function parseList(text: string, partLength = defaultPart): Promise<Json[]> {
  const items: Json[] = [];
  const end = text.trimEnd().length - 1;
  // A short or unterminated list is parsed as a whole.
  if (text[end] !== ']' || text.length <= partLength) return parseJson(text) as Json[];
  const start = text.indexOf('[') + 1;
  let first = start;
  for (const comma of commasOf(text, first, end)) {
    if (comma - first < partLength) continue;
    add(text.slice(first, comma), false);
    first = comma + 1;
    if (sliceIsOver()) await nextSlice();
  }
  add(text.slice(first, end), first === start);
  return items;

  function add(part: string, isAll: boolean): void {
    const parsed = parseJson(`[${part}]`) as Json[];
    // There must be a value before and after each comma.
    if (parsed.length === 0 && !isAll) throw new SyntaxError('Unexpected end of the list');
    for (const item of parsed) items.push(item);
  }
}

/** The positions of the list's own commas. */
function* commasOf(text: string, start: number, end: number): Generator<number> {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfText(text, at);
    else if (sign === openList || sign === openObject) depth++;
    else if (sign === closeList || sign === closeObject) depth--;
    else if (sign === comma && depth === 0) yield at;
  }
}

/** The index of the quote that ends the string begun at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = start; ;) {
    const end = text.indexOf('"', at + 1);
    if (end < 0) return text.length;
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
    at = end;
  }
}

const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
