/** The token for a transcript's socket: encrypted, valid for five minutes, and bound to the caller. */
import type { Caller } from '../../access/caller.ts';
import type { Keyring } from '../../auth/keys.ts';
import { open, seal } from '../../auth/seal.ts';
import { errors } from '../../errors.ts';

/** What `renew` needs to find the caller again. */
type Holder = Pick<Caller, 'organizationId' | 'tokenId' | 'sessionId' | 'workspaceUserId'>;

export interface TranscriptAccess {
  readonly holder: Holder;
  readonly transcriptId: string;
}

const lifetimeMs = 5 * 60_000;
const place = 'extension/ws';

/** A token for the caller and the transcript. */
export function newTranscriptToken(keyring: Keyring, holder: Holder, transcriptId: string, now: number): string {
  const { organizationId, tokenId, sessionId, workspaceUserId } = holder;
  const contents = [organizationId, tokenId, sessionId ?? null, workspaceUserId, transcriptId, now + lifetimeMs];
  return seal(keyring, Buffer.from(JSON.stringify(contents)), place);
}

/** Decrypts a token. Throws UNAUTHORIZED for an invalid or expired one. */
export function transcriptAccessIn(keyring: Keyring, token: string, now: number): TranscriptAccess {
  let contents: [string, string | null, string | null, string, string, number];
  try {
    contents = JSON.parse(open(keyring, token, place).toString()) as typeof contents;
  } catch {
    throw errors.unauthorized('The wsToken is not one that this service has given');
  }
  const [organizationId, tokenId, sessionId, workspaceUserId, transcriptId, until] = contents;
  if (until <= now) throw errors.unauthorized('The wsToken has expired after five minutes; refresh-ws issues another');
  const holder = { organizationId, tokenId, workspaceUserId, ...(sessionId !== null && { sessionId }) };
  return { holder, transcriptId };
}
