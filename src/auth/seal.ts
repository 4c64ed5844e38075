/** Secrets at rest: AES-256-GCM under the keyring, bound to the place where the text lies. What may be long is sealed in slices. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { piecesOf } from '../lib/pieces.ts';
import { mapInSlices, nextSlice } from '../lib/slices.ts';
import type { Keyring } from './keys.ts';

const nonceLength = 12;
const tagLength = 16;

/** Bytes that are written as text at once: as many characters of base64 are whole. */
const pieceLength = 196_608;
/** Characters of base64 that are so many bytes. */
const pieceText = 262_144;

/** None of the secrets at hand has sealed it. */
export class UnknownKey extends Error {
  constructor(keyId: string) {
    super(`No secret opens what key ${JSON.stringify(keyId)} has sealed`);
    this.name = 'UnknownKey';
  }
}

/** `key id.base64url(nonce, ciphertext, tag)`. `place` names table, row and field; only there can it be opened again. */
export function seal(keyring: Keyring, plain: Uint8Array, place: string): string {
  const { keyId, nonce, cipher } = sealing(keyring, place);
  const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `${keyId}.${sealed.toString('base64url')}`;
}

/** The same of a long text, in slices. */
export async function sealLong(keyring: Keyring, plain: string, place: string): Promise<string> {
  const { keyId, nonce, cipher } = sealing(keyring, place);
  const pieces = await mapInSlices(piecesOf(plain), (piece) => cipher.update(piece, 'utf8'));
  const sealed = Buffer.concat([nonce, ...pieces, cipher.final(), cipher.getAuthTag()]);
  await nextSlice();
  const texts = await mapInSlices(starts(sealed.length, pieceLength), (at) =>
    sealed.toString('base64url', at, at + pieceLength),
  );
  await nextSlice();
  return `${keyId}.${texts.join('')}`;
}

function sealing(keyring: Keyring, place: string) {
  const { id: keyId, bytes } = keyring.current('seal');
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce, { authTagLength: tagLength });
  cipher.setAAD(associatedData(keyId, place));
  return { keyId, nonce, cipher };
}

/** What was sealed; throws when the key is not at hand, the text was changed, or it was sealed for another place. */
export function open(keyring: Keyring, text: string, place: string): Buffer {
  const { key, body } = sealedIn(keyring, text);
  const { decipher, secret } = opening(key, place, decoded(body));
  return Buffer.concat([decipher.update(secret), decipher.final()]);
}

/** The same of a long text, in slices. */
export async function openLong(keyring: Keyring, text: string, place: string): Promise<string> {
  const { key, body } = sealedIn(keyring, text);
  const parts = await mapInSlices(starts(body.length, pieceText), (at) => decoded(body.slice(at, at + pieceText)));
  const { decipher, secret } = opening(key, place, Buffer.concat(parts));
  const decoder = new StringDecoder('utf8');
  const pieces = await mapInSlices(starts(secret.length, pieceLength), (at) =>
    decoder.write(decipher.update(secret.subarray(at, at + pieceLength))),
  );
  return pieces.join('') + decoder.end(decipher.final());
}

function sealedIn(keyring: Keyring, text: string) {
  const [keyId = '', body = '', ...rest] = text.split('.');
  const key = keyring.find('seal', keyId);
  if (key === undefined) throw new UnknownKey(keyId);
  if (rest.length > 0) throw malformed();
  return { key, body };
}

function decoded(body: string): Buffer {
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.toString('base64url') !== body) throw malformed();
  return bytes;
}

function opening(key: { readonly id: string; readonly bytes: Uint8Array }, place: string, sealed: Buffer) {
  if (sealed.length < nonceLength + tagLength) throw malformed();
  const nonce = sealed.subarray(0, nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagLength });
  decipher.setAAD(associatedData(key.id, place));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  return { decipher, secret: sealed.subarray(nonceLength, -tagLength) };
}

function* starts(length: number, step: number): Generator<number, void, undefined> {
  for (let at = 0; at < length; at += step) yield at;
}

function malformed(): Error {
  return new Error('A sealed text is malformed');
}

/** Whether the newest secret has sealed it. */
export function isCurrent(keyring: Keyring, text: string): boolean {
  return text.startsWith(`${keyring.current('seal').id}.`);
}

/** Whether one of the secrets at hand has sealed it. */
export function isKnown(keyring: Keyring, text: string): boolean {
  return keyring.find('seal', text.split('.', 1)[0] ?? '') !== undefined;
}

function associatedData(keyId: string, place: string): Buffer {
  return Buffer.from(`kith seal ${keyId} ${place}`);
}
