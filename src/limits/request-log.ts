/** The times of requests: a ring buffer that grows up to the limit of its policy. */

const firstCapacity = 8;
/** The size without times. */
const emptyBytes = 300;

/** The times of one identity's requests, in milliseconds, eight bytes each. */
export class RequestLog {
  readonly #limit: number;
  #times: Float64Array;
  #oldest = 0;
  #count = 0;

  /** `times` are sorted, and at most `limit`. */
  constructor(limit: number, times: readonly number[] = []) {
    this.#limit = limit;
    this.#times = new Float64Array(capacityFor(limit, times.length));
    this.#times.set(times);
    this.#count = times.length;
  }

  /** The size of a new log with `count` requests, at most that with `limit`. */
  static bytesFor(limit: number, count = 0): number {
    return bytesOf(capacityFor(limit, count));
  }

  get bytes(): number {
    return bytesOf(this.#times.length);
  }

  /** By how many bytes one more request makes it grow. */
  get growth(): number {
    return this.#count < this.#times.length ? 0 : bytesOf(this.#grownCapacity) - this.bytes;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the oldest must be dropped before adding. */
  get isFull(): boolean {
    return this.#count >= this.#limit;
  }

  /** The earliest time; undefined if empty. */
  get oldest(): number | undefined {
    return this.#count === 0 ? undefined : this.#times[this.#oldest];
  }

  /** The latest time; undefined if empty. */
  get newest(): number | undefined {
    return this.#count === 0 ? undefined : this.#at(this.#count - 1);
  }

  /** All times, sorted. */
  times(): number[] {
    return Array.from({ length: this.#count }, (_, index) => this.#at(index));
  }

  /** Drops times up to `time`. */
  dropUntil(time: number): void {
    while (this.#count > 0 && this.#times[this.#oldest]! <= time) {
      this.#oldest = (this.#oldest + 1) % this.#times.length;
      this.#count--;
    }
  }

  /** Adds a time to a log that is not full; times must not decrease. */
  add(time: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#oldest + this.#count) % this.#times.length] = time;
    this.#count++;
  }

  /** Drops the latest time. */
  dropNewest(): void {
    if (this.#count > 0) this.#count--;
  }

  /** A log of both. If there are too many, the latest stay: when the earliest of these leaves the window, all others have left it. */
  joined(other: RequestLog): RequestLog {
    const times = [...this.times(), ...other.times()].toSorted((a, b) => a - b);
    return new RequestLog(this.#limit, times.slice(-this.#limit));
  }

  #at(index: number): number {
    return this.#times[(this.#oldest + index) % this.#times.length]!;
  }

  get #grownCapacity(): number {
    return Math.min(this.#times.length * 2, this.#limit);
  }

  #grow(): void {
    const times = new Float64Array(this.#grownCapacity);
    times.set(this.#times.subarray(this.#oldest));
    times.set(this.#times.subarray(0, this.#oldest), this.#times.length - this.#oldest);
    this.#times = times;
    this.#oldest = 0;
  }
}

function capacityFor(limit: number, count: number): number {
  return Math.max(Math.min(firstCapacity, limit), count);
}

function bytesOf(capacity: number): number {
  return emptyBytes + capacity * Float64Array.BYTES_PER_ELEMENT;
}
