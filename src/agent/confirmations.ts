/**
 * What a person is asked before the agent does it, and how the person's yes comes back: as a token that only a request of that person
 * can bring, sealed for it, with the exact call inside. The model never sees one, and nothing that it says stands for a yes.
 */
import type { Caller } from '../access/caller.ts';
import type { Keyring } from '../auth/keys.ts';
import { open, seal } from '../auth/seal.ts';
import { errors } from '../errors.ts';
import { parseJson, type JsonObject } from '../lib/json.ts';

/** A call that waits for a yes. */
export interface Waiting {
  /** The id of the model's call. */
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Of a loss: stands for what was there when the person was asked. */
  readonly seen?: string;
}

/** As long as the confirmation of a send is good. */
const confirmationMs = 5 * 60_000;

type Holder = Pick<Caller, 'organizationId' | 'workspaceUserId'>;

/** The token for what the holder is asked, and until when it is good, in milliseconds. */
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

/** What the token was given for. Throws CONFIRM_INVALID for one that was not given to the holder, or that is over. */
export function confirmed(keyring: Keyring, holder: Holder, token: string, now: number): Waiting {
  let opened: Waiting & { readonly until: number };
  try {
    // No digit of an argument may change on the way.
    opened = parseJson(open(keyring, token, placeOf(holder)).toString()) as unknown as typeof opened;
  } catch {
    throw errors.confirmInvalid('is not one that was given to you');
  }
  if (opened.until <= now) throw errors.confirmInvalid('is over: it is good for five minutes');
  return opened;
}

function placeOf({ organizationId, workspaceUserId }: Holder): string {
  return `agent/confirmation/${organizationId}/${workspaceUserId}`;
}
