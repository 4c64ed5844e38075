/** What follows a change of the workspace is completed, whoever its author is by then. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { withValue } from './manifests.ts';

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

it('completes indexes and search texts though the admin who applied is none any more', async () => {
  const { schema, admin, user } = await kith.organization();
  const leaving = await user('Admin');
  const { database } = kith.database;
  await admin.post('/manifest', withValue('TEXT'));
  await admin.post('/records/items', { name: 'A', value: 'sought' });
  const table = (name: string) => identifier(schema, name);
  const version = async () => {
    const query = statement(sql`select model_version from ${table('_organization')}`);
    return (await database.run('test', query)).rows[0]?.[0];
  };
  const before = await version();
  const [field] = withValue('TEXT', { isSearchable: true }).objects[0]?.fields.slice(1) ?? [];
  const choice = { name: 'choice', type: 'SELECT', options: [{ value: 'a' }] };
  const { applied } = await database.transaction('test', async (tx) => {
    // An index that is made beside traffic waits for whoever looks at what was before.
    await tx.script('set transaction isolation level repeatable read');
    await tx.run(statement(sql`select id from ${table('_roles')}`));
    const applied = leaving.post('/manifest', { objects: [{ name: 'items', fields: [field, choice] }] });
    await expect.poll(version, { timeout: 10_000 }).not.toBe(before);
    const revoke = sql`update ${table('_users')} set is_active = false where id = ${leaving.workspaceUserId}::uuid`;
    await database.run('other', statement(revoke));
    return { applied };
  });
  const { status, headers, text } = await applied;
  expect([status, headers.get('warning')], text).toEqual([200, null]);
  expect((await admin.get('/records/items', { search: 'sought' })).json.total).toBe(1);
});
