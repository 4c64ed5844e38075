/** Encrypts secrets at rest with AES-256-GCM, bound to the place where they are stored. Long texts are processed in slices. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { joined, piecesOf, whole, type LongText } from '../lib/long-text.ts';
import { mapInSlices } from '../lib/slices.ts';
import type { Keyring } from './keys.ts';

const nonceLength = 12;
const tagLength = 16;

/** No available secret has encrypted the text. */
export class UnknownKey extends Error {
  constructor(keyId: string) {
    super(`No secret opens what key ${JSON.stringify(keyId)} has sealed`);
    this.name = 'UnknownKey';
  }
}

/** Encrypts to `key id.base64url(nonce, ciphertext, tag)`. `place` names table, row and field, and must be the same for decryption. */
export function seal(keyring: Keyring, plain: Uint8Array, place: string): string {
  const { keyId, nonce, cipher } = sealing(keyring, place);
  const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `${keyId}.${sealed.toString('base64url')}`;
}

/** As `seal`, for a long text, in slices. */
export async function sealLong(keyring: Keyring, plain: LongText, place: string): Promise<readonly string[]> {
  const { keyId, nonce, cipher } = sealing(keyring, place);
  const pieces = await mapInSlices(piecesOf(plain), (piece) => cipher.update(piece, 'utf8'));
  const texts = await mapInSlices(wholeTriples([nonce, ...pieces, cipher.final(), cipher.getAuthTag()]), (bytes) =>
    bytes.toString('base64url'),
  );
  return [`${keyId}.`, ...texts];
}

/** Regroups bytes into pieces whose lengths are multiples of three, except the last: so that base64 pieces join. */
function* wholeTriples(pieces: readonly Buffer[]): Generator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.length - (bytes.length % 3);
    yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
  yield rest;
}

function sealing(keyring: Keyring, place: string) {
  const { id: keyId, bytes } = keyring.current('seal');
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce, { authTagLength: tagLength });
  cipher.setAAD(associatedData(keyId, place));
  return { keyId, nonce, cipher };
}

/** Decrypts. Throws if the key is missing, the text was changed, or `place` differs. */
export function open(keyring: Keyring, text: string, place: string): Buffer {
  const { key, body } = sealedIn(keyring, text);
  const sealed = decoded(whole(body));
  const { decipher, tagAt } = opening(key, place, sealed, sealed);
  return Buffer.concat([decipher.update(sealed.subarray(nonceLength, tagAt)), decipher.final()]);
}

/** As `open`, for a long text, in slices. */
export async function openLong(keyring: Keyring, text: LongText, place: string): Promise<LongText> {
  const { key, body } = sealedIn(keyring, text);
  const parts = await mapInSlices(wholeQuads(body), decoded);
  // The tag is at the end, and may begin in the previous piece.
  const last = Buffer.concat(parts.splice(-2));
  const [first = last] = parts;
  const { decipher, tagAt } = opening(key, place, first, last);
  const secret = [...parts, last.subarray(0, tagAt)];
  secret[0] = secret[0]!.subarray(nonceLength);
  const decoder = new StringDecoder('utf8');
  const pieces = await mapInSlices(secret, (bytes) => decoder.write(decipher.update(bytes)));
  return joined([...pieces, decoder.end(decipher.final())]);
}

/** The fewest characters of a piece, so that the nonce and the tag are each within one. */
const leastSigns = 1_024;

/** Regroups base64 into pieces whose lengths are multiples of four, except the last: so that each decodes by itself. */
function* wholeQuads(pieces: readonly string[]): Generator<string, void, undefined> {
  let rest = '';
  for (const piece of piecesOf(pieces)) {
    rest += piece;
    if (rest.length < leastSigns) continue;
    const end = rest.length - (rest.length % 4);
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  yield rest;
}
function sealedIn(keyring: Keyring, text: LongText) {
  const [head = '', ...rest] = typeof text === 'string' ? [text] : text;
  const dot = head.indexOf('.');
  const keyId = head.slice(0, dot);
  const key = keyring.find('seal', keyId);
  if (dot < 0 || key === undefined) throw new UnknownKey(keyId);
  return { key, body: [head.slice(dot + 1), ...rest] };
}

function decoded(body: string): Buffer {
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.toString('base64url') !== body) throw malformed();
  return bytes;
}

/** The decipher for bytes from `first` to `last`; the tag begins at `tagAt` in `last`. */
function opening(key: { readonly id: string; readonly bytes: Uint8Array }, place: string, first: Buffer, last: Buffer) {
  const tagAt = last.length - tagLength;
  if (tagAt < (first === last ? nonceLength : 0)) throw malformed();
  const nonce = first.subarray(0, nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagLength });
  decipher.setAAD(associatedData(key.id, place));
  decipher.setAuthTag(last.subarray(tagAt));
  return { decipher, tagAt };
}

function malformed(): Error {
  return new Error('A sealed text is malformed');
}

/** Whether the newest secret has encrypted it. */
export function isCurrent(keyring: Keyring, text: string): boolean {
  return text.startsWith(`${keyring.current('seal').id}.`);
}

/** Whether an available secret has encrypted it. */
export function isKnown(keyring: Keyring, text: string): boolean {
  return keyring.find('seal', text.split('.', 1)[0] ?? '') !== undefined;
}

function associatedData(keyId: string, place: string): Buffer {
  return Buffer.from(`kith seal ${keyId} ${place}`);
}
