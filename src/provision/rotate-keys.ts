/** Reseals with the newest root secret what an earlier one has sealed: datasource URLs and organizations' data keys. */
import { newDataKey, resealedDataKey } from '../auth/data-key.ts';
import { isKnown } from '../auth/seal.ts';
import type { Organization } from '../directory/directory.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from './deps.ts';

export interface RotatedKeys {
  /** The id of the new sealing key. */
  readonly keyId: string;
  readonly reencrypted: number;
  /** Organizations that got a new data key, since no secret opened theirs. */
  readonly replaced: number;
  /** What could not be opened, or is on a datasource that does not answer. */
  readonly failed: readonly { readonly what: string; readonly message: string }[];
}

/**
 * Reseals everything; may run beside services that know both secrets, and be repeated. With `replaceLost`,
 * organizations whose data key no available secret opens get a new one; the answers stored for their Idempotency-Keys
 * are lost with the old one.
 */
export async function rotateKeys({ directory, keyring }: ProvisionDeps, replaceLost = false): Promise<RotatedKeys> {
  const failed: { what: string; message: string }[] = [];
  let reencrypted = 0;
  let replaced = 0;
  const attempt = async (what: string, work: () => Promise<boolean>) => {
    try {
      if (await work()) reencrypted++;
    } catch (error) {
      failed.push({ what, message: messageOf(error) });
    }
  };
  for (const { id, name } of await directory.datasources()) {
    await attempt(`datasource ${name}`, () => directory.resealDatasource(id));
  }
  for (const organization of await directory.organizations()) {
    await attempt(`organization ${organization.id}`, async () => {
      if (replaceLost && (await replaceDataKey({ directory, keyring }, organization))) replaced++;
      return resealDataKey({ directory, keyring }, organization);
    });
  }
  return { keyId: keyring.current('seal').id, reencrypted, replaced, failed };
}

async function resealDataKey(
  { directory, keyring }: Pick<ProvisionDeps, 'directory' | 'keyring'>,
  organization: Organization,
): Promise<boolean> {
  const database = await directory.databaseOf(organization);
  const table = identifier(organization.schema, '_organization');
  const stored = await storedDataKey(database, organization);
  const resealed = resealedDataKey(keyring, organization, stored);
  if (resealed === undefined) return false;
  // Replaces only the value that was read: a concurrent rotation may have been faster.
  const update = sql`update ${table} set data_key = ${resealed} where data_key = ${stored}`;
  return (await database.run(organization.id, statement(update))).count > 0;
}

/** Only where no available secret has sealed it. */
async function replaceDataKey(
  { directory, keyring }: Pick<ProvisionDeps, 'directory' | 'keyring'>,
  organization: Organization,
): Promise<boolean> {
  const database = await directory.databaseOf(organization);
  const stored = await storedDataKey(database, organization);
  if (isKnown(keyring, stored)) return false;
  const table = identifier(organization.schema, '_organization');
  const fresh = newDataKey(keyring, organization);
  return database.transaction(organization.id, async (tx) => {
    const update = sql`update ${table} set data_key = ${fresh} where data_key = ${stored}`;
    const { count } = await tx.run(statement(update));
    if (count > 0) await tx.run(statement(sql`delete from ${identifier(organization.schema, '_idempotency')}`));
    return count > 0;
  });
}

async function storedDataKey(database: Database, { id, schema }: Organization): Promise<string> {
  const query = sql`select data_key from ${identifier(schema, '_organization')}`;
  const stored = (await database.run(id, statement(query))).rows[0]?.[0];
  if (typeof stored !== 'string') throw new Error('The organization has no data key');
  return stored;
}
