/** Mistakes in a manifest: all are told at once, each with its place. */
import { Mistakes } from '../errors.ts';

/** What is wrong with one manifest, each with its place in it. All of it is looked for before it is refused. */
export class Problems {
  /** Whether lists may be as long as a manifest's at most: what is stored already may be longer. */
  readonly boundsLists: boolean;
  readonly #mistakes = new Mistakes();

  constructor({ boundsLists } = { boundsLists: true }) {
    this.boundsLists = boundsLists;
  }

  get any(): boolean {
    return this.#mistakes.count > 0;
  }

  /** `message` goes on after the place: `must be …`. */
  add(place: string, message: string): void {
    this.#mistakes.add({ field: place, message: place === '' ? message : `${place} ${message}` });
  }

  /** Throws VALIDATION_ERROR with all of them, if there is one. */
  refuse(): void {
    this.#mistakes.refuse();
  }
}
