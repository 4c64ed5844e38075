/**
 * Feed positions as texts that only this service can make and read. In clear text they would reveal the number of
 * writes of the organization, and of transactions of the server.
 */
import { timingSafeEqual } from 'node:crypto';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { masked, type CursorSigner } from '../../query/cursor.ts';
import type { Position } from '../past/commit-order.ts';

/** How far a caller has followed, and what it could see then. */
export interface FeedPosition {
  readonly place: Position;
  /** The caller's `sightOf` at that time. */
  readonly sight: string;
  /** The day in the organization's time zone. */
  readonly day: string;
}

const macLength = 16;
/** No text that is signed for a cursor begins like these. */
const [sealing, naming] = ['feed position\0', 'feed event\0'].map((text) => Buffer.from(text));

/** Seals the position for the organization of `signer`; deterministic. */
export function writePosition(signer: CursorSigner, { place: { epoch, tx, id }, sight, day }: FeedPosition): string {
  const body = Buffer.from(JSON.stringify([epoch, tx, id, sight, day]));
  const mac = macOf(signer, body);
  return Buffer.concat([mac, masked(signer, mac, body)]).toString('base64url');
}

/**
 * Throws VALIDATION_ERROR for anything that `writePosition` did not make for the organization; `name` is the
 * parameter's.
 */
export function readPosition(signer: CursorSigner, text: string, name = 'after'): FeedPosition {
  const bytes = Buffer.from(text, 'base64url');
  const mac = bytes.subarray(0, macLength);
  const body = masked(signer, mac, bytes.subarray(macLength));
  const isOurs =
    bytes.length > macLength && bytes.toString('base64url') === text && timingSafeEqual(macOf(signer, body), mac);
  if (!isOurs)
    throw errors.validation(
      `${name} is not a position that this service has given: leave it out to begin ${name === 'after' ? 'with the oldest change, or say now' : 'now'}`,
    );
  const [epoch, tx, id, sight, day]: string[] = JSON.parse(body.toString());
  return { place: { epoch: epoch ?? '', tx: tx ?? '', id: id ?? '' }, sight: sight ?? '', day: day ?? '' };
}

/**
 * The id of an event at a position: the same for all recipients, and opaque. `of` distinguishes several at one
 * position.
 */
export function eventId(signer: CursorSigner, { epoch, tx, id }: Position, of = ''): string {
  const digest = Buffer.from(signer.sign(Buffer.concat([naming!, Buffer.from(`${epoch}.${tx}.${id}.${of}`)])));
  // A UUID of version 8, whose contents are free.
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const text = digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(text)) throw new Error('the signature is no UUID long');
  return text;
}

function macOf(signer: CursorSigner, body: Uint8Array): Uint8Array {
  return signer.sign(Buffer.concat([sealing!, body]));
}
