/** Bytes from outside, read from their beginning to their end. */

/** They end before what they announce. */
export class BytesEnd extends Error {}

/** Gives them one after the other; numbers have their least byte first. Each throws BytesEnd where there are not so many. */
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
    return this.#view.getUint8(this.#over(1));
  }

  uint16(): number {
    return this.#view.getUint16(this.#over(2), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.#over(4), true);
  }

  /** So many, without a copy of them. Throws BytesEnd. */
  take(length: number): Uint8Array {
    const start = this.#over(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** So many, and those after them up to a whole number of fours. */
  takePadded(length: number): Uint8Array {
    const taken = this.take(length);
    this.#over(Math.min(this.left, -length & 3));
    return taken;
  }

  #over(length: number): number {
    const start = this.#at;
    if (length > this.left) throw new BytesEnd('The bytes end before what they announce');
    this.#at += length;
    return start;
  }
}
