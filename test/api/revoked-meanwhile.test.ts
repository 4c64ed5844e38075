/** A read that waits for long: whoever may no longer read when it is done gets nothing of it. */
import { expect, it } from 'vitest';
import { exportAll } from '../../src/operations/exports/export-all.ts';
import { exportRecords } from '../../src/operations/exports/export.ts';
import type { Database } from '../../src/postgres/database.ts';
import { sql } from '../../src/postgres/sql.ts';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { codeOf, createEngine } from '../support/engine.ts';
import { create, createAll } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { run } from './workspace.ts';

/** More than a cursor's first batch. */
const contacts = Array.from({ length: 40 }, () => ({ first_name: 'Secret' }));

useStage(async () => {
  await createAll(admin, 'contacts', contacts);
});

async function ownToken(): Promise<{ tokenId: string; token: string }> {
  const { email } = (await admin.get('/me')).json.profile;
  return createToken(kith.deps, organization.id, { email, name: 'short' });
}

/** How many statements wait for a lock on the table of `object`. */
async function waiting(object: string): Promise<string | null | undefined> {
  const query = sql`select count(*) from pg_locks
    where not granted and relation = ${`${organization.schema}.${object}`}::regclass`;
  return (await run(kith, organization, query))[0]?.[0];
}

it.each([
  ['an aggregate', '/aggregate/contacts', { group_by: 'first_name' }],
  ['a grouped list', '/records/contacts', { group_by: 'first_name' }],
  ['an export', '/export/contacts', {}],
])('the token of %s is revoked while it waits for a lock', async (_what, path, query) => {
  const { tokenId, token } = await ownToken();
  const client = kith.client(token);
  expect((await client.get('/me')).status).toBe(200);
  const reply = await kith.database.database.transaction('test', async (tx) => {
    await tx.script(`lock table "${organization.schema}".contacts in access exclusive mode`);
    const asked = client.get(path, query);
    await expect.poll(() => waiting('contacts'), { timeout: 10_000 }).not.toBe('0');
    await revokeToken(kith.deps, tokenId);
    return { asked };
  });
  const { status, text } = await reply.asked;
  expect([status, text.includes('Secret')], text).toEqual([401, false]);
});

it('a field is dropped while an export waits for a lock: it is begun anew', async () => {
  await create(admin, 'companies', { name: 'Acme', industry: 'software' });
  const { asked } = await kith.database.database.transaction('test', async (tx) => {
    await tx.script(`lock table "${organization.schema}".companies in access exclusive mode`);
    const reply = admin.get('/export/companies');
    await expect.poll(() => waiting('companies'), { timeout: 10_000 }).toBe('1');
    // As a manifest does.
    const schema = `"${organization.schema}"`;
    await tx.script(`alter table ${schema}.companies drop column industry;
      delete from ${schema}._fields f using ${schema}._objects o
        where f.object_id = o.id and o.name = 'companies' and f.name = 'industry';
      update ${schema}._organization set model_version = model_version + 1`);
    return { asked: reply };
  });
  const { status, text, json } = await asked;
  expect(status, text).toBe(200);
  expect(json.records).toMatchObject([{ name: 'Acme' }]);
  expect(json.records[0]).not.toHaveProperty('industry');
});

/** Does `act` when `n` batches of a cursor were read, and nothing has come of the last one yet. */
function trapped(inner: Database, n: number, act: () => Promise<unknown>): Database {
  return {
    ...inner,
    async *stream(...asked) {
      let read = 0;
      for await (const rows of inner.stream(...asked)) {
        if (++read === n) await act();
        yield rows;
      }
    },
  };
}

it.each([
  ['of REST', 1, 'UNAUTHORIZED', exportRecords],
  ['of REST', 2, 'UNAUTHORIZED', exportRecords],
  ['on the command line', 1, 'UNAUTHORIZED', exportAll],
  ['on the command line, which has given away the first,', 2, 'ok', exportAll],
] as const)('the token of an export %s is revoked beside batch %d: %s', async (_what, n, code, operation) => {
  const { tokenId, token } = await ownToken();
  const database = trapped(kith.database.database, n, () => revokeToken(kith.deps, tokenId));
  const exported = createEngine(database)
    .perform(token, operation, { object: 'contacts', format: 'ndjson' })
    .then(async (answer) => operation === exportAll && Array.fromAsync(answer.pieces));
  expect(await codeOf(exported)).toBe(code);
  const revoked = await run(
    kith,
    organization,
    sql`select revoked_at is not null from ${table('_tokens')} where id = ${tokenId}::uuid`,
  );
  expect(revoked).toEqual([['t']]);
});
