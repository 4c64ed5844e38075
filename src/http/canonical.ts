/** The text of a JSON value that is the same whatever the order of its keys, in pieces. */
import { isObject, type Json, type JsonObject } from '../lib/json.ts';

/** Characters of a piece, at least. */
const pieceLength = 16_384;

/** Pieces which together are the JSON text of `value`, its keys in one order. */
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

/** Sorted; an object made of that has keys that look like numbers first. */
function inOrder(value: JsonObject): [string, Json][] {
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.entries(Object.fromEntries(sorted));
}
