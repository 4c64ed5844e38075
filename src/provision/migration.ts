/** What a migration is. One that was released is never changed; the next one corrects it. */

/** Statements for the schema `kith`, separated by semicolons. */
export interface ControlMigration {
  readonly version: number;
  readonly name: string;
  readonly script: string;
}

/** Statements for one organization; `script` takes its quoted schema. */
export interface OrganizationMigration {
  readonly version: number;
  readonly name: string;
  readonly script: (schema: string) => string;
}
