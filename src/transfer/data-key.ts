/** How the data key of an organization travels: under a passphrase, or as the service itself seals it. */
import { randomBytes, scryptSync } from 'node:crypto';
import { openDataKey, sealDataKey } from '../auth/data-key.ts';
import { createKeyring, type Keyring } from '../auth/keys.ts';
import { open, seal } from '../auth/seal.ts';
import { errors } from '../errors.ts';
import type { OrganizationRef } from '../model/definition.ts';

export interface PackedKey {
  /** Of the passphrase; null when the service's own secret has sealed the key. */
  readonly salt: string | null;
  readonly sealed: string;
}

/** Half a second of work per guess, and 128 MiB. */
const hardness = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

/** Packs the data keys of one backup; `stored` is as in `_organization`. */
export function dataKeyPacker(
  keyring: Keyring,
  passphrase: string | undefined,
): (organization: OrganizationRef, stored: string) => PackedKey {
  if (passphrase === undefined) return (_, stored) => ({ salt: null, sealed: stored });
  const salt = randomBytes(16).toString('base64url');
  const keys = passphraseKeys(passphrase, salt);
  return (organization, stored) => {
    const key = openDataKey(keyring, organization, stored);
    return { salt, sealed: seal(keys, key, placeOf(organization.id)) };
  };
}

/**
 * Unpacks them: the key as it is stored for the organization that it is for. Undefined when the service's secrets do not open
 * it; throws VALIDATION_ERROR for a passphrase that is missing or wrong.
 */
export function dataKeyUnpacker(
  keyring: Keyring,
  passphrase: string | undefined,
): (from: OrganizationRef, to: OrganizationRef, packed: PackedKey) => string | undefined {
  const bySalt = new Map<string, Keyring>();
  const keysOf = (salt: string) => {
    if (passphrase === undefined) throw errors.validation('The backup was made with a passphrase: give it');
    const keys = bySalt.get(salt) ?? passphraseKeys(passphrase, salt);
    bySalt.set(salt, keys);
    return keys;
  };
  return (from, to, { salt, sealed }) => {
    const keys = salt === null ? undefined : keysOf(salt);
    try {
      const key = keys ? open(keys, sealed, placeOf(from.id)) : openDataKey(keyring, from, sealed);
      return sealDataKey(keyring, to, key);
    } catch {
      if (keys) throw errors.validation('The passphrase is not the one that the backup was made with');
      return undefined;
    }
  };
}

function passphraseKeys(passphrase: string, salt: string): Keyring {
  return createKeyring(scryptSync(passphrase.normalize(), salt, 32, hardness).toString('base64url'), []);
}

function placeOf(organizationId: string): string {
  return `backup/${organizationId}/data_key`;
}
