/** The stored state of an import. */
import type { ImportOptions } from '../executing/carry-out.ts';
import type { MappingEntry } from '../mapping/entry.ts';
import type { Reason } from '../reasons.ts';

/** The states of an import. [decisions: Shapes the specification does not show] */
export const importStatuses = [
  'analyzed',
  'previewed',
  'queued',
  'running',
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
  'expired',
] as const;

/** How the file is to be imported. */
export interface Choice {
  readonly mapping: readonly MappingEntry[];
  /** The columns mapped by the user; the others are mapped as proposed. */
  readonly said?: readonly string[];
  readonly options: ImportOptions;
  /** The hash of the preview that the import must match. */
  readonly hash?: string;
}

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

const noCounts: Counts = { created: 0, updated: 0, skipped: 0, failed: 0 };

/** The result of a trial. */
export interface Preview extends Counts {
  readonly hash: string;
  /** The number of tried rows: all, unless there are very many. */
  readonly rows: number;
}

/** A row whose result differs from the preview. */
export interface MovedRow {
  readonly index: number;
  readonly previewed: string;
  readonly now: string;
}

/** The results so far. */
export interface Outcome extends Counts {
  /** Rows whose records exist, and rows refused since another record has their unique value. */
  readonly duplicates: { readonly existing: number; readonly refused: number };
  readonly warnings: number;
  readonly made: Readonly<Record<string, number>>;
  readonly problems: readonly Reason[];
  readonly notes: readonly Reason[];
  readonly moved: readonly MovedRow[];
  readonly fields: readonly string[];
}

export const nothingYet: Outcome = {
  ...noCounts,
  duplicates: { existing: 0, refused: 0 },
  warnings: 0,
  made: {},
  problems: [],
  notes: [],
  moved: [],
  fields: [],
};
