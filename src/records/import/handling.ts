/** How the rows of a file are treated: invalid cells, unknown names, and existing records. */
import type { FieldDef } from '../../fields/field-def.ts';
import type { FieldsToCome } from './executing/fields-to-come.ts';
import type { Lookup } from './mapping/entry.ts';

/** What happens to a row whose record exists. */
export const duplicateStrategies = ['create', 'update', 'skip'] as const;
export type DuplicateStrategy = (typeof duplicateStrategies)[number];

export interface Handling {
  /** `empty`: an invalid cell leaves an optional field empty, with a warning. `fail`: its row fails. */
  readonly badCells: 'fail' | 'empty';
  /** Fields mapped by a guess: an invalid cell always leaves them empty. */
  readonly guessed: ReadonlySet<string>;
  /** How named records are found, by field name; defaults to their label. */
  readonly lookups: ReadonlyMap<string, Lookup>;
  readonly strategy: DuplicateStrategy;
  /** A row matches the record that has its value of one of these. */
  readonly matchFields: readonly FieldDef[];
  /** Fields that are tried before they are created. */
  readonly toCome?: FieldsToCome;
}

/** The handling of the specified import and of a batch. */
export const defaultHandling: Handling = {
  badCells: 'fail',
  guessed: new Set(),
  lookups: new Map(),
  strategy: 'create',
  matchFields: [],
};
