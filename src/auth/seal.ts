/** Secrets at rest: AES-256-GCM under the keyring, bound to the place where the text lies. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './keys.ts';

const nonceLength = 12;
const tagLength = 16;

/** `key id.base64url(nonce, ciphertext, tag)`. `place` names table, row and field; only there can it be opened again. */
export function seal(keyring: Keyring, plain: Uint8Array, place: string): string {
  const key = keyring.current('seal');
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagLength });
  cipher.setAAD(associatedData(key.id, place));
  const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `${key.id}.${sealed.toString('base64url')}`;
}

/** What was sealed; throws when the key is not at hand, the text was changed, or it was sealed for another place. */
export function open(keyring: Keyring, text: string, place: string): Buffer {
  const [keyId = '', body = '', ...rest] = text.split('.');
  const key = keyring.find('seal', keyId);
  if (key === undefined) throw new Error(`No secret opens what key ${JSON.stringify(keyId)} has sealed`);
  const sealed = Buffer.from(body, 'base64url');
  if (rest.length > 0 || sealed.length < nonceLength + tagLength || sealed.toString('base64url') !== body) {
    throw new Error('A sealed text is malformed');
  }
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, sealed.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(associatedData(key.id, place));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([decipher.update(sealed.subarray(nonceLength, -tagLength)), decipher.final()]);
}

/** Whether the newest secret has sealed it. */
export function isCurrent(keyring: Keyring, text: string): boolean {
  return text.startsWith(`${keyring.current('seal').id}.`);
}

function associatedData(keyId: string, place: string): Buffer {
  return Buffer.from(`kith seal ${keyId} ${place}`);
}
