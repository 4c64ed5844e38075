/**
 * Confirmations: a preview gives a token that is good for sending exactly what it showed, once, for five minutes. The token holds
 * all that is to know of it, sealed for its user; that it was used, `sends.ts` keeps. [spec: Outbound message]
 */
import type { Vault } from '../access/call.ts';
import { digestOf } from '../lib/digest.ts';
import { newId } from '../lib/id.ts';
import { errors } from '../errors.ts';
import type { Draft } from './outgoing-message.ts';

/** How long a token is good. [spec: Page and size limits] */
const confirmationMs = 5 * 60_000;

export interface Confirmation {
  readonly id: string;
  /** Of what it is good for. */
  readonly digest: string;
  /** In milliseconds. */
  readonly until: number;
}

/** A digest of all that a confirmation is bound to: whoever is written to, from which account, in which thread, and what. */
export async function digestOfDraft(me: string, { account, thread, message }: Draft): Promise<string> {
  const { channel, to, cc, bcc, subject, body } = message;
  const people = [to, cc, bcc].map((list) => list.toSorted());
  const bound = JSON.stringify([me, channel, account.id, ...people, subject, thread?.id ?? null]);
  return (await digestOf([bound, body])).toString('base64url');
}

/** A token for what has that digest. */
export function newToken(vault: Vault, me: string, digest: string, now: number): string {
  return vault.seal(JSON.stringify([newId(now), digest, now + confirmationMs]), placeOf(me));
}

/** The confirmation in a token. Throws CONFIRM_INVALID for one that this service has not given to the user, or that is over. */
export function confirmationIn(vault: Vault, me: string, token: string, now: number): Confirmation {
  let opened: string;
  try {
    opened = vault.open(token, placeOf(me));
  } catch {
    throw errors.confirmInvalid('is not one that was given to you');
  }
  const [id, digest, until] = JSON.parse(opened) as [string, string, number];
  if (until <= now) throw errors.confirmInvalid('is over: it is good for five minutes');
  return { id, digest, until };
}

function placeOf(me: string): string {
  return `confirm_token/${me}`;
}
