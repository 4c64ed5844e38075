/** Scans the bytes of a large body for the boundaries of long values, before anything is parsed. */
import { errors } from '../errors.ts';
import { maxDepth } from '../lib/json.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import { backslash, closeList, closeObject, closes, colon, comma, openList, opens, quote } from './json-signs.ts';

/** Twice that of ten thousand records of fifty fields. */
const mostValues = 1_000_000;
const mostKeys = 10_000;
/** More than any field or operation accepts. */
const mostItems = 200_000;
/** Bytes of the longest text of a field: two million characters, each escaped. */
const longestText = 12_000_002;
/** Bytes of white space, or of a number or word. */
const longestRun = 65_536;
const longestKey = 10_000;
/** Bytes between two looks at the clock. */
const stride = 65_536;

/** The ends of all values longer than a piece, by their starts. */
export type LongValues = ReadonlyMap<number, number>;

/** The end of the text that begins at `start`; `bytes.length` if it does not end. */
export function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at++;
  }
  return bytes.length;
}

/**
 * Scans `bytes` in slices. Throws VALIDATION_ERROR for too many or too long values and unbalanced brackets, and the reason
 * of `signal` when that is aborted.
 */
export async function longValues(bytes: Uint8Array, signal: AbortSignal, pieceLength: number): Promise<LongValues> {
  const layout = new Layout(bytes, pieceLength);
  while (layout.goOn(stride)) if (sliceIsOver()) await nextSlice(signal);
  return layout.long;
}

/** A list or object that is not closed yet. */
interface Open {
  readonly start: number;
  readonly closing: number;
  keys: number;
  commas: number;
}

class Layout {
  readonly long = new Map<number, number>();
  readonly #bytes: Uint8Array;
  readonly #pieceLength: number;
  readonly #open: Open[] = [];
  #at = 0;
  /** The start of the current text. */
  #text: number | undefined;
  /** The position after the last byte that is neither white space nor part of a number or word. */
  #runStart = 0;
  #lastText = { start: 0, length: 0 };
  #values = 0;

  constructor(bytes: Uint8Array, pieceLength: number) {
    this.#bytes = bytes;
    this.#pieceLength = pieceLength;
  }

  /** Scans further bytes; returns false at the end. */
  goOn(count: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, this.#at + count);
    while (this.#at < end) {
      const at = this.#at++;
      const byte = bytes[at] ?? 0;
      if (this.#text !== undefined) {
        if (byte === backslash) this.#at++;
        else if (byte === quote) this.#endText(this.#text, at + 1);
      } else if (isSign(byte)) this.#sign(byte, at);
    }
    if (end < bytes.length) return true;
    if (this.#text !== undefined || this.#open.length > 0) throw notJson('Unexpected end of JSON input');
    this.#endRun(bytes.length);
    return false;
  }

  #sign(byte: number, at: number): void {
    this.#endRun(at);
    this.#runStart = at + 1;
    const open = this.#open.at(-1);
    if (byte === quote) this.#text = at;
    else if (opens(byte)) this.#enter(byte, at);
    else if (closes(byte)) this.#leave(byte, at + 1);
    else if (!open) throw notJsonNear(at);
    else if (byte === comma) this.#comma(open);
    else this.#key(open);
  }

  #comma(open: Open): void {
    this.#count();
    if (++open.commas >= mostItems)
      throw errors.validation(`A list in the body has more than ${mostItems.toLocaleString('en')} items`);
  }

  /** Checks the text before a colon. */
  #key(open: Open): void {
    if (++open.keys > mostKeys)
      throw errors.validation(`An object in the body has more than ${mostKeys.toLocaleString('en')} keys`);
    if (this.#lastText.length > longestKey)
      throw errors.validation(`The body has a key of more than ${longestKey.toLocaleString('en')} bytes`);
    this.long.delete(this.#lastText.start);
  }

  #enter(byte: number, at: number): void {
    this.#count();
    if (this.#open.length === 0 && this.#values > 1) throw notJsonNear(at);
    if (this.#open.length === maxDepth)
      throw errors.validation(`A value in the body is nested deeper than ${maxDepth} levels`);
    this.#open.push({ start: at, closing: byte === openList ? closeList : closeObject, keys: 0, commas: 0 });
  }

  #leave(byte: number, end: number): void {
    const open = this.#open.pop();
    if (open?.closing !== byte) throw notJsonNear(end - 1);
    this.#note(open.start, end);
  }

  #endText(start: number, end: number): void {
    this.#text = undefined;
    this.#runStart = end;
    this.#lastText = { start, length: end - start };
    if (end - start > longestText)
      throw errors.validation('A text in the body is longer than any field takes: two million characters');
    this.#note(start, end);
  }

  #note(start: number, end: number): void {
    if (end - start > this.#pieceLength) this.long.set(start, end);
  }

  #count(): void {
    if (++this.#values > mostValues)
      throw errors.validation(`The body holds more than ${mostValues.toLocaleString('en')} values; send it in parts`);
  }

  #endRun(at: number): void {
    if (at - this.#runStart > longestRun)
      throw errors.validation(
        `The body has more than ${longestRun.toLocaleString('en')} bytes of white space or of a number`,
      );
  }
}

function isSign(byte: number): boolean {
  return byte === quote || byte === comma || byte === colon || opens(byte) || closes(byte);
}

/** An error with the parser's own words. */
export function notJson(reason: string): Error {
  return errors.validation(`The body is not valid JSON: ${reason}`);
}

/** An error of a body that is parsed in parts: its position is in bytes, as those within a part would be wrong. */
export function notJsonNear(at: number, reason = 'Unexpected token'): Error {
  return notJson(`${reason.replace(/ in JSON at position .*$/s, '')} near byte ${at}`);
}
