/** The organization's data key: what its own secrets are sealed with. It lies in `_organization`, sealed by the service's. */
import { randomBytes } from 'node:crypto';
import { createKeyring, type Keyring } from './keys.ts';
import { open, seal } from './seal.ts';

interface OrganizationPlace {
  readonly id: string;
  readonly schema: string;
}

/** A new data key, as it is stored. */
export function newDataKey(keyring: Keyring, organization: OrganizationPlace): string {
  return seal(keyring, randomBytes(32), placeOf(organization));
}

/** Seals and opens with the organization's data key. Throws when no secret at hand opens it. */
export function dataKeyring(keyring: Keyring, organization: OrganizationPlace, stored: string): Keyring {
  return createKeyring(open(keyring, stored, placeOf(organization)).toString('base64url'), []);
}

function placeOf({ id, schema }: OrganizationPlace): string {
  return `${schema}._organization/${id}/data_key`;
}
