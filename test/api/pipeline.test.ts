/** [spec: Record (generic); contract: Built-in objects] Where an opportunity stands. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { create, expectError, fieldsIn, list, timestamp, uuid } from './records.ts';

const steps = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost'];

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
});
afterAll(() => kith.stop());

const deal = (values: object = {}) => create(admin, 'opportunities', { name: 'Deal', ...values });

describe('create', () => {
  it('RECO-04: takes the default pipeline and its first step', async () => {
    const record = await deal();
    expect(record).toMatchObject({ pipeline_id_display: 'Sales', pipeline_step_id_display: 'Lead' });
    expect(record.pipeline_id).toMatch(uuid);
    expect(record.pipeline_step_id).toMatch(uuid);
    expect(record.pipeline_step_entered_at).toMatch(timestamp);
    expect(record.pipeline_step_entered_at).toBe(record.created_at);
    expect(record).not.toHaveProperty('pipeline');
  });

  it.each(steps)('a given step, by name or by id, is honoured: %s', async (step) => {
    const byName = await deal({ pipeline_step_id: step });
    expect(byName.pipeline_step_id_display).toBe(step);
    const byId = await deal({ pipeline_step_id: byName.pipeline_step_id, pipeline_id: byName.pipeline_id });
    expect(byId.pipeline_step_id).toBe(byName.pipeline_step_id);
  });

  it('a pipeline alone means its first step', async () => {
    expect(await deal({ pipeline_id: 'Sales' })).toMatchObject({ pipeline_step_id_display: 'Lead' });
  });

  it.each([
    ['an unknown step', { pipeline_step_id: 'Nowhere' }, 'pipeline_step_id'],
    ['an id of nothing', { pipeline_step_id: '01890000-0000-7000-8000-000000000000' }, 'pipeline_step_id'],
    ['an unknown pipeline', { pipeline_id: 'Purchasing' }, 'pipeline_id'],
    ["an unknown step by the field's own name", { pipeline: 'Nowhere' }, 'pipeline'],
  ])('%s is VALIDATION_ERROR', async (_name, values, field) => {
    const reply = await admin.post('/records/opportunities', { name: 'x', ...values });
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual([field]);
  });

  it('an unknown step is answered with those there are', async () => {
    const reply = await admin.post('/records/opportunities', { name: 'x', pipeline_step_id: 'Nowhere' });
    for (const step of steps) expect(reply.json.field_errors[0].message).toContain(step);
  });
});

describe('update', () => {
  it('a change of the step stamps when it was entered; a write of the same step does not', async () => {
    const record = await deal();
    const moved = (await admin.put(`/records/opportunities/${record.id}`, { pipeline_step_id: 'Proposal' })).json
      .record;
    expect(moved).toMatchObject({
      pipeline_id: record.pipeline_id,
      pipeline_step_id_display: 'Proposal',
      pipeline_step_entered_at: moved.updated_at,
    });
    const same = (
      await admin.put(`/records/opportunities/${record.id}`, { pipeline_step_id: moved.pipeline_step_id, name: 'Same' })
    ).json.record;
    expect(same.pipeline_step_entered_at).toBe(moved.pipeline_step_entered_at);
    const other = (await admin.put(`/records/opportunities/${record.id}`, { name: 'Other' })).json.record;
    expect(other.pipeline_step_entered_at).toBe(moved.pipeline_step_entered_at);
  });

  it('RP-01: to name the pipeline that the record is in moves nothing; to name another enters it at its first step', async () => {
    const other = await kith.organization();
    const run = (text: string) => kith.database.database.run(other.id, { text, values: [] });
    const record = await create(other.admin, 'opportunities', { name: 'Deal', pipeline_step_id: 'Won' });
    const { pipeline_id } = record;
    const same = (await other.admin.put(`/records/opportunities/${record.id}`, { pipeline_id, name: 'Same' })).json
      .record;
    expect(same).toEqual({ ...record, name: 'Same', updated_at: same.updated_at });
    const id = "'01890000-0000-7000-8000-0000000000";
    await run(`insert into "${other.schema}"._pipelines (id, object_id, name, is_default, position)
      select ${id}01', object_id, 'Renewal', false, 1 from "${other.schema}"._pipelines`);
    await run(`insert into "${other.schema}"._pipeline_steps (id, pipeline_id, name, order_index, definition)
      values (${id}02', ${id}01', 'Due', 0, '{"kind":"ongoing"}'), (${id}03', ${id}01', 'Renewed', 1, '{"kind":"won"}')`);
    await run(`update "${other.schema}"._organization set model_version = model_version + 1`);
    const moved = (await other.admin.put(`/records/opportunities/${record.id}`, { pipeline_id: 'Renewal' })).json
      .record;
    expect(moved).toMatchObject({
      pipeline_id_display: 'Renewal',
      pipeline_step_id_display: 'Due',
      pipeline_step_entered_at: moved.updated_at,
    });
    const mixed = await other.admin.put(`/records/opportunities/${record.id}`, {
      pipeline_id,
      pipeline_step_id: 'Renewed',
    });
    expectError(mixed, 'VALIDATION_ERROR');
    expect(fieldsIn(mixed)).toEqual(['pipeline_step_id']);
    expect(
      (await create(other.admin, 'opportunities', { name: 'New', pipeline_id: 'Renewal' })).pipeline_step_id_display,
    ).toBe('Due');
  });

  it('a record with a pipeline cannot be without a step', async () => {
    const { id } = await deal();
    expectError(await admin.put(`/records/opportunities/${id}`, { pipeline_step_id: null }), 'VALIDATION_ERROR');
  });
});

describe('lists', () => {
  it("filters and sorts go by the field's own name, its step column and its pipeline", async () => {
    const { admin } = await kith.organization();
    for (const step of ['Won', 'Lead', 'Won'])
      await create(admin, 'opportunities', { name: step, pipeline_step_id: step });
    const won = (
      await list(admin, 'opportunities', { filter_field: 'name', filter_operator: 'equals', filter_value: 'Won' })
    )[0];
    const names = async (field: string, value: string) =>
      (await list(admin, 'opportunities', { filter_field: field, filter_operator: 'equals', filter_value: value })).map(
        (record) => record.name,
      );
    expect(await names('pipeline', won.pipeline_step_id)).toEqual(['Won', 'Won']);
    expect(await names('pipeline_step_id', won.pipeline_step_id)).toEqual(['Won', 'Won']);
    expect(await names('pipeline_id', won.pipeline_id)).toEqual(['Won', 'Lead', 'Won']);
    const sorted = await list(admin, 'opportunities', { sort_by: 'pipeline', sort_dir: 'asc' });
    const steps = sorted.map((record): string => record.pipeline_step_id);
    expect(steps).toEqual(steps.toSorted());
    const shown = await list(admin, 'opportunities', { fields: 'pipeline', limit: 1 });
    expect(Object.keys(shown[0])).toEqual([
      'id',
      'pipeline_id',
      'pipeline_id_display',
      'pipeline_step_id',
      'pipeline_step_id_display',
      'pipeline_step_entered_at',
    ]);
  });
});
