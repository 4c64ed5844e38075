/** Checks the root secret, and whether it decrypts the data keys. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataKeyring } from '../auth/data-key.ts';
import { isCurrent } from '../auth/seal.ts';
import type { Keyring } from '../auth/keys.ts';
import { findSecret } from '../auth/secret.ts';
import type { Organization } from '../directory/directory.ts';
import { KithError, quoted } from '../errors.ts';
import { systemFailure } from '../lib/system-failure.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { Problem } from './finding.ts';

/** Where the root secret comes from. */
export interface SecretPlace {
  readonly dataDir: string;
  readonly isConfigured: boolean;
}

/** Problems of the root secret itself. */
export async function secretProblems({ dataDir, isConfigured }: SecretPlace): Promise<readonly Problem[]> {
  if (isConfigured) return [];
  const path = join(dataDir, 'secret');
  const remedy = 'put the secret back, or set KITH_SECRET_KEY';
  try {
    if ((await findSecret(dataDir)) === undefined) return [{ text: `there is no secret in ${path}`, remedy }];
  } catch (error) {
    // With the wrong system account the file itself is fine.
    const reason = error instanceof KithError ? error.message : systemFailure(error, path);
    if (reason !== undefined) return [{ text: 'the secret cannot be read', remedy: reason }];
    return [{ text: `the secret cannot be read (${messageOf(error)})`, remedy }];
  }
  const { mode } = await stat(path);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return [];
  return [{ text: `${path} can be read by others`, remedy: `chmod 600 ${path}` }];
}

export interface DataKey {
  readonly problem?: Problem;
  /** Whether an earlier secret has encrypted it. */
  readonly isOld: boolean;
}

/** Checks whether the available secrets decrypt the organization's data key, and whether an old one was needed. */
export async function examineDataKey(
  database: Database,
  keyring: Keyring,
  organization: Organization,
): Promise<DataKey> {
  const query = sql`select data_key from ${identifier(organization.schema, '_organization')}`;
  const stored = (await database.run(organization.id, statement(query))).rows[0]?.[0] ?? '';
  try {
    dataKeyring(keyring, organization, stored);
    return { isOld: !isCurrent(keyring, stored) };
  } catch (error) {
    return { problem: unopened(`organization ${organization.id} (${quoted(organization.name)})`, error), isOld: false };
  }
}

function unopened(what: string, error: unknown): Problem {
  return {
    text: `${what} cannot be opened (${messageOf(error)})`,
    remedy:
      'put back the secret that sealed it, or name it in KITH_SECRET_KEYS_OLD and kith keys rotate; where it is lost for good, kith keys rotate --lost',
  };
}
