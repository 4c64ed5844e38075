import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/auth/keys.ts';
import { createTokens, type TokenClaims } from '../../src/auth/tokens.ts';
import { newId } from '../../src/lib/id.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const clock = { now: () => now };
const keyring = createKeyring('the root secret', []);
const installation = newId();
const tokensFrom = (ring: typeof keyring, at = clock, id = installation) => createTokens(ring, at, async () => id);
const tokens = tokensFrom(keyring);
const claims: TokenClaims = { tokenId: newId(), organizationId: newId(), issuedAt: now / 1000 };
const unauthorized = expect.objectContaining({ code: 'UNAUTHORIZED' });

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A token made by hand, correctly signed unless told otherwise. */
function forge(
  header: object,
  payload: object,
  key: Uint8Array = keyring.current('token').bytes,
  hash = 'sha256',
): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `svc_${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
}

const header = { alg: 'HS256', typ: 'at+jwt', kid: keyring.current('token').id };
const payload = {
  org: claims.organizationId,
  jti: claims.tokenId,
  iss: `urn:uuid:${installation}`,
  aud: `urn:uuid:${installation}`,
  iat: claims.issuedAt,
};

describe('a token', () => {
  it('names its row and its organization', async () => {
    expect(await tokens.verify(await tokens.sign(claims))).toMatchObject({
      tokenId: claims.tokenId,
      organizationId: claims.organizationId,
    });
  });

  it('AUTH-02: begins with svc_, which a signed JWT follows', async () => {
    const token = await tokens.sign(claims);
    expect(token.slice(0, 4)).toBe('svc_');
    const [head, body, signature, ...others] = token.slice(4).split('.');
    expect(others).toEqual([]);
    expect(JSON.parse(Buffer.from(head ?? '', 'base64url').toString())).toEqual(header);
    const signed = createHmac('sha256', keyring.current('token').bytes).update(`${head}.${body}`);
    expect(signature).toBe(signed.digest('base64url'));
  });

  it('names its installation as issuer and audience, beside what an app asked for', async () => {
    const told = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(told(await tokens.sign(claims))).toEqual(payload);
    const resource = 'https://crm.example/mcp';
    const { aud } = told(await tokens.sign({ ...claims, resource }));
    expect(aud).toEqual([payload.aud, resource]);
  });

  it('of another installation with the same secret is refused', async () => {
    const others = await tokensFrom(keyring, clock, newId()).sign(claims);
    await expect(tokens.verify(others)).rejects.toEqual(unauthorized);
  });

  it('from before tokens named their installation goes on', async () => {
    for (const aud of ['kith', ['kith', 'https://crm.example/mcp']])
      expect(await tokens.verify(forge(header, { ...payload, iss: 'kith', aud }))).toMatchObject({
        tokenId: claims.tokenId,
      });
  });

  it('is the same whenever its row is signed', async () => {
    const again = tokensFrom(createKeyring('the root secret', ['another']));
    expect(await again.sign(claims)).toBe(await tokens.sign(claims));
  });

  it('can be made by hand, which shows that the forgeries below fail for their own reason', async () => {
    expect(await tokens.verify(forge(header, payload))).toMatchObject({ tokenId: claims.tokenId });
  });

  it('expires, also when it has been verified before', async () => {
    let time = now;
    const moving = tokensFrom(keyring, { now: () => time });
    const token = await moving.sign({ ...claims, expiresAt: now / 1000 + 60 });
    expect(await moving.verify(token)).toMatchObject({ tokenId: claims.tokenId });
    time += 60_000;
    await expect(moving.verify(token)).rejects.toEqual(unauthorized);
  });

  it('of an earlier secret still verifies, and of a forgotten one does not', async () => {
    const token = await tokens.sign(claims);
    const rotated = tokensFrom(createKeyring('a new secret', ['the root secret']));
    expect(await rotated.verify(token)).toMatchObject({ tokenId: claims.tokenId });
    expect(await rotated.sign(claims)).not.toBe(token);
    await expect(tokensFrom(createKeyring('a new secret', [])).verify(token)).rejects.toEqual(unauthorized);
  });

  it('is refused in every other spelling of its last characters', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const token = await tokens.sign(claims);
    const decoded = Buffer.from(token.split('.')[2] ?? '', 'base64url');
    const others = [...alphabet].map((letter) => token.slice(0, -1) + letter).filter((other) => other !== token);
    const sameBytes = others.filter((other) => Buffer.from(other.split('.')[2] ?? '', 'base64url').equals(decoded));
    expect(sameBytes).toHaveLength(3);
    const more = [`${token}=`, `${token}\n`, ` ${token}`, token.replaceAll('-', '+').replaceAll('_', '/'), `${token}.`];
    for (const other of [...others, ...more]) await expect(tokens.verify(other)).rejects.toEqual(unauthorized);
  });

  const otherKey = createKeyring('another secret', []).current('token');
  it.each([
    ['empty', ''],
    ['the prefix alone', 'svc_'],
    ['no JWT', 'svc_abc'],
    ['without the prefix', forge(header, payload).slice(4)],
    ['another prefix', `pat_${forge(header, payload).slice(4)}`],
    ['alg none', `svc_${encode({ ...header, alg: 'none' })}.${encode(payload)}.`],
    ['alg HS512', forge({ ...header, alg: 'HS512' }, payload, undefined, 'sha512')],
    ['another key under the right id', forge(header, payload, otherKey.bytes)],
    ['another key under its own id', forge({ ...header, kid: otherKey.id }, payload, otherKey.bytes)],
    ['the sealing key', forge({ ...header, kid: keyring.current('seal').id }, payload, keyring.current('seal').bytes)],
    ['no key id', forge({ alg: 'HS256', typ: 'at+jwt' }, payload)],
    ['another type', forge({ ...header, typ: 'JWT' }, payload)],
    ['another issuer', forge(header, { ...payload, iss: 'other' })],
    ['another audience', forge(header, { ...payload, aud: 'other' })],
    ['the issuer of earlier tokens alone', forge(header, { ...payload, iss: 'kith' })],
    ['the audience of earlier tokens alone', forge(header, { ...payload, aud: 'kith' })],
    ['what an app asked for as the only audience', forge(header, { ...payload, aud: 'https://crm.example/mcp' })],
    ['no organization', forge(header, { ...payload, org: undefined })],
    ['an organization that is no id', forge(header, { ...payload, org: 'public' })],
    ['no token id', forge(header, { ...payload, jti: undefined })],
    ['an expiry in the past', forge(header, { ...payload, exp: now / 1000 - 1 })],
    ['an expiry that is no number', forge(header, { ...payload, exp: 'never' })],
    ['a start in the future', forge(header, { ...payload, nbf: now / 1000 + 3_600 })],
    ['too long', forge(header, { ...payload, extra: 'x'.repeat(3_000) })],
  ])('is refused: %s', async (_, token) => {
    await expect(tokens.verify(token)).rejects.toEqual(unauthorized);
  });
});
