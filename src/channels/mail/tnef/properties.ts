/** Properties of a message as they stand one after the other. [MS-OXTNEF 2.1.3.5, MS-OXCDATA 2.11] */
import { BytesEnd, BytesReader } from './bytes-reader.ts';

export interface Property {
  readonly type: number;
  /** Its first value, which is mostly the only one. */
  readonly bytes: Uint8Array;
}

/** By what they are called: `1000` for the one with that number, `{set}/820d` and `{set}/name` for those with names of their own. */
export type Properties = ReadonlyMap<string, Property>;

/** Of one message; nobody has more. */
const mostProperties = 10_000;

const isMany = 0x10_00;
const firstNamed = 0x80_00;
/** Texts of one byte a character and of two, embedded objects, bytes. */
const ofAnyLength = new Set([0x1e, 0x1f, 0x0d, 0x1_02]);
/** What takes another length than four bytes. */
const lengths: ReadonlyMap<number, number> = new Map([
  [0x00, 0],
  [0x01, 0],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
]);

/** The properties, as far as they can be read. */
export function readProperties(bytes: Uint8Array): Properties {
  const reader = new BytesReader(bytes);
  const found = new Map<string, Property>();
  try {
    const count = Math.min(reader.uint32(), mostProperties);
    for (let at = 0; at < count; at++) {
      const type = reader.uint16();
      const number = reader.uint16();
      const name = number >= firstNamed ? nameIn(reader) : number.toString(16).padStart(4, '0');
      const value = valueIn(reader, type);
      if (value && !found.has(name)) found.set(name, { type: type & ~isMany, bytes: value });
    }
  } catch (error) {
    if (!(error instanceof BytesEnd)) throw error;
  }
  return found;
}

function nameIn(reader: BytesReader): string {
  const set = guidIn(reader.take(16));
  if (reader.uint32() === 0) return `${set}/${reader.uint32().toString(16)}`;
  const name = new TextDecoder('utf-16le').decode(reader.takePadded(reader.uint32()));
  return `${set}/${name.replace(/\0.*$/s, '')}`;
}

function guidIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The first of its values. */
function valueIn(reader: BytesReader, type: number): Uint8Array | undefined {
  const own = type & ~isMany;
  const isLong = ofAnyLength.has(own);
  const count = isLong || (type & isMany) !== 0 ? reader.uint32() : 1;
  let first: Uint8Array | undefined;
  for (let at = 0; at < count; at++) {
    const length = isLong ? reader.uint32() : (lengths.get(own) ?? 4);
    // What takes no bytes could be announced without end.
    if (!isLong && length === 0) break;
    const value = reader.takePadded(length);
    first ??= value;
  }
  return first;
}
