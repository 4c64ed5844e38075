/** A read that waits for long: whoever may no longer read when it is done gets nothing of it. */
import { expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { create } from './records.ts';
import { admin, kith, organization, useStage } from './stage.ts';
import { run } from './workspace.ts';

useStage(async () => {
  await create(admin, 'contacts', { first_name: 'Secret' });
});

it.each([
  ['an aggregate', '/aggregate/contacts', { group_by: 'first_name' }],
  ['a grouped list', '/records/contacts', { group_by: 'first_name' }],
])('the token of %s is revoked while it waits for a lock', async (_what, path, query) => {
  const { email } = (await admin.get('/me')).json.profile;
  const { tokenId, token } = await createToken(kith.deps, organization.id, { email, name: 'short' });
  const client = kith.client(token);
  expect((await client.get('/me')).status).toBe(200);
  const waiting = sql`select count(*) from pg_locks where not granted and relation = ${`${organization.schema}.contacts`}::regclass`;
  const reply = await kith.database.database.transaction('test', async (tx) => {
    await tx.script(`lock table "${organization.schema}".contacts in access exclusive mode`);
    const asked = client.get(path, query);
    await expect.poll(async () => (await run(kith, organization, waiting))[0]?.[0], { timeout: 10_000 }).not.toBe('0');
    await revokeToken(kith.deps, tokenId);
    return { asked };
  });
  const { status, text } = await reply.asked;
  expect([status, text.includes('Secret')], text).toEqual([401, false]);
});
