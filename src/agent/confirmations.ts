/**
 * A person's consent to a call: a token encrypted for that person with the exact call inside, which only a request of that
 * person can return. The model never sees a token, and nothing it says counts as consent.
 */
import type { Caller } from '../access/caller.ts';
import type { Keyring } from '../auth/keys.ts';
import { open, seal } from '../auth/seal.ts';
import { errors } from '../errors.ts';
import { parseJson, type JsonObject } from '../lib/json.ts';

/** A call that waits for consent. */
export interface Waiting {
  /** The id of the model's call. */
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** For a loss: the digest of what existed when the person was asked. */
  readonly seen?: string;
}

/** As long as the confirmation of a send. */
const confirmationMs = 5 * 60_000;

type Holder = Pick<Caller, 'organizationId' | 'workspaceUserId'>;

/** The token for the call, and its expiry in milliseconds. */
export function confirmationOf(
  keyring: Keyring,
  holder: Holder,
  waiting: Waiting,
  now: number,
): { readonly token: string; readonly until: number } {
  const until = now + confirmationMs;
  const token = seal(keyring, Buffer.from(JSON.stringify({ ...waiting, until })), placeOf(holder));
  return { token, until };
}

/** The call of a token. Throws CONFIRM_INVALID if it expired or belongs to another holder. */
export function confirmed(keyring: Keyring, holder: Holder, token: string, now: number): Waiting {
  let opened: Waiting & { readonly until: number };
  try {
    // Parsed without loss: every digit of an argument must be kept.
    opened = parseJson(open(keyring, token, placeOf(holder)).toString()) as unknown as typeof opened;
  } catch {
    throw errors.confirmInvalid('was not issued to you');
  }
  if (opened.until <= now) throw errors.confirmInvalid('has expired after five minutes');
  return opened;
}

function placeOf({ organizationId, workspaceUserId }: Holder): string {
  return `agent/confirmation/${organizationId}/${workspaceUserId}`;
}
