/** Shared by the steps of an unmerge. */
import type { ObjectDef } from '../../model/model.ts';
import type { Ambiguities } from './ambiguous.ts';
import type { Moved, StoredMerge } from './moved.ts';
import type { Touched } from './touched.ts';

/** A duplicate to restore, and the context of the steps. */
export interface GivingBack {
  readonly object: ObjectDef;
  readonly masterId: string;
  readonly id: string;
  readonly historyId: string;
  /** The change set being undone as a whole: its later edits go with the merge. */
  readonly undoing?: string | undefined;
  readonly moved: Moved;
  /** Other duplicates that stay merged into the master. */
  readonly siblings: ReadonlyMap<string, StoredMerge>;
  readonly touched: Touched;
  readonly ambiguous: Ambiguities;
  /** Counts a restored value of the duplicate. */
  count(key: string): void;
}
