/** What a change of the model means for the tables. */
import type { Sql } from '../postgres/sql.ts';
import type { Change } from './changes.ts';

/** Rows to count before the change. */
export interface Count {
  /** The change that they belong to. */
  readonly of: Pick<Change, 'kind' | 'name' | 'object' | 'pipeline'>;
  /** The condition in words: `projects.budget has a value`. */
  readonly what: string;
  /** Counts them, on the tables as they are. */
  readonly query: Sql;
}

export interface StorageChange {
  /** Existing tables that change, by their current names: writes to them are blocked. */
  readonly tables: Set<string>;
  /** If one counts rows, the change destroys values. */
  readonly losses: Count[];
  /** If one counts rows, the change is impossible. */
  readonly obstacles: Count[];
  /** DDL of tables with new names, which can run before tables are locked. */
  readonly newTables: string[];
  /** In order. */
  readonly statements: Sql[];
  /** DDL of new tables whose names become free by `statements`. */
  readonly scripts: string[];
}
