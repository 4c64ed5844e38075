/** Credentials for mail servers: a password, or an access token fetched with a refresh token (XOAUTH2). */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import { isObject, parseJson, type Json } from '../../lib/json.ts';
import { Lru } from '../../lib/lru.ts';
import type { MailServerSettings } from '../imap/imap-settings.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';

export type Credentials = { readonly user: string } & (
  | { readonly password: string }
  | { readonly accessToken: string }
);

type Proofs = Pick<MailServerSettings, 'user' | 'password' | 'xoauth2'>;

/** A token is renewed this long before it expires. */
const marginMs = 60_000;

const accessTokens = new Lru<string, { readonly token: string; readonly until: number }>({
  name: 'access tokens',
  maxBytes: 1024 * 1024,
  bytesOf: (key, { token }) => key.length + token.length + 100,
});

/** Refresh tokens by which providers replaced those of the stored settings. */
const successors = new Lru<string, string>({
  name: 'refresh tokens',
  maxBytes: 1024 * 1024,
  bytesOf: (key, token) => key.length + token.length + 100,
});

/**
 * Runs `work` with the credentials of a server. `work` throws a ChannelFailure with `isRefusal` if the server refuses them before
 * anything is done; a cached token may have been revoked, so it is then renewed and `work` runs once more. Throws ChannelFailure
 * without credentials, or if no token can be fetched.
 */
export async function withCredentials<Outcome>(
  call: Call,
  { user, password, xoauth2 }: Proofs,
  work: (credentials: Credentials) => Promise<Outcome>,
): Promise<Outcome> {
  if (!xoauth2) {
    if (password === undefined) throw new ChannelFailure('The account has neither password nor xoauth2', true);
    return work({ user, password });
  }
  const key = keyOf(call, xoauth2);
  const known = accessTokens.get(key);
  if (known && known.until > call.now) {
    try {
      return await work({ user, accessToken: known.token });
    } catch (error) {
      if (!(error instanceof ChannelFailure) || !error.isRefusal) throw error;
      for (const settings of [xoauth2, latestOf(call, xoauth2)]) accessTokens.delete(keyOf(call, settings));
    }
  }
  const { token, seconds, successor } = await fetchToken(call, latestOf(call, xoauth2));
  if (successor !== undefined) successors.set(key, successor);
  // For the settings of this call and for the renewed ones, which are stored after it.
  for (const settings of [xoauth2, latestOf(call, xoauth2)])
    accessTokens.set(keyOf(call, settings), { token, until: call.now + seconds * 1_000 - marginMs });
  return work({ user, accessToken: token });
}

type Xoauth2 = NonNullable<MailServerSettings['xoauth2']>;

/** The settings with the provider's latest refresh token, which may have replaced the stored one. */
export function latestOf(call: Call, xoauth2: Xoauth2): Xoauth2 {
  const successor = successors.get(keyOf(call, xoauth2));
  return successor === undefined ? xoauth2 : { ...xoauth2, refresh_token: successor };
}

function keyOf({ model }: Call, xoauth2: Xoauth2): string {
  return hash('sha256', JSON.stringify([model.organizationId, xoauth2]), 'base64');
}

/** Fetches an access token (RFC 6749, section 6). Throws ChannelFailure. */
async function fetchToken(call: Call, { token_url: url, ...settings }: Xoauth2) {
  const form = new URLSearchParams({ grant_type: 'refresh_token', ...settings });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const request = { url, method: 'POST', headers, body: form.toString(), isPlainForNamedOnly: true } as const;
  const answer = await call.outgoing.request(request, { signal: call.signal }).catch((error: unknown) => {
    throw failureOf(error, (message) => message);
  });
  const body = jsonOf(answer.body.toString());
  const { access_token: token, expires_in: expiresIn, refresh_token: next } = isObject(body) ? body : {};
  if (answer.status === 200 && typeof token === 'string' && token !== '') {
    const seconds = Number(expiresIn ?? 3_600);
    const isNew = typeof next === 'string' && next !== '' && next !== settings.refresh_token;
    return { token, seconds: Number.isFinite(seconds) ? seconds : 3_600, successor: isNew ? next : undefined };
  }
  const reason = isObject(body)
    ? [body['error'], body['error_description']].filter((text) => typeof text === 'string')
    : [];
  const words = firstLine(reason.join(': ')) || `status ${answer.status}`;
  throw new ChannelFailure(`token_url gives no access token: ${words}`, answer.status === 400 || answer.status === 401);
}

function jsonOf(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
