/** Verifies tokens per connection: most connections repeat one header, which then is not parsed and hashed again. */
import type { Clock } from '../lib/clock.ts';
import { bearerToken } from './bearer.ts';
import type { Tokens, VerifiedToken } from './tokens.ts';

/** Verifies the `Authorization` header of a request on `connection`. Throws or rejects with UNAUTHORIZED. */
export type VerifyPresented = (
  authorization: string | undefined,
  connection: object | undefined,
) => VerifiedToken | Promise<VerifiedToken>;

interface Presented {
  readonly authorization: string;
  readonly token: VerifiedToken;
}

/**
 * Makes the verification of a process. The latest header is remembered as long as its connection is open, which holds it in
 * memory anyway.
 */
export function verifyPresented(tokens: Tokens, clock: Clock): VerifyPresented {
  const latest = new WeakMap<object, Presented>();
  async function verify(authorization: string | undefined, connection: object | undefined): Promise<VerifiedToken> {
    const token = await tokens.verify(bearerToken(authorization));
    if (connection && authorization !== undefined) latest.set(connection, { authorization, token });
    return token;
  }
  return (authorization, connection) => {
    const known = connection && latest.get(connection);
    const isGood = known && known.authorization === authorization && known.token.expiresAt > clock.now() / 1000;
    return isGood ? known.token : verify(authorization, connection);
  };
}
