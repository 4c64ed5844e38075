/** Records what a merge moves, by duplicate, and how much of it the master got. */
import { nothingMoved, type Counts, type Moved } from './moved.ts';

/** Filled during the merge, and stored at its end. */
export class Ledger {
  readonly #moved: ReadonlyMap<string, Moved>;
  readonly #counts: ReadonlyMap<string, Record<string, number>>;

  constructor(duplicateIds: readonly string[]) {
    this.#moved = new Map(duplicateIds.map((id) => [id, nothingMoved()]));
    this.#counts = new Map(duplicateIds.map((id) => [id, {}]));
  }

  /** The record of the duplicate. */
  of(id: string): Moved {
    const moved = this.#moved.get(id);
    if (!moved) throw new Error(`${id} is not being merged`);
    return moved;
  }

  /** Counts a value that the master got from the duplicate; `key` is a field's id, or `lists`. */
  count(id: string, key: string): void {
    const counts = this.#counts.get(id);
    if (counts) counts[key] = (counts[key] ?? 0) + 1;
  }

  merges(): readonly { readonly id: string; readonly moved: Moved; readonly counts: Counts }[] {
    return [...this.#moved].map(([id, moved]) => ({ id, moved, counts: this.#counts.get(id) ?? {} }));
  }
}
