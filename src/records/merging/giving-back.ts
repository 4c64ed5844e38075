/** What the steps of an unmerge share. */
import type { ObjectDef } from '../../model/model.ts';
import type { Ambiguities } from './ambiguous.ts';
import type { Moved, StoredMerge } from './moved.ts';
import type { Touched } from './touched.ts';

/** One duplicate that comes back, and all that the steps of it share. */
export interface GivingBack {
  readonly object: ObjectDef;
  readonly masterId: string;
  readonly id: string;
  readonly historyId: string;
  /** A change set that is undone as a whole: what it has edited since goes with the merge. */
  readonly undoing?: string | undefined;
  readonly moved: Moved;
  /** Other duplicates that stay merged into the master. */
  readonly siblings: ReadonlyMap<string, StoredMerge>;
  readonly touched: Touched;
  readonly ambiguous: Ambiguities;
  /** The duplicate got one more back. */
  count(key: string): void;
}
