/**
 * Confirmation tokens: a preview issues a token, which allows exactly the previewed message to be sent once within five minutes.
 * A token is self-contained and sealed for its user; `sends.ts` records that it was used. [spec: Outbound message]
 */
import type { Vault } from '../access/call.ts';
import { digestOf } from '../lib/digest.ts';
import { newId } from '../lib/id.ts';
import { errors } from '../errors.ts';
import type { Draft } from './outgoing-message.ts';

/** How long a token is valid. [spec: Page and size limits] */
const confirmationMs = 5 * 60_000;

export interface Confirmation {
  readonly id: string;
  /** The digest of the draft that may be sent. */
  readonly digest: string;
  /** When it expires, in milliseconds. */
  readonly until: number;
}

/** A digest of everything that a confirmation is bound to: sender, account, thread, recipients and contents. */
export async function digestOfDraft(me: string, { account, thread, message }: Draft): Promise<string> {
  const { channel, to, cc, bcc, subject, body } = message;
  const people = [to, cc, bcc].map((list) => list.toSorted());
  const bound = JSON.stringify([me, channel, account.id, ...people, subject, thread?.id ?? null]);
  return (await digestOf([bound, body])).toString('base64url');
}

/** Issues a token for the draft with that digest. */
export function newToken(vault: Vault, me: string, digest: string, now: number): string {
  return vault.seal(JSON.stringify([newId(now), digest, now + confirmationMs]), placeOf(me));
}

/** Opens a token. Throws CONFIRM_INVALID if it was not issued to the user, or has expired. */
export function confirmationIn(vault: Vault, me: string, token: string, now: number): Confirmation {
  let opened: string;
  try {
    opened = vault.open(token, placeOf(me));
  } catch {
    throw errors.confirmInvalid('was not issued to you');
  }
  const [id, digest, until] = JSON.parse(opened) as [string, string, number];
  if (until <= now) throw errors.confirmInvalid('has expired after five minutes');
  return { id, digest, until };
}

function placeOf(me: string): string {
  return `confirm_token/${me}`;
}
