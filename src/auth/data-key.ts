/** The organization's data key, which encrypts its own secrets. It is stored in `_organization`, encrypted with the service's key. */
import { randomBytes } from 'node:crypto';
import { createKeyring, type Keyring } from './keys.ts';
import { unavailable } from '../postgres/failure.ts';
import { isCurrent, open, seal, UnknownKey } from './seal.ts';

interface OrganizationPlace {
  readonly id: string;
  readonly schema: string;
}

/** A new data key, in its stored form. */
export function newDataKey(keyring: Keyring, organization: OrganizationPlace): string {
  return sealDataKey(keyring, organization, randomBytes(32));
}

/** The keyring of the organization's data key. Throws if no available secret decrypts it. */
export function dataKeyring(keyring: Keyring, organization: OrganizationPlace, stored: string): Keyring {
  return createKeyring(openDataKey(keyring, organization, stored).toString('base64url'), []);
}

/** The keyring of the organization's data key. Throws UNAVAILABLE with `cannot` if its secret is missing. */
export function dataKeyAtHand(
  keyring: Keyring,
  organization: OrganizationPlace,
  dataKey: string,
  cannot = 'opens contents: its operator has to put it back',
): Keyring {
  try {
    return dataKeyring(keyring, organization, dataKey);
  } catch (error) {
    if (!(error instanceof UnknownKey)) throw error;
    throw unavailable(`The service lacks the secret that ${cannot}`, error);
  }
}

/** The data key itself, for a backup, which encrypts it with other keys. Throws as `dataKeyring`. */
export function openDataKey(keyring: Keyring, organization: OrganizationPlace, stored: string): Buffer {
  return open(keyring, stored, placeOf(organization));
}

/** A data key in its stored form. */
export function sealDataKey(keyring: Keyring, organization: OrganizationPlace, key: Uint8Array): string {
  return seal(keyring, key, placeOf(organization));
}

/** The data key re-encrypted with the newest secret; undefined if it already is. Throws as `dataKeyring`. */
export function resealedDataKey(keyring: Keyring, organization: OrganizationPlace, stored: string): string | undefined {
  if (isCurrent(keyring, stored)) return undefined;
  return seal(keyring, open(keyring, stored, placeOf(organization)), placeOf(organization));
}

function placeOf({ id, schema }: OrganizationPlace): string {
  return `${schema}._organization/${id}/data_key`;
}
