/** [spec: Errors] What the database refuses to write, though Kith found nothing wrong with it. */
import { describe, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { create, expectError, list } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { run } from './workspace.ts';

let id: string;
let deal: string;
useStage(async () => {
  ({ id } = await create(admin, 'contacts', { first_name: 'Ada' }));
  ({ id: deal } = await create(admin, 'opportunities', { name: 'odd' }));
  const refuse = (object: string, field: string) =>
    run(
      kith,
      organization,
      sql`alter table ${table(object)} add constraint odd check (${identifier(field)} <> 'odd') not valid`,
    );
  await refuse('contacts', 'first_name');
  await refuse('opportunities', 'name');
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

  it('ERRO-27: of a merge, which leaves all as it was; nobody without a token merges', async () => {
    const master = await create(admin, 'contacts', { last_name: 'Lovelace' });
    const one = await create(admin, 'contacts', { last_name: 'Lovelace', job_title: 'even' });
    await run(
      kith,
      organization,
      sql`alter table ${table('contacts')} add constraint even check (last_name is null or job_title is null or deleted_at is not null) not valid`,
    );
    const asked = {
      action: 'merge',
      object_name: 'contacts',
      master_id: master.id,
      duplicate_ids: [one.id],
      merge_strategy: 'fill_blanks',
    };
    const reply = await admin.post('/duplicates', asked);
    expectError(reply, 'WRITE_FAILED');
    expect(reply.text).not.toMatch(/constraint|check|23514|even/);
    const kept = (await list(admin, 'contacts')).filter(({ last_name }) => last_name === 'Lovelace');
    expect(new Set(kept.map((record) => record.job_title))).toEqual(new Set(['even', null]));
    expect((await kith.client('svc_nobody').post('/duplicates', asked)).status).toBe(401);
    await admin.delete(`/records/contacts/${master.id}`);
    await admin.delete(`/records/contacts/${one.id}`);
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

describe('ERRO-17, ERRO-24: INTERNAL_ERROR', () => {
  const step = async () => (await admin.get(`/records/opportunities/${deal}`)).json.record.pipeline_step_id;

  it('of a move has status 400, says nothing of the database, and leaves the record where it is', async () => {
    const { pipelines } = (await admin.get('/pipelines')).json;
    const { steps } = pipelines.find(({ objectName }: { objectName: string }) => objectName === 'opportunities');
    const before = await step();
    const reply = await admin.put(`/pipelines/opportunities/${deal}/move`, { pipeline_step_id: steps[1].id });
    expect([reply.status, reply.json.code], reply.text).toEqual([400, 'INTERNAL_ERROR']);
    expect(reply.text).not.toMatch(/constraint|check|23514|odd/);
    expect(await step()).toEqual(before);
    const other = await admin.put(`/records/opportunities/${deal}`, { pipeline_step_id: steps[1].id });
    expectError(other, 'WRITE_FAILED');
  });
});
