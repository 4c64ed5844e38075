import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCaller } from '../../src/access/load-caller.ts';
import { createTokenUse } from '../../src/access/token-use.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { newId } from '../../src/lib/id.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import type { CreatedOrganization } from '../../src/provision/create-organization.ts';
import { createToken, listTokens, revokeToken, signTokenAgain } from '../../src/provision/tokens.ts';
import { createUser, updateUser } from '../../src/provision/users.ts';
import { acme, rowsOf, setUp, type Setup } from './setup.ts';

let setup: Setup;
let organization: CreatedOrganization;
let id: string;

beforeAll(async () => {
  setup = await setUp();
  organization = await acme(setup.deps);
  id = organization.organizationId;
});

afterAll(() => setup.drop());

/** The caller behind a token now, as every request looks for it. */
async function callerOf(token: string) {
  const { tokenId, organizationId } = await setup.deps.tokens.verify(token);
  const ref = { id: organizationId, schema: organization.schemaName };
  return loadCaller(setup.main, ref, tokenId, setup.clock.now());
}

describe('a caller', () => {
  it('is who the token belongs to, with role, scopes and the version of the model', async () => {
    const { userId, workspaceUserId, roleId, token } = organization;
    const { tokenId } = await setup.deps.tokens.verify(token);
    expect(await callerOf(token)).toEqual({
      userId,
      workspaceUserId,
      tokenId,
      scopes: ['mcp'],
      modelVersion: '1',
      epoch: '1',
      role: expect.objectContaining({ id: roleId, name: 'Admin', isAdmin: true }),
    });
  });

  it('is nobody for a token that the organization does not know', async () => {
    const token = await setup.deps.tokens.sign({ tokenId: newId(), organizationId: id, issuedAt: 0 });
    expect(await callerOf(token)).toBeNull();
  });

  it('is nobody where the organization has moved away', async () => {
    const moved = (value: boolean) =>
      sql`update ${identifier(organization.schemaName, '_organization')} set moved = ${value}`;
    await rowsOf(setup.main, moved(true));
    expect(await callerOf(organization.token)).toBeNull();
    await rowsOf(setup.main, moved(false));
    expect(await callerOf(organization.token)).not.toBeNull();
  });
});

