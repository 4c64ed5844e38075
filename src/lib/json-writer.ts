/** Writes the JSON of large values in slices; the platform's own function writes a value as a whole. */
import { joined, type LongText } from './long-text.ts';
import { nextSlice, sliceIsOver } from './slices.ts';

/** Values nested deeper are written at once: in a list of objects with lists of fields, a field. */
const deepest = 4;

/** The result of `JSON.stringify` for `value`, an object or a list. */
export async function writeJson(value: object): Promise<LongText> {
  const parts: string[] = [];
  for (const part of partsOf(value, 0)) {
    parts.push(part);
    if (sliceIsOver()) await nextSlice();
  }
  return joined(parts);
}

function* partsOf(value: unknown, depth: number): Generator<string, void, undefined> {
  if (depth >= deepest || !isTakenApart(value)) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield at === 0 ? '[' : ',';
      yield* partsOf(item, depth + 1);
    }
    yield value.length === 0 ? '[]' : ']';
  } else {
    let before = '{';
    for (const [key, item] of Object.entries(value)) {
      if (!isWritten(item)) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* partsOf(item, depth + 1);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** Lists and plain objects; objects with a `toJSON`, such as Digits, are left to the platform. */
function isTakenApart(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** Keys without a value are omitted. */
function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
