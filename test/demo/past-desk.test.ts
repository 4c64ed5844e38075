/** A past is entered through the operations of everybody, at times that no surface takes. */
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openKernel, type Kernel } from '../../src/kernel.ts';
import { whole } from '../../src/lib/long-text.ts';
import { createLog } from '../../src/lib/log.ts';
import { recordHistory } from '../../src/operations/records/history.ts';
import { stepHistory } from '../../src/operations/workspace/pipelines.ts';
import type { JsonText } from '../../src/operations/door/operation.ts';
import { createRecord, getRecord, updateRecord } from '../../src/operations/records/records.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { createUser, updateUser } from '../../src/provision/users.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let kernel: Kernel;
let organizationId: string;
let adminId: string;

beforeAll(async () => {
  database = await testDatabase();
  const { config } = readConfig({ KITH_SECRET_KEY: 'the root secret'.padEnd(32, '.') }, tmpdir());
  kernel = await openKernel(config, database.database, createLog('silent'));
  const made = await createOrganization(kernel.provision, {
    name: 'Acme',
    adminName: 'Ada',
    adminEmail: 'ada@acme.test',
  });
  organizationId = made.organizationId;
  adminId = made.workspaceUserId;
});
afterAll(async () => {
  await kernel.close();
  await database.drop();
});

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
const read = (answer: unknown): any => JSON.parse(whole((answer as JsonText).text));
const may = '2025-05-05T09:30:00.000Z';
const june = '2025-06-06T10:15:00.000Z';

describe('a past desk', () => {
  it('stamps record, history and steps with the time at which it happened', async () => {
    const past = await kernel.pastDesk(organizationId, adminId);
    const desk = await kernel.desk(organizationId, 'cli', () => {});
    const values = { name: 'Licence', probability: 10 };
    const { id } = read(await past.performAt(Date.parse(may), createRecord, { object: 'opportunities', values }));
    const [won] = desk.session.model.pipelines[0]?.steps.filter(({ kind }) => kind === 'won') ?? [];
    const change = { object: 'opportunities', id, values: { pipeline_step_id: won?.id, probability: 100 } };
    await past.performAt(Date.parse(june), updateRecord, change);

    const now = read(await desk.perform(getRecord, { object: 'opportunities', id })).record;
    expect(now).toMatchObject({ created_at: may, updated_at: june, probability: 100, created_by: adminId });
    const then = read(await desk.perform(getRecord, { object: 'opportunities', id, as_of: '2025-06-01' })).record;
    expect(then).toMatchObject({ updated_at: may, probability: 10, pipeline_step_id_display: 'Lead' });
    const { data: entries } = read(await desk.perform(recordHistory, { object: 'opportunities', id }));
    expect(entries.map(({ at }: { at: string }) => at)).toEqual([june, may]);
    const { data: steps, time_in_steps: times } = read(
      await desk.perform(stepHistory, { object: 'opportunities', id }),
    );
    expect(steps.at(-1)).toMatchObject({ entered_at: may, left_at: june, pipeline_step_id_display: 'Lead' });
    const asLead = times.find((step: { pipeline_step_id_display: string }) => step.pipeline_step_id_display === 'Lead');
    expect(asLead.seconds).toBe((Date.parse(june) - Date.parse(may)) / 1000);
  });

  it("leaves the entries of all others at the database's time", async () => {
    const desk = await kernel.desk(organizationId, 'cli', () => {});
    const before = Date.now();
    const { id } = read(await desk.perform(createRecord, { object: 'companies', values: { name: 'Now' } }));
    const { data } = read(await desk.perform(recordHistory, { object: 'companies', id }));
    expect(Math.abs(Date.parse(data[0].at) - before)).toBeLessThan(30_000);
  });

  it('is in the name of a user who is active', async () => {
    const user = await createUser(kernel.provision, organizationId, {
      name: 'Ben',
      email: 'ben@acme.test',
      role: 'Member',
    });
    const past = await kernel.pastDesk(organizationId, user.workspaceUserId);
    const made = await past.performAt(Date.parse(may), createRecord, { object: 'companies', values: { name: 'Then' } });
    expect(read(made).record).toMatchObject({ created_at: may, created_by: user.workspaceUserId });
    await updateUser(kernel.provision, organizationId, 'ben@acme.test', { active: false });
    await expect(kernel.pastDesk(organizationId, user.workspaceUserId)).rejects.toThrow('not active');
  });
});
