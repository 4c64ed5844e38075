/** What an unmerge leaves as it is, since nobody can tell whose it is by now. */

/** A field of a record that a merge has changed and somebody since. */
export interface Ambiguity {
  readonly object_name: string;
  readonly record_id: string;
  /** Of the record; `lists` for an entry of one. */
  readonly field: string;
  readonly reason: string;
}

/** So many are told one by one. */
const mostTold = 100;

/** Those of one unmerge: all are counted, the first are told. */
export class Ambiguities {
  readonly told: Ambiguity[] = [];
  count = 0;

  add(ambiguity: Ambiguity): void {
    if (this.count++ < mostTold) this.told.push(ambiguity);
  }
}
