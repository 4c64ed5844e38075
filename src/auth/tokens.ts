/**
 * API tokens: `svc_` and a signed JWT that names a row of the organization's `_tokens`. The signature proves only that this
 * installation issued the token, even if others share its secret; revocation and rights are read from the organization on
 * every request.
 */
import { hash } from 'node:crypto';
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { errors } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { isUuid } from '../lib/id.ts';
import { Lru } from '../lib/lru.ts';
import type { Keyring } from './keys.ts';

/** Times are whole seconds since the epoch. Equal claims always give the same token, so a token can be signed again from its row. */
export interface TokenClaims {
  readonly tokenId: string;
  readonly organizationId: string;
  readonly issuedAt: number;
  readonly expiresAt?: number;
  /** The interface that an app's token is for. */
  readonly resource?: string;
}

export interface VerifiedToken {
  readonly tokenId: string;
  readonly organizationId: string;
  /** In seconds since the epoch; Infinity if it does not expire. */
  readonly expiresAt: number;
}

export interface Tokens {
  /** Signs a token, `svc_…`. */
  sign(claims: TokenClaims): Promise<string>;
  /** Verifies a token. Throws UNAUTHORIZED unless `text` is exactly a token that was signed here and has not expired. */
  verify(text: string): Promise<VerifiedToken>;
}

const prefix = 'svc_';
/** The issuer and audience of older tokens, which do not name the installation; they stay valid as long as their rows. */
const anyInstallation = 'kith';
const type = 'at+jwt';
const maxLength = 2_000;

/** Signs tokens with the keyring's current key, for the installation, and verifies those of all its keys. */
export function createTokens(keyring: Keyring, clock: Clock, installationId: () => Promise<string>): Tokens {
  const named = async () => `urn:uuid:${await installationId()}`;
  // Keyed by a hash of the exact text: by id, a forged token with a known id would be accepted.
  const verified = new Lru<string, VerifiedToken>({
    name: 'tokens',
    maxBytes: 4 * 1024 * 1024,
    bytesOf: () => 400, // a hash, two ids and a number
  });
  return {
    sign: async (claims) => signToken(keyring, await named(), claims),
    async verify(text) {
      if (text.length > maxLength) throw errors.unauthorized();
      const key = hash('sha256', text, 'base64');
      const known = verified.get(key);
      if (known !== undefined && known.expiresAt > clock.now() / 1000) return known;
      verified.delete(key);
      const token = await verifyToken(keyring, clock, await named(), text);
      verified.set(key, token);
      return token;
    },
  };
}

async function signToken(keyring: Keyring, installation: string, claims: TokenClaims): Promise<string> {
  const key = keyring.current('token');
  const jwt = new SignJWT({ org: claims.organizationId })
    .setProtectedHeader({ alg: 'HS256', typ: type, kid: key.id })
    .setJti(claims.tokenId)
    .setIssuer(installation)
    .setAudience(claims.resource === undefined ? installation : [installation, claims.resource])
    .setIssuedAt(claims.issuedAt);
  if (claims.expiresAt !== undefined) jwt.setExpirationTime(claims.expiresAt);
  return prefix + (await jwt.sign(key.bytes));
}

async function verifyToken(keyring: Keyring, clock: Clock, installation: string, text: string) {
  const jwt = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !jwt.split('.').every(isCanonical)) throw errors.unauthorized();
  try {
    const { payload } = await jwtVerify(jwt, ({ kid }) => signingKey(keyring, kid), {
      algorithms: ['HS256'],
      typ: type,
      issuer: [installation, anyInstallation],
      audience: [installation, anyInstallation],
      requiredClaims: ['jti', 'iat', 'org'],
      currentDate: new Date(clock.now()),
    });
    const { jti, org, exp, iss, aud } = payload;
    if (!isUuid(jti) || !isUuid(org) || ![aud].flat().includes(iss)) throw errors.unauthorized();
    return { tokenId: jti, organizationId: org, expiresAt: exp ?? Infinity };
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) throw errors.unauthorized();
    throw error;
  }
}

function signingKey(keyring: Keyring, kid: string | undefined): Uint8Array {
  const key = kid === undefined ? undefined : keyring.find('token', kid);
  if (key === undefined) throw errors.unauthorized();
  return key.bytes;
}

/** Whether the text is canonical base64url. Its last character has spare bits: several spellings verify, but only one was issued. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}
