/** Seals anew, under the newest root secret, what an earlier one has sealed: addresses of datasources and data keys of organizations. */
import { resealedDataKey } from '../auth/data-key.ts';
import type { Organization } from '../directory/directory.ts';
import { messageOf } from '../lib/thrown.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from './deps.ts';

export interface RotatedKeys {
  /** Of the key that seals from now on. */
  readonly keyId: string;
  readonly reencrypted: number;
  /** What could not be opened, or lies where nothing answers. */
  readonly failed: readonly { readonly what: string; readonly message: string }[];
}

/** May run beside services that know both secrets, and be repeated. */
export async function rotateKeys({ directory, keyring }: ProvisionDeps): Promise<RotatedKeys> {
  const failed: { what: string; message: string }[] = [];
  let reencrypted = 0;
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
    await attempt(`organization ${organization.id}`, () => resealDataKey({ directory, keyring }, organization));
  }
  return { keyId: keyring.current('seal').id, reencrypted, failed };
}

async function resealDataKey(
  { directory, keyring }: Pick<ProvisionDeps, 'directory' | 'keyring'>,
  organization: Organization,
): Promise<boolean> {
  const database = await directory.databaseOf(organization);
  const table = identifier(organization.schema, '_organization');
  const { rows } = await database.run(organization.id, statement(sql`select data_key from ${table}`));
  const stored = rows[0]?.[0];
  if (typeof stored !== 'string') throw new Error('The organization has no data key');
  const resealed = resealedDataKey(keyring, organization, stored);
  if (resealed === undefined) return false;
  // Only what was read is replaced: another rotation may have been quicker.
  const update = sql`update ${table} set data_key = ${resealed} where data_key = ${stored}`;
  return (await database.run(organization.id, statement(update))).count > 0;
}
