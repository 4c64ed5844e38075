/** What a migration is. One that was released is never changed; the next one corrects it. */

/** Statements for the schema `kith`, separated by semicolons. */
export interface ControlMigration {
  readonly version: number;
  readonly name: string;
  readonly script: string;
}

/** An index on a table that may have many rows by then. */
export interface LargeIndex {
  readonly name: string;
  readonly table: string;
  /** What follows the table's name. */
  readonly definition: string;
}

/** Statements for one organization; `script` takes its quoted schema. None of them may take longer where there are more rows. */
export interface OrganizationMigration {
  readonly version: number;
  readonly name: string;
  readonly script: (schema: string) => string;
  /** What does take longer: made after the script, beside readers and writers. */
  readonly indexes?: readonly LargeIndex[];
}
