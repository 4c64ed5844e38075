/** The keys of a backup, which authenticate it and encrypt its data keys: from a passphrase, or the root secret. */
import { hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { openDataKey, sealDataKey } from '../auth/data-key.ts';
import { createKeyring, type Keyring } from '../auth/keys.ts';
import { open, seal } from '../auth/seal.ts';
import { errors } from '../errors.ts';
import type { OrganizationRef } from '../model/definition.ts';

/** The note about its keys in a backup. */
export interface KeyNote {
  /** The passphrase's salt; null if the root secret is used. */
  readonly salt: string | null;
  readonly keyId: string;
  /** Unique per file, so that parts of files cannot be exchanged. */
  readonly nonce: string;
}

export interface BackupKeys {
  readonly note: KeyNote;
  /** Encrypts and decrypts data keys. */
  readonly keyring: Keyring;
  /** Authenticates every byte of the file. */
  readonly proof: Uint8Array;
}

/** Half a second and 128 MiB per guess. */
const hardness = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

/** The keys of a new backup. */
export function newBackupKeys(root: Keyring, passphrase: string | undefined): BackupKeys {
  const salt = passphrase === undefined ? null : randomBytes(16).toString('base64url');
  const keyring = passphrase === undefined || salt === null ? root : passphraseKeys(passphrase, salt);
  const { id: keyId, bytes } = keyring.current('backup');
  const note = { salt, keyId, nonce: randomBytes(24).toString('base64url') };
  return { note, keyring, proof: proofOf(bytes, note) };
}

/** The keys of an existing backup. Throws VALIDATION_ERROR, with a remedy, if they are not available. */
export function findBackupKeys(root: Keyring, passphrase: string | undefined, note: KeyNote): BackupKeys {
  const { salt, keyId } = note;
  if (salt !== null && passphrase === undefined)
    throw errors.validation('The backup was made with a passphrase: give it with --passphrase-file');
  const keyring = passphrase === undefined || salt === null ? root : passphraseKeys(passphrase, salt);
  const key = keyring.find('backup', keyId);
  if (key) return { note, keyring, proof: proofOf(key.bytes, note) };
  throw errors.validation(
    salt === null
      ? 'The backup was made without a passphrase, under a root secret that is not at hand: name that secret in KITH_SECRET_KEYS_OLD, or make the backup anew with --passphrase-file'
      : 'The passphrase is not the one that the backup was made with',
  );
}

/** Re-encrypts a data key for a backup; `stored` is as in `_organization`. Null if no available secret decrypts it. */
export function packDataKey(
  root: Keyring,
  { keyring }: BackupKeys,
  organization: OrganizationRef,
  stored: string,
): string | null {
  try {
    return seal(keyring, openDataKey(root, organization, stored), placeOf(organization.id));
  } catch {
    return null;
  }
}

/**
 * Re-encrypts a data key of a backup, of the organization `from`, for storing in `to`. Throws VALIDATION_ERROR if it cannot
 * be decrypted.
 */
export function unpackDataKey(
  root: Keyring,
  { keyring }: BackupKeys,
  from: string,
  to: OrganizationRef,
  packed: string,
): string {
  try {
    return sealDataKey(root, to, open(keyring, packed, placeOf(from)));
  } catch {
    throw errors.validation(`The data key of organization ${from} in the backup is damaged`);
  }
}

function passphraseKeys(passphrase: string, salt: string): Keyring {
  return createKeyring(scryptSync(passphrase.normalize(), salt, 32, hardness).toString('base64url'), []);
}

function proofOf(key: Uint8Array, { nonce }: KeyNote): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, nonce, 'kith backup file v2', 32));
}

function placeOf(organizationId: string): string {
  return `backup/${organizationId}/data_key`;
}
