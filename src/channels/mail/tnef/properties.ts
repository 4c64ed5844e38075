/** Parses the list of a message's properties. [MS-OXTNEF 2.1.3.5, MS-OXCDATA 2.11] */
import { BytesEnd, BytesReader } from './bytes-reader.ts';

export interface Property {
  readonly type: number;
  /** The first value, which is mostly the only one. */
  readonly bytes: Uint8Array;
}

/** Properties by id: a number such as `1000`, or `{set}/820d` and `{set}/name` for named properties. */
export type Properties = ReadonlyMap<string, Property>;

/** Properties per message. */
const mostProperties = 10_000;

const multiValued = 0x10_00;
const firstNamed = 0x80_00;
/** Types of variable length: 8-bit and 16-bit texts, embedded objects, binary data. */
const variableLength = new Set([0x1e, 0x1f, 0x0d, 0x1_02]);
/** Lengths of fixed types, if they differ from four bytes. */
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

/** Parses the properties as far as possible. */
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
      if (value && !found.has(name)) found.set(name, { type: type & ~multiValued, bytes: value });
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

/** Reads all values of a property; returns the first. */
function valueIn(reader: BytesReader, type: number): Uint8Array | undefined {
  const own = type & ~multiValued;
  const isVariable = variableLength.has(own);
  const count = isVariable || (type & multiValued) !== 0 ? reader.uint32() : 1;
  let first: Uint8Array | undefined;
  for (let at = 0; at < count; at++) {
    const length = isVariable ? reader.uint32() : (lengths.get(own) ?? 4);
    // Empty values could be announced without limit.
    if (!isVariable && length === 0) break;
    const value = reader.takePadded(length);
    first ??= value;
  }
  return first;
}
