/** The types of migrations. A released migration is never changed; the next one corrects it. */

/** Statements for the schema `kith`, separated by semicolons. */
export interface ControlMigration {
  readonly version: number;
  readonly name: string;
  readonly script: string;
}

/** An index on a table that may already have many rows. */
export interface LargeIndex {
  readonly name: string;
  readonly table: string;
  /** The definition after the table's name. */
  readonly definition: string;
}

/**
 * Statements for one organization; `script` takes its quoted schema. Their duration must not depend on the number of
 * rows.
 */
export interface OrganizationMigration {
  readonly version: number;
  readonly name: string;
  readonly script: (schema: string) => string;
  /** Indexes, created after the script without blocking readers and writers. */
  readonly indexes?: readonly LargeIndex[];
}
