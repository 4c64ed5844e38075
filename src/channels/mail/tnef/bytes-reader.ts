/** Reads binary formats from outside. */

/** Thrown if the data is shorter than announced. */
export class BytesEnd extends Error {}

/** Reads bytes in sequence; numbers are little-endian. Every read throws BytesEnd past the end. */
export class BytesReader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  uint8(): number {
    return this.#view.getUint8(this.#skip(1));
  }

  uint16(): number {
    return this.#view.getUint16(this.#skip(2), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.#skip(4), true);
  }

  /** The next `length` bytes, without copying. Throws BytesEnd. */
  take(length: number): Uint8Array {
    const start = this.#skip(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** The next `length` bytes; also skips their padding to a multiple of four. Throws BytesEnd. */
  takePadded(length: number): Uint8Array {
    const taken = this.take(length);
    this.#skip(Math.min(this.left, -length & 3));
    return taken;
  }

  /** Advances; returns the position before. */
  #skip(length: number): number {
    const start = this.#at;
    if (length > this.left) throw new BytesEnd('The bytes end before what they announce');
    this.#at += length;
    return start;
  }
}
