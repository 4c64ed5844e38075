/** Streams ZIP archives: the contents are read as fast as the archive is. */
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { errors } from '../../errors.ts';

export interface ZipFile {
  readonly name: string;
  readonly content: Iterable<string> | AsyncIterable<string>;
}

/** Sums of a file, known when all of it has been read. */
interface Sums {
  crc: number;
  bytes: number;
  packed: number;
}

/** Sizes have 32 bits. */
const mostBytes = 0xffff_ffff;

const localSignature = 0x0403_4b50;
const sumsSignature = 0x0807_4b50;
const centralSignature = 0x0201_4b50;
const endSignature = 0x0605_4b50;

/** The archive of the files, in order. Throws VALIDATION_ERROR where it would reach 4 GiB. */
export async function* zip(files: readonly ZipFile[]): AsyncGenerator<Uint8Array> {
  const central: Buffer[] = [];
  let written = 0;
  for (const { name, content } of files) {
    const [at, sums] = [written, { crc: 0, bytes: 0, packed: 0 }];
    const head = Buffer.concat([
      uint32(localSignature),
      about(name, { crc: 0, bytes: 0, packed: 0 }),
      Buffer.from(name),
    ]);
    written += head.length;
    yield head;
    for await (const piece of deflated(content, sums)) {
      written += piece.length;
      if (Math.max(written, sums.bytes) > mostBytes) throw errors.validation('The file would have more than 4 GiB');
      yield piece;
    }
    const tail = uint32(sumsSignature, sums.crc, sums.packed, sums.bytes);
    written += tail.length;
    yield tail;
    central.push(centralEntry(name, sums, at));
  }
  const entries = Buffer.concat(central);
  const count = files.length + files.length * 0x1_0000;
  yield Buffer.concat([entries, uint32(endSignature, 0, count, entries.length, written), Buffer.alloc(2)]);
}

async function* deflated(content: ZipFile['content'], sums: Sums): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw();
  // A failure of either end destroys the other, and is thrown by the loop below.
  pipeline(Readable.from(summed(content, sums), { objectMode: false }), deflate, () => {});
  for await (const piece of deflate as AsyncIterable<Buffer>) {
    sums.packed += piece.length;
    yield piece;
  }
}

async function* summed(content: ZipFile['content'], sums: Sums): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text);
    sums.crc = crc32(bytes, sums.crc);
    sums.bytes += bytes.length;
    if (bytes.length > 0) yield bytes;
  }
}

/**
 * The fields shared by both headers of a file: deflated, a UTF-8 name, sums after the contents, and the format's
 * earliest date.
 */
function about(name: string, { crc, bytes, packed }: Sums): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x0808, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt16LE(0x21, 8);
  uint32(crc, packed, bytes).copy(fields, 10);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

function centralEntry(name: string, sums: Sums, at: number): Buffer {
  const madeBy = Buffer.from([20, 0]);
  const unused = Buffer.alloc(10);
  return Buffer.concat([uint32(centralSignature), madeBy, about(name, sums), unused, uint32(at), Buffer.from(name)]);
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
}
