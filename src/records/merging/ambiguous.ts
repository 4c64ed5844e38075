/** What an unmerge leaves with the master since nobody can tell whose it is. */

export interface Ambiguity {
  readonly object_name: string;
  readonly record_id: string;
  /** Of the record; `lists` for an entry of one. */
  readonly field: string;
  readonly reason: string;
}

/** So many are told one by one. */
const mostTold = 100;

export class Ambiguities {
  readonly told: Ambiguity[] = [];
  count = 0;

  add(ambiguity: Ambiguity): void {
    if (this.count++ < mostTold) this.told.push(ambiguity);
  }
}
