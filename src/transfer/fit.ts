/** Checks, before anything is created, that this program could have written an organization of a backup. */
import { isDeepStrictEqual } from 'node:util';
import { errors, KithError, quoted } from '../errors.ts';
import { newId } from '../lib/id.ts';
import type { Json } from '../lib/json.ts';
import { checkStored } from '../manifest/check-stored.ts';
import type { StoredModel } from '../model/definition.ts';
import { modelQuery, readStoredModel } from '../model/load.ts';
import { schemaName } from '../model/names.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { statement } from '../postgres/sql.ts';
import { createSchema } from '../provision/create-schema.ts';
import { allMigrations, latestVersion } from '../provision/migrations.ts';
import { leftOut, type OrganizationHeading } from './contents.ts';
import { refuseOther } from './copy-organization.ts';
import { tablesOf, type Table } from './tables.ts';

/**
 * Throws NOT_SUPPORTED for an organization of a newer program, and VALIDATION_ERROR for a workspace that no manifest could
 * make, a table that backups leave out, or tables and columns that the workspace does not have. Leaves nothing in the
 * database.
 */
export async function refuseUnfit(
  database: Database,
  { id, model, schema_version: version }: OrganizationHeading,
  tables: readonly Table[],
): Promise<void> {
  if (version > latestVersion(allMigrations.organization)) {
    throw errors.notSupported('The backup was made by a newer Kith: restore it with that one');
  }
  const trialId = newId();
  const trial = { id: trialId, schema: schemaName(trialId) };
  try {
    await checkStored(trial, model as unknown as Json);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw errors.validation(`The workspace of organization ${id} in the backup cannot be: ${error.message}`);
  }
  refuseLeftOut(tables);
  const made = await triedOut(database, trial, model);
  refuseOther(tables, made);
}

/** Throws VALIDATION_ERROR if the restored rows make another workspace than the checked one. */
export async function refuseOtherWorkspace(tx: Transaction, schema: string, looked: StoredModel): Promise<void> {
  const made = await readStoredModel(await tx.run(statement(modelQuery(schema))));
  const { version, epoch } = looked;
  if (!isDeepStrictEqual({ ...made, version, epoch }, looked)) {
    throw errors.validation('The rows in the backup make another workspace than it says');
  }
}

function refuseLeftOut(tables: readonly Table[]): void {
  const seen = new Set<string>();
  for (const { name } of tables) {
    if (leftOut.has(name)) throw errors.validation(`The backup has the table ${quoted(name)}, which no backup has`);
    if (seen.has(name)) throw errors.validation(`The backup has the table ${quoted(name)} twice`);
    seen.add(name);
  }
}

const undone = new Error('A trial is not kept');

/** The tables of the workspace, as the database would create them. */
async function triedOut(
  database: Database,
  trial: { readonly id: string; readonly schema: string },
  model: StoredModel,
): Promise<readonly Table[]> {
  let made: readonly Table[] = [];
  const attempt = async (tx: Transaction) => {
    await createSchema(database.engine, tx, trial, model);
    made = await tablesOf(tx, trial.schema);
    throw undone;
  };
  await database.transaction(trial.id, attempt, Infinity).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return made;
}
