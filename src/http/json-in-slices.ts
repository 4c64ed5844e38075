/**
 * Parses the JSON of a large body in slices: long values are split, and short ones are parsed together by `JSON.parse`. The
 * result equals that of parsing it at once.
 */
import { errors } from '../errors.ts';
import { maxDepth, parseJson, unstorable, type Json, type JsonObject } from '../lib/json.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import { endOfText, longValues, notJson, notJsonNear, type LongValues } from './json-layout.ts';
import { closes, comma, openList, opens, quote } from './json-signs.ts';

/** Bytes that are parsed at once: dense numbers take five milliseconds. */
const defaultPiece = 32_768;

export interface SliceOptions {
  readonly pieceLength?: number;
  /** Whether texts are accepted that cannot be stored; the reader must make them storable. */
  readonly takesAnyText?: boolean;
}

/**
 * Parses `bytes`. Throws VALIDATION_ERROR for invalid JSON and for values that cannot be stored, and the reason of `signal`
 * when that is aborted.
 */
export async function parseInSlices(
  bytes: Uint8Array,
  signal: AbortSignal,
  { pieceLength = defaultPiece, takesAnyText = false }: SliceOptions = {},
): Promise<Json> {
  const body = withoutMark(bytes);
  const parseText = parserOf(takesAnyText ? () => undefined : unstorable);
  if (body.length <= pieceLength) return parseText(decode(body), notJson);
  return new Parts(body, await longValues(body, signal, pieceLength), { signal, pieceLength, parseText }).document();
}

/** A long value within another one. */
interface Hole {
  readonly start: number;
  readonly end: number;
}

/** The text between two commas. */
interface Part {
  /** The start of the next part. */
  readonly next: number;
  /** The long value in it, if any. */
  readonly hole: Hole | undefined;
}

interface Ways {
  readonly signal: AbortSignal;
  readonly pieceLength: number;
  readonly parseText: ParseText;
}

class Parts {
  readonly #bytes: Uint8Array;
  readonly #long: LongValues;
  readonly #signal: AbortSignal;
  readonly #pieceLength: number;
  readonly #parseText: ParseText;

  constructor(bytes: Uint8Array, long: LongValues, { signal, pieceLength, parseText }: Ways) {
    this.#bytes = bytes;
    this.#long = long;
    this.#signal = signal;
    this.#pieceLength = pieceLength;
    this.#parseText = parseText;
  }

  async document(): Promise<Json> {
    const start = this.#bytes.findIndex((byte) => opens(byte) || byte === quote);
    const end = this.#long.get(start);
    if (end === undefined) return this.#parse(0, this.#bytes.length, ['', '']);
    this.#parseAround({ start, end }, 0, this.#bytes.length, ['', '']);
    return this.#value({ start, end });
  }

  async #value({ start, end }: Hole): Promise<Json> {
    if (sliceIsOver()) await nextSlice(this.#signal);
    if (this.#bytes[start] === quote) return this.#text(start, end);
    const into = this.#bytes[start] === openList ? new Items() : new Members();
    // Short parts from `first` on are parsed together.
    let first = start + 1;
    for (let at = first; at < end;) {
      const { next, hole } = this.#part(at, end - 1);
      if (hole) {
        if (at > first && this.#add(into, first, at - 1) === 0) throw notJsonNear(at - 1);
        const around = this.#parseAround(hole, at, next - 1, into.brackets);
        into.addOne(around, await this.#value(hole));
        first = next;
      } else if (next === end || next - first > this.#pieceLength) {
        const isAll = first === start + 1 && next === end;
        if (this.#add(into, first, next - 1) === 0 && !isAll) throw notJsonNear(next - 1);
        first = next;
      }
      at = next;
      if (sliceIsOver()) await nextSlice(this.#signal);
    }
    return into.value;
  }

  /** The part that begins at `start`; the last one ends at the bracket at `end`. */
  #part(start: number, end: number): Part {
    let depth = 0;
    let hole: Hole | undefined;
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at];
      const long = opens(byte) || byte === quote ? this.#long.get(at) : undefined;
      if (long !== undefined) {
        if (hole) throw notJsonNear(at);
        hole = { start: at, end: long };
        at = long - 1;
      } else if (byte === quote) at = endOfText(this.#bytes, at) - 1;
      else if (opens(byte)) depth++;
      else if (closes(byte)) depth--;
      else if (byte === comma && depth === 0) return { next: at + 1, hole };
    }
    return { next: end + 1, hole };
  }

  /** Parses and adds the short parts from `start` to `end`; returns their number. */
  #add(into: Items | Members, start: number, end: number): number {
    return into.add(this.#parse(start, end, into.brackets));
  }

  #parse(start: number, end: number, [open, close]: Brackets): Json {
    const text = open + decode(this.#bytes.subarray(start, end)) + close;
    return this.#parseText(text, (reason) => notJsonNear(start, reason));
  }

  /** Parses a part with null in place of its long value. */
  #parseAround(hole: Hole, start: number, end: number, [open, close]: Brackets): Json {
    const before = decode(this.#bytes.subarray(start, hole.start));
    const behind = decode(this.#bytes.subarray(hole.end, end));
    return this.#parseText(`${open}${before}null${behind}${close}`, (reason) => notJsonNear(hole.start, reason));
  }

  #text(start: number, end: number): Json {
    const text = decode(this.#bytes.subarray(start, end));
    return this.#parseText(text, (reason) => notJsonNear(start, reason), JSON.parse);
  }
}

type Brackets = readonly [open: string, close: string];

/** A list that is assembled from several parsed ones. */
class Items {
  readonly brackets: Brackets = ['[', ']'];
  readonly value: Json[] = [];

  add(part: Json): number {
    if (!Array.isArray(part)) return 0;
    for (const item of part) this.value.push(item);
    return part.length;
  }

  addOne(_around: Json, item: Json): void {
    this.value.push(item);
  }
}

/** An object that is assembled from several parsed ones. */
class Members {
  readonly brackets: Brackets = ['{', '}'];
  readonly value: JsonObject = {};

  add(part: Json): number {
    const entries = Object.entries(part as JsonObject);
    for (const [key, item] of entries) this.#set(key, item);
    return entries.length;
  }

  addOne(around: Json, item: Json): void {
    for (const key of Object.keys(around as JsonObject)) this.#set(key, item);
  }

  #set(key: string, item: Json): void {
    // An assignment would set the prototype instead of a key.
    if (key === '__proto__')
      Object.defineProperty(this.value, key, { value: item, writable: true, enumerable: true, configurable: true });
    else this.value[key] = item;
  }
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw errors.validation('The body is not valid UTF-8');
  }
}

type ParseText = (text: string, refusal: (reason: string) => Error, parser?: Parser) => Json;

function parserOf(problemOf: (value: Json) => string | undefined): ParseText {
  return (text, refusal, parser = parseJson) => {
    const value = parse(text, refusal, parser);
    const problem = problemOf(value);
    if (problem !== undefined) throw errors.validation(`A value in the body ${problem}`);
    return value;
  };
}

type Parser = (text: string) => Json;

function parse(text: string, refusal: (reason: string) => Error, parser: Parser): Json {
  try {
    return parser(text);
  } catch (error) {
    // The reviver recurses: far too deep nesting overflows the stack before it is counted.
    if (error instanceof RangeError) throw errors.validation(`The body is nested deeper than ${maxDepth} levels`);
    if (error instanceof SyntaxError) throw refusal(error.message);
    throw error;
  }
}