describe('a user', () => {
  it('comes with a token and the role that was named, whatever its case', async () => {
    const user = await createUser(setup.deps, id, { name: ' Bob ', email: ' bob@acme.test ', role: 'viewer' });
    const caller = await callerOf(user.token);
    expect(caller).toMatchObject({
      userId: user.userId,
      workspaceUserId: user.workspaceUserId,
      role: { id: user.roleId, name: 'Viewer' },
    });
    expect(caller?.role.permissions.get('*')).toEqual({ view: 'all', create: false, update: 'none', delete: 'none' });
  });

  it('who is not active has a token that does nothing until the user is', async () => {
    const user = await createUser(setup.deps, id, {
      name: 'Eve',
      email: 'eve@acme.test',
      role: 'Member',
      inactive: true,
    });
    expect(await callerOf(user.token)).toBeNull();
    await updateUser(setup.deps, id, 'eve@acme.test', { active: true });
    expect(await callerOf(user.token)).not.toBeNull();
    await updateUser(setup.deps, id, 'eve@acme.test', { active: false });
    expect(await callerOf(user.token)).toBeNull();
  });

  it('changes what is given and nothing else', async () => {
    const user = await createUser(setup.deps, id, { name: 'Mia', email: 'Mia@acme.test', role: 'Member' });
    const before = {
      id: user.workspaceUserId,
      name: 'Mia',
      email: 'Mia@acme.test',
      role_id: user.roleId,
      is_active: true,
    };
    expect(await updateUser(setup.deps, id, 'mia@ACME.test', {})).toEqual(before);
    expect(await updateUser(setup.deps, id, 'mia@acme.test', { name: ' Mía Öz ' })).toEqual({
      ...before,
      name: 'Mía Öz',
    });
    const changed = await updateUser(setup.deps, id, 'mia@acme.test', { role: 'Admin' });
    expect(changed).toEqual({ ...before, name: 'Mía Öz', role_id: organization.roleId });
    expect((await callerOf(user.token))?.role.isAdmin).toBe(true);
    const users = identifier(organization.schemaName, '_users');
    const rows = await rowsOf(
      setup.main,
      sql`select search_text from ${users} where id = ${user.workspaceUserId}::uuid`,
    );
    expect(rows).toEqual([['mia oz mia@acme.test']]);
  });

  it('cannot be there twice, in whatever case', async () => {
    const refusal = createUser(setup.deps, id, { name: 'Ada', email: 'ADA@ACME.TEST', role: 'Member' });
    await expect(refusal).rejects.toMatchObject({ code: 'DUPLICATE_RECORD', fieldErrors: [{ field: 'email' }] });
  });

  it.each([
    ['an unknown role', { role: 'Boss' }, { code: 'VALIDATION_ERROR', availableValues: ['Admin', 'Member', 'Viewer'] }],
    ['no name', { name: ' ' }, { code: 'VALIDATION_ERROR', fieldErrors: [{ field: 'name' }] }],
    ['no address', { email: 'nobody' }, { code: 'VALIDATION_ERROR', fieldErrors: [{ field: 'email' }] }],
  ])('is refused with %s', async (_, change, expected) => {
    const input = { name: 'Zoe', email: 'zoe@acme.test', role: 'Member', ...change };
    await expect(createUser(setup.deps, id, input)).rejects.toMatchObject(expected);
  });

  it('is looked for by address and organization', async () => {
    await expect(updateUser(setup.deps, id, 'no@acme.test', { name: 'X' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(updateUser(setup.deps, newId(), 'ada@acme.test', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(updateUser(setup.deps, 'x\0', 'ada@acme.test', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('an API token', () => {
  it('is listed with all but its value, and can be signed again from its row', async () => {
    const input = { email: 'ADA@acme.test', name: ' Script ', scopes: ['mcp', 'read'], expiresIn: '90d' };
    const { tokenId, token } = await createToken(setup.deps, id, input);
    const { tokens } = await listTokens(setup.deps, id);
    expect(tokens.at(-1)).toEqual({
      id: tokenId,
      name: 'Script',
      scopes: ['mcp', 'read'],
      email: 'ada@acme.test',
      created_at: '2026-03-01T12:00:00.000Z',
      expires_at: '2026-05-30T12:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    });
    expect(await signTokenAgain(setup.deps, id, tokenId)).toBe(token);
    const forever = await createToken(setup.deps, id, { email: 'ada@acme.test', name: 'Forever' });
    expect(await signTokenAgain(setup.deps, id, forever.tokenId)).toBe(forever.token);
  });

  it('is good with every process on its database, which names its installation', async () => {
    const { token } = await createToken(setup.deps, id, { email: 'ada@acme.test', name: 'Elsewhere' });
    const { installationId } = setup.anotherDirectory();
    const [main] = await rowsOf(setup.main, sql`select id from kith.datasources where name = 'main'`);
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).iss).toBe(
      `urn:uuid:${main?.[0]}`,
    );
    const { keyring, clock } = setup.deps;
    expect(await createTokens(keyring, clock, installationId).verify(token)).toMatchObject({ organizationId: id });
  });

  it('ends when its row says so, whatever the signed text says', async () => {
    const start = setup.clock.time;
    const { tokenId } = await createToken(setup.deps, id, { email: 'ada@acme.test', name: 'Short', expiresIn: '30m' });
    const text = await setup.deps.tokens.sign({ tokenId, organizationId: id, issuedAt: 0 });
    expect(await callerOf(text)).not.toBeNull();
    setup.clock.time += 30 * 60_000;
    expect(await callerOf(text)).toBeNull();
    setup.clock.time = start;
  });

  it('counts no more from the moment it is revoked', async () => {
    const { tokenId, token } = await createToken(setup.deps, id, { email: 'ada@acme.test', name: 'Lost' });
    expect(await callerOf(token)).not.toBeNull();
    expect(await revokeToken(setup.deps, tokenId)).toEqual({ tokenId, revoked: true });
    expect(await callerOf(token)).toBeNull();
    expect(await revokeToken(setup.deps, tokenId)).toEqual({ tokenId, revoked: true });
    const { tokens } = await listTokens(setup.deps, id);
    expect(tokens.find((each) => each.id === tokenId)?.revoked_at).toBe('2026-03-01T12:00:00.500Z');
  });

  it('remembers when it was last used, to the minute', async () => {
    const start = setup.clock.time;
    const { tokenId } = await createToken(setup.deps, id, { email: 'ada@acme.test', name: 'Used' });
    const use = createTokenUse();
    const lastUse = async () => {
      await use.note(setup.main, { id, schema: organization.schemaName }, tokenId, setup.clock.now());
      return (await listTokens(setup.deps, id)).tokens.find((each) => each.id === tokenId)?.last_used_at;
    };
    expect(await lastUse()).toBe('2026-03-01T12:00:00.500Z');
    setup.clock.time += 59_999;
    expect(await lastUse()).toBe('2026-03-01T12:00:00.500Z');
    setup.clock.time += 1;
    expect(await lastUse()).toBe('2026-03-01T12:01:00.500Z');
    setup.clock.time = start;
  });

  it.each([
    ['no name', { name: '' }, 'name'],
    ['a scope that is none', { scopes: ['a b'] }, 'scopes'],
    ['no scope at all', { scopes: [] }, 'scopes'],
    ['a lifetime without unit', { expiresIn: '90' }, 'expires_in'],
    ['a lifetime of nothing', { expiresIn: '0d' }, 'expires_in'],
    ['a lifetime of ages', { expiresIn: '101y' }, 'expires_in'],
  ])('is refused with %s', async (_, change, field) => {
    const refusal = createToken(setup.deps, id, { email: 'ada@acme.test', name: 'T', ...change });
    await expect(refusal).rejects.toMatchObject({ code: 'VALIDATION_ERROR', fieldErrors: [{ field }] });
  });

  it('needs a user, and to be revoked, a token', async () => {
    await expect(createToken(setup.deps, id, { email: 'no@acme.test', name: 'T' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(revokeToken(setup.deps, newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(revokeToken(setup.deps, 'svc_x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
