/** The organization's data key: what its own secrets are sealed with. It lies in `_organization`, sealed by the service's. */
import { randomBytes } from 'node:crypto';
import { createKeyring, type Keyring } from './keys.ts';
import { bytesOfText, Lru } from '../lib/lru.ts';
import { isCurrent, open, seal } from './seal.ts';

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

/** As `dataKeyring`: what was opened last is remembered. */
export type DataKeys = (organization: OrganizationPlace, stored: string) => Keyring;

/** One for a process. */
export function createDataKeys(keyring: Keyring): DataKeys {
  const opened = new Lru<string, Keyring>({
    name: 'data keys',
    maxBytes: 1024 * 1024,
    bytesOf: (stored) => bytesOfText(stored) + 1_000,
  });
  return (organization, stored) => {
    const place = `${placeOf(organization)} ${stored}`;
    const found = opened.get(place) ?? dataKeyring(keyring, organization, stored);
    opened.set(place, found);
    return found;
  };
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
