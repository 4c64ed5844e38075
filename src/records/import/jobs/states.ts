/** What is kept of an import beside its file. */
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
  /** The columns of which somebody has said where they go; the others are where they are proposed to go. */
  readonly said?: readonly string[];
  readonly options: ImportOptions;
  /** The hash of the preview that is to be held to. */
  readonly hash?: string;
}

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

const noCounts: Counts = { created: 0, updated: 0, skipped: 0, failed: 0 };

/** What a trial has shown. */
export interface Preview extends Counts {
  readonly hash: string;
  /** Rows that were tried: all of them, unless there are very many. */
  readonly rows: number;
}

/** A row that is another than the preview has said. */
export interface Moved {
  readonly index: number;
  readonly previewed: string;
  readonly now: string;
}

/** What came of it so far. */
export interface Outcome extends Counts {
  /** Rows that are records already, and rows that are refused since another record has a value that is theirs. */
  readonly duplicates: { readonly existing: number; readonly refused: number };
  readonly warnings: number;
  readonly made: Readonly<Record<string, number>>;
  readonly problems: readonly Reason[];
  readonly notes: readonly Reason[];
  readonly moved: readonly Moved[];
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
