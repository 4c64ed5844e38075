/** Problems of a manifest, reported together with their places. */
import { Mistakes } from '../errors.ts';

/** Collects the problems of one manifest with their places. */
export class Problems {
  /** Whether the limits of lists apply; stored workspaces may exceed them. */
  readonly boundsLists: boolean;
  readonly #mistakes = new Mistakes();

  constructor({ boundsLists } = { boundsLists: true }) {
    this.boundsLists = boundsLists;
  }

  get any(): boolean {
    return this.#mistakes.count > 0;
  }

  /** Adds a problem; `message` continues the place: `must be …`. */
  add(place: string, message: string): void {
    this.#mistakes.add({ field: place, message: place === '' ? message : `${place} ${message}` });
  }

  /** Throws VALIDATION_ERROR with all problems, if there are any. */
  refuse(): void {
    this.#mistakes.refuse();
  }
}
