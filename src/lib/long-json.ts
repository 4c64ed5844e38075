/**
 * Parses long JSON from the database in slices: long lists and objects are split, and short parts are parsed by the
 * platform. The result equals that of `parseJson`.
 */
import { parseJson, type Json, type JsonObject } from './json.ts';
import { nextSlice, sliceIsOver } from './slices.ts';

/** Characters parsed at once: at worst, dense with numbers, five milliseconds. */
const defaultPiece = 32_768;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const openObject = 0x7b;

/** Parses `text`, which must be JSON. Throws SyntaxError. */
export async function parseLongJson(text: string, pieceLength = defaultPiece): Promise<Json> {
  if (text.length <= pieceLength) return parseJson(text);
  return valueOf(text.trim(), pieceLength);
}

async function valueOf(text: string, pieceLength: number): Promise<Json> {
  if (sliceIsOver()) await nextSlice();
  const first = text.charCodeAt(0);
  if (text.length <= pieceLength || (first !== openList && first !== openObject)) return parseJson(text);
  const list: Json[] = [];
  const object: JsonObject = {};
  const [open, close] = first === openList ? '[]' : '{}';
  /** Adds the short parts from `start` to `end`, if any. */
  const addShort = (start: number, end: number) => {
    if (start >= end) return;
    const parts = parseJson(`${open}${text.slice(start, end)}${close}`);
    if (Array.isArray(parts)) for (const part of parts) list.push(part);
    else for (const [key, part] of Object.entries(parts as JsonObject)) setKey(object, key, part);
  };
  const addLong = async (start: number, end: number) => {
    if (first === openList) list.push(await valueOf(text.slice(start, end).trim(), pieceLength));
    else {
      const keyAt = text.indexOf('"', start);
      const keyEnd = endOfString(text, keyAt);
      const key = String(parseJson(text.slice(keyAt, keyEnd)));
      setKey(object, key, await valueOf(text.slice(text.indexOf(':', keyEnd) + 1, end).trim(), pieceLength));
    }
  };
  let start = 1; // of the parts not yet added
  let last = 1; // of the latest part
  let depth = 0;
  let looked = 0;
  const end = text.length - 1;
  for (let at = 1; at <= end; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (isOpening(code)) depth++;
    else if (at < end && isClosing(code)) depth--;
    else if (at === end || (code === comma && depth === 0)) {
      const isLong = at - last > pieceLength;
      if (isLong) {
        addShort(start, Math.max(start, last - 1));
        await addLong(last, at);
      } else if (at === end || at - start > pieceLength) addShort(start, at);
      if (isLong || at - start > pieceLength) start = at + 1;
      last = at + 1;
    }
    if (++looked % 1_000 === 0 && sliceIsOver()) await nextSlice();
  }
  return first === openList ? list : object;
}

/** Plain assignment to `__proto__` would not create a key. */
function setKey(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function isOpening(code: number): boolean {
  return code === openList || code === openObject;
}

/** A closing bracket's code is two above its opening one's. */
function isClosing(code: number): boolean {
  return code === openList + 2 || code === openObject + 2;
}

/** The index behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ;) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
    at = end + 1;
  }
}
