/** Tokens as connections present them: most present the same one with each request, which is then neither taken apart nor digested again. */
import type { Clock } from '../lib/clock.ts';
import { bearerToken } from './bearer.ts';
import type { Tokens, VerifiedToken } from './tokens.ts';

/** The token in an `Authorization` header that came on `connection`. Throws or rejects with UNAUTHORIZED. */
export type VerifyPresented = (
  authorization: string | undefined,
  connection: object | undefined,
) => VerifiedToken | Promise<VerifiedToken>;

interface Presented {
  readonly authorization: string;
  readonly token: VerifiedToken;
}

/** One for a process. A connection has its latest header remembered for as long as it is open: what it sends is held in memory anyway. */
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
