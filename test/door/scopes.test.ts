/** Scopes restrict nothing yet. Whatever is remembered of a caller is remembered with them all the same. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { policiesFor } from '../../src/access/policies.ts';
import { routes } from '../../src/http/routes.ts';
import { cacheSizes } from '../../src/lib/caches.ts';
import type { Client } from '../support/kith.ts';
import { openSurface, type Surface } from './surface.ts';

let surface: Surface;
/** Three tokens of one user; the first two have the same scopes, in another order. */
let narrow: Client;
let same: Client;
let wide: Client;
let email: string;

beforeAll(async () => {
  surface = await openSurface(routes);
  ({ email } = await surface.user('Member'));
  narrow = await surface.token(email, ['mcp', 'read']);
  same = await surface.token(email, ['read', 'mcp']);
  wide = await surface.token(email, ['mcp', 'read', 'write']);
});
afterAll(() => surface.stop());

it.each(['Admin', 'Member'])('policies, and so all that is compiled for them: %s', async (name) => {
  const { model, caller } = await surface.kernel.sessions.ofAdmin(surface.organization.id);
  const role = [...model.roles.values()].find((each) => each.name === name);
  if (!role) throw new Error(`There is no role ${name}`);
  const of = (...scopes: string[]) => policiesFor({ ...caller, role, scopes }, model);
  expect(of('mcp', 'read')).toBe(of('read', 'mcp'));
  expect(of('mcp', 'read')).not.toBe(of('mcp'));
  expect(of('mcp')).not.toBe(of());
});

it('sessions: each token has its own', async () => {
  for (const _again of [1, 2]) {
    const scopesOf = async (client: Client) => (await client.get('/me')).json.scopes;
    expect(await scopesOf(narrow)).toEqual(['mcp', 'read']);
    expect(await scopesOf(wide)).toEqual(['mcp', 'read', 'write']);
  }
});

it('answers for an Idempotency-Key: shown again to the same scopes alone, and never written twice', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const create = (client: Client) => client.post('/records/contacts', { first_name: 'Once' }, key);
  const first = await create(narrow);
  expect(first.status, first.text).toBe(200);
  const again = await create(same);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  expect((await create(wide)).json).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('scopes') });
  expect((await narrow.get('/records/contacts', { search: 'Once' })).json.total).toBe(1);
});

it('the document of the interface', async () => {
  const kept = () => cacheSizes().get('openapi_documents')?.entries ?? 0;
  const before = kept();
  const tag = async (client: Client) => (await client.get('/openapi.json')).headers.get('etag');
  const first = await tag(narrow);
  expect(kept()).toBe(before + 1);
  expect(await tag(same)).toBe(first);
  expect(kept()).toBe(before + 1);
  expect(await tag(wide)).toBe(first);
  expect(kept()).toBe(before + 2);
});
