/** [spec: Errors] What the database refuses to write, though Kith found nothing wrong with it. */
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { create, expectError, list } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { run } from './workspace.ts';

let id: string;
useStage(async () => {
  ({ id } = await create(admin, 'contacts', { first_name: 'Ada' }));
  await run(
    kith,
    organization,
    sql`alter table ${table('contacts')} add constraint odd check (first_name <> 'odd') not valid`,
  );
});

const odd = { first_name: 'odd' };

describe('ERRO-16: WRITE_FAILED', () => {
  it.each<[string, () => ReturnType<typeof admin.post>]>([
    ['a create', () => admin.post('/records/contacts', odd)],
    ['an update', () => admin.put(`/records/contacts/${id}`, odd)],
    ['a dry run', () => admin.post('/records/contacts?dry_run=true', odd)],
    ['a create with a key', () => admin.post('/records/contacts', odd, { 'idempotency-key': 'k' })],
  ])('%s is refused, and says nothing of the database', async (_what, write) => {
    const reply = await write();
    expectError(reply, 'WRITE_FAILED');
    expect(reply.text).not.toMatch(/constraint|check|23514|odd/);
    expect((await list(admin, 'contacts')).map((record) => record.first_name)).toEqual(['Ada']);
  });

  it('of a batch and an import, only the row', async () => {
    const records = [{ first_name: 'Bo' }, odd];
    const batch = await admin.post('/records/contacts/batch/create', { records });
    expect(batch.json.records.map((record: { first_name: string }) => record.first_name)).toEqual(['Bo']);
    expect(batch.json.errors).toMatchObject([{ index: 1, code: 'WRITE_FAILED' }]);
    const imported = await admin.post('/import/contacts', { records });
    expect(imported.json).toMatchObject({ created: 1, failed: 1, errors: [{ index: 1 }] });
  });
});
