/** Decompresses the RTF in message properties. [MS-OXRTFCP] */
import { BytesReader } from './bytes-reader.ts';

/** The initial contents of the dictionary. */
const initialDictionary =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

const compressed = 0x75_46_5a_4c;
const plain = 0x41_4c_45_4d;
const dictionarySize = 4_096;
/** Bytes of decompressed RTF, which bounds decompression bombs. */
const mostBytes = 8 * 1024 * 1024;

/** Decompresses RTF as far as possible; undefined for another format. Throws BytesEnd without a complete header. */
export function decompressRtf(bytes: Uint8Array): Uint8Array | undefined {
  const reader = new BytesReader(bytes);
  reader.uint32();
  const size = Math.min(reader.uint32(), mostBytes);
  const kind = reader.uint32();
  reader.uint32();
  if (kind === plain) return reader.take(Math.min(size, reader.left));
  return kind === compressed ? inflated(reader, size) : undefined;
}

function inflated(reader: BytesReader, size: number): Uint8Array {
  const dictionary = new Uint8Array(dictionarySize);
  let written = Buffer.from(dictionary.buffer).write(initialDictionary, 'latin1');
  const out = new Uint8Array(size);
  let length = 0;
  const put = (byte: number) => {
    dictionary[written++ % dictionarySize] = byte;
    if (length < size) out[length++] = byte;
  };
  while (length < size && reader.left > 0) {
    const flags = reader.uint8();
    for (let bit = 0; bit < 8 && length < size && reader.left > 0; bit++) {
      if ((flags & (1 << bit)) === 0) {
        put(reader.uint8());
        continue;
      }
      if (reader.left < 2) return out.subarray(0, length);
      const reference = (reader.uint8() << 8) | reader.uint8();
      const from = reference >> 4;
      // A reference to the write position marks the end.
      if (from === written % dictionarySize) return out.subarray(0, length);
      for (let at = 0; at < (reference & 0xf) + 2; at++) put(dictionary[(from + at) % dictionarySize]!);
    }
  }
  return out.subarray(0, length);
}
