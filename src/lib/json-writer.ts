/** JSON text of what may be large, in slices: the platform's own writer takes a value as a whole. */
import { joined, type LongText } from './long-text.ts';
import { nextSlice, sliceIsOver } from './slices.ts';

/** What is nested deeper is written at once: of a list of objects with lists of fields, a field. */
const deepest = 4;

/** What `JSON.stringify` makes of `value`, which is an object or a list. */
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

/** Lists and plain objects; what has a form of its own, as digits have, is left to the platform. */
function isTakenApart(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** A key without a value is left out. */
function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
