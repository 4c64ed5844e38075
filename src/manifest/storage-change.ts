/** What a change of the model means for the tables. */
import type { Sql } from '../postgres/sql.ts';
import type { Change } from './changes.ts';

/** Rows to be counted before anything is done. */
export interface Count {
  /** The change that they belong to. */
  readonly of: Pick<Change, 'kind' | 'name' | 'object' | 'pipeline'>;
  /** What they have: `projects.budget has a value`. */
  readonly what: string;
  /** A statement that counts them, on the tables as they are. */
  readonly query: Sql;
}

export interface StorageChange {
  /** Tables that are there and change, by their names now: nobody writes to them meanwhile. */
  readonly tables: Set<string>;
  /** Where there is one, the change destroys values. */
  readonly losses: Count[];
  /** Where there is one, the change cannot be. */
  readonly obstacles: Count[];
  /** DDL of tables under names that nothing has: nobody waits for them, so that it may come before the tables are locked. */
  readonly newTables: string[];
  /** In order. */
  readonly statements: Sql[];
  /** DDL of new tables under names that become free by the statements. */
  readonly scripts: string[];
}
