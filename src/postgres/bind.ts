/**
 * Encodes a statement's values for the wire. Long messages are built in slices before anything is sent: the driver
 * would build one at once, which takes a tenth of a second for ten megabytes.
 */
import { isLong, piecesOf } from '../lib/long-text.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { Value } from './sql.ts';

/** The bytes of each value, in pieces; null is NULL. */
export type EncodedValues = readonly (readonly Buffer[] | null)[];

/** The protocol's limit of values per statement. */
export const mostValues = 65_535;
/** Characters of values that the driver may encode at once. */
const mostAtOnce = 262_144;

/** Whether `values` together exceed that. */
export function areLong(values: readonly Value[]): boolean {
  let sum = 0;
  for (const value of values) sum += charactersOf(value);
  return sum > mostAtOnce;
}

/** Encodes `values` in slices. Throws the reason of `signal` when it is aborted. */
export async function encodeLong(values: readonly Value[], signal?: AbortSignal): Promise<EncodedValues> {
  const encoded: (readonly Buffer[] | null)[] = [];
  for (const value of values) {
    const bytes: Buffer[] = [];
    for (const piece of piecesOfValue(value)) {
      if (sliceIsOver()) await nextSlice(signal);
      bytes.push(Buffer.from(piece));
    }
    encoded.push(value === null ? null : bytes);
  }
  return encoded;
}

/** The value as PostgreSQL's text; null is NULL. */
export function wireText(value: Value): string | null {
  if (typeof value === 'string' || value === null) return value;
  return typeof value === 'object' ? `{${value.map(itemText).join(',')}}` : String(value);
}

/** The message that binds `encoded` to the prepared statement `name`, in pieces. */
export function bindMessage(name: string | undefined, encoded: EncodedValues): readonly Buffer[] {
  const names = Buffer.from(`\0${name ?? ''}\0`);
  const pieces = [names, int16(0), int16(encoded.length)];
  for (const bytes of encoded) pieces.push(int32(bytes === null ? -1 : lengthOf(bytes)), ...(bytes ?? []));
  // All values and all columns use the text format.
  pieces.push(int16(0));
  return [Buffer.from('B'), int32(lengthOf(pieces) + 4), ...pieces];
}

function charactersOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const item of value) sum += typeof item === 'string' ? item.length : 0;
  return sum;
}

function* piecesOfValue(value: Value): Generator<string, void, undefined> {
  if (typeof value !== 'object' || value === null) yield* piecesOf(wireText(value) ?? '');
  else yield* piecesOfList(value);
}

function* piecesOfList(value: readonly (string | number | null)[]): Generator<string, void, undefined> {
  let text = '{';
  for (const [at, item] of value.entries()) {
    text += at === 0 ? '' : ',';
    if (typeof item === 'string' && isLong(item)) {
      yield `${text}"`;
      for (const piece of piecesOf(item)) yield escaped(piece);
      text = '"';
    } else text += itemText(item);
    if (!isLong(text)) continue;
    yield text;
    text = '';
  }
  yield `${text}}`;
}

function itemText(item: string | number | null): string {
  if (typeof item !== 'string') return String(item ?? 'NULL');
  // Without special characters, JSON's quoting equals that of a list item, at a fifteenth of the time.
  return isPlain(item) ? JSON.stringify(item) : `"${escaped(item)}"`;
}

/** Whether JSON escapes nothing in the text but quotes and backslashes. */
function isPlain(text: string): boolean {
  return !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** Splitting and joining takes a fifth of the time of replacing. */
function escaped(text: string): string {
  return text
    .split('\\')
    .join(String.raw`\\`)
    .split('"')
    .join(String.raw`\"`);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
