/** What an unmerge leaves unchanged, since its origin is no longer clear. */

/** A field changed by a merge and edited since. */
export interface Ambiguity {
  readonly object_name: string;
  readonly record_id: string;
  /** The field's name; `lists` for a list entry. */
  readonly field: string;
  readonly reason: string;
}

/** The number reported individually. */
const mostReported = 100;

/** Collects the ambiguities of one unmerge: counts all, reports the first. */
export class Ambiguities {
  readonly reported: Ambiguity[] = [];
  count = 0;

  add(ambiguity: Ambiguity): void {
    if (this.count++ < mostReported) this.reported.push(ambiguity);
  }
}
