import { beforeEach, expect, it } from 'vitest';
import { createKeyring } from '../../src/auth/keys.ts';
import { verifyPresented, type VerifyPresented } from '../../src/auth/presented.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { newId } from '../../src/lib/id.ts';
import { altered } from '../support/altered.ts';

const begun = Date.parse('2026-03-01T12:00:00Z');
const unauthorized = expect.objectContaining({ code: 'UNAUTHORIZED' });
const connection = {};
let now: number;
let verify: VerifyPresented;
let presented: (lifetime?: number) => Promise<{ readonly authorization: string; readonly tokenId: string }>;

beforeEach(() => {
  now = begun;
  const clock = { now: () => now };
  const tokens = createTokens(createKeyring('the root secret', []), clock, async () => 'one');
  verify = verifyPresented(tokens, clock);
  presented = async (lifetime) => {
    const issuedAt = begun / 1000;
    const tokenId = newId();
    const expiry = lifetime === undefined ? {} : { expiresAt: issuedAt + lifetime };
    const token = await tokens.sign({ tokenId, organizationId: newId(), issuedAt, ...expiry });
    return { authorization: `Bearer ${token}`, tokenId };
  };
});

const verified = async (authorization: string | undefined, on: object | undefined = connection) =>
  (await verify(authorization, on)).tokenId;

it('a connection is whoever its latest header names', async () => {
  const [one, other] = [await presented(), await presented()];
  for (const { authorization, tokenId } of [one, one, other, one, other])
    expect(await verified(authorization)).toBe(tokenId);
  expect(await verified(one.authorization, undefined)).toBe(one.tokenId);
});

it('what it presented again is known at once', async () => {
  const { authorization, tokenId } = await presented();
  expect(verify(authorization, connection)).toBeInstanceOf(Promise);
  await verified(authorization);
  expect(verify(authorization, connection)).toMatchObject({ tokenId });
  expect(verify(authorization, {})).toBeInstanceOf(Promise);
});

it('a connection that presented a token may not go on without one, with another header, or after it expired', async () => {
  const { authorization } = await presented(60);
  await verified(authorization);
  for (const wrong of [undefined, '', 'Bearer', altered(authorization)])
    await expect(verified(wrong)).rejects.toEqual(unauthorized);
  now += 60_000;
  await expect(verified(authorization)).rejects.toEqual(unauthorized);
});

it('a connection that presented none has none to go on with', async () => {
  await expect(verified(undefined)).rejects.toEqual(unauthorized);
  await expect(verified(undefined)).rejects.toEqual(unauthorized);
});
