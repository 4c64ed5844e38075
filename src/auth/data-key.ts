/** The organization's data key: what its own secrets are sealed with. It lies in `_organization`, sealed by the service's. */
import { randomBytes } from 'node:crypto';
import { createKeyring, type Keyring } from './keys.ts';
import { unavailable } from '../postgres/failure.ts';
import { isCurrent, open, seal, UnknownKey } from './seal.ts';

interface OrganizationPlace {
  readonly id: string;
  readonly schema: string;
}

/** A new data key, as it is stored. */
export function newDataKey(keyring: Keyring, organization: OrganizationPlace): string {
  return sealDataKey(keyring, organization, randomBytes(32));
}

/** Seals and opens with the organization's data key. Throws when no secret at hand opens it. */
export function dataKeyring(keyring: Keyring, organization: OrganizationPlace, stored: string): Keyring {
  return createKeyring(openDataKey(keyring, organization, stored).toString('base64url'), []);
}

/** The organization's data key. Throws UNAVAILABLE, with what the service cannot do, where the secret is not at hand that seals it. */
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

/** The data key itself: for a backup, which seals it otherwise. Throws as `dataKeyring`. */
export function openDataKey(keyring: Keyring, organization: OrganizationPlace, stored: string): Buffer {
  return open(keyring, stored, placeOf(organization));
}

/** A data key, as it is stored. */
export function sealDataKey(keyring: Keyring, organization: OrganizationPlace, key: Uint8Array): string {
  return seal(keyring, key, placeOf(organization));
}

/** The same data key, sealed with the newest secret; undefined when it is so already. Throws as `dataKeyring`. */
export function resealedDataKey(keyring: Keyring, organization: OrganizationPlace, stored: string): string | undefined {
  if (isCurrent(keyring, stored)) return undefined;
  return seal(keyring, open(keyring, stored, placeOf(organization)), placeOf(organization));
}

function placeOf({ id, schema }: OrganizationPlace): string {
  return `${schema}._organization/${id}/data_key`;
}
