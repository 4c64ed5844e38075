/** Canonical JSON text, independent of key order, in pieces. */
import { isObject, type Json, type JsonObject } from '../lib/json.ts';

/** The fewest characters of a piece. */
const pieceLength = 16_384;

/** Pieces that together are the JSON text of `value` with sorted keys. */
export function* canonicalPieces(value: Json): Generator<string, void, undefined> {
  const written = { text: '' };
  yield* write(value, written);
  yield written.text;
}

function* write(value: Json, written: { text: string }): Generator<string, void, undefined> {
  if (written.text.length > pieceLength) {
    yield written.text;
    written.text = '';
  }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      written.text += at === 0 ? '[' : ',';
      yield* write(item, written);
    }
    written.text += value.length === 0 ? '[]' : ']';
  } else if (isObject(value)) {
    const entries = inOrder(value);
    for (const [at, [key, item]] of entries.entries()) {
      written.text += `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`;
      yield* write(item, written);
    }
    written.text += entries.length === 0 ? '{}' : '}';
  } else written.text += JSON.stringify(value);
}

/** Sorted entries; an object would put keys that look like numbers first. */
function inOrder(value: JsonObject): [string, Json][] {
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.entries(Object.fromEntries(sorted));
}
