/** When one identity's requests came in: a ring of times that grows to the limit of its policy and never beyond. */

const firstCapacity = 8;

export class RequestLog {
  #times = new Float64Array(firstCapacity);
  #oldest = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The earliest time in the log; undefined when it is empty. */
  get oldest(): number | undefined {
    return this.#count === 0 ? undefined : this.#times[this.#oldest];
  }

  /** Drops what came in at `time` or before. */
  dropUntil(time: number): void {
    while (this.#count > 0 && this.#times[this.#oldest]! <= time) {
      this.#oldest = (this.#oldest + 1) % this.#times.length;
      this.#count--;
    }
  }

  /** Adds a request; times must not go backwards. */
  add(time: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#oldest + this.#count) % this.#times.length] = time;
    this.#count++;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times.subarray(this.#oldest));
    times.set(this.#times.subarray(0, this.#oldest), this.#times.length - this.#oldest);
    this.#times = times;
    this.#oldest = 0;
  }
}
