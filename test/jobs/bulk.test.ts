/** [decisions: Bulk] A change of all that match, by a job where they are many. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTokenUse } from '../../src/access/token-use.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createModelCache } from '../../src/model/cache.ts';
import { changingMatching } from '../../src/operations/background/bulk-job.ts';
import { createPerform } from '../../src/operations/door/perform.ts';
import { createSessions } from '../../src/operations/door/sessions.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { createAll, expectError } from '../api/records.ts';
import { rowsOf } from '../provision/setup.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let member: Client;

const most = 2_500;
const matching = (value: string) => ({ type: 'AND', conditions: [{ field: 'job_title', operator: 'equals', value }] });

beforeAll(async () => {
  kith = await startKith({ KITH_JOBS: 'on' });
  organization = await kith.organization();
  ({ admin } = organization);
  member = await organization.user('Member');
  for (let at = 0; at < most; at += 500)
    await createAll(
      admin,
      'contacts',
      Array.from({ length: 500 }, (_, more) => ({ last_name: `P ${at + more}`, job_title: 'Old' })),
    );
});
afterAll(() => kith.stop());

async function finished(client: Client, id: string) {
  const status = async () => (await client.get(`/jobs/${id}`)).json.status;
  await expect.poll(status, { timeout: 30_000, interval: 20 }).toMatch(/completed|failed/);
  return (await client.get(`/jobs/${id}`)).json;
}

const body = (from: string, to: string, expected_count: number) => ({
  action: 'update_field',
  object_name: 'contacts',
  field_name: 'job_title',
  field_value: to,
  filters: matching(from),
  expected_count,
});

it('names the job, which changes all of them in one change set and tells what came of it', async () => {
  const { status, json } = await member.post('/bulk', body('Old', 'New', most));
  expect([status, json]).toEqual([
    200,
    { action: 'update_field', job_id: expect.any(String), status: 'queued', total: most },
  ]);
  const job = await finished(member, json.job_id);
  expect(job).toEqual({
    id: json.job_id,
    kind: 'bulk',
    status: 'completed',
    created_at: expect.any(String),
    finished_at: expect.any(String),
    error: null,
    done: most,
    outcome: { action: 'update_field', updated: most, failed: 0, errors: [], total: most },
  });
  expect((await admin.get('/records/contacts', { filters: matching('New'), limit: 1 })).json.total).toBe(most);
  const [row] = await rowsOf(
    kith.database.database,
    sql`select count(*), count(distinct change_set), min(actor_id::text) from ${identifier(organization.schema, '_history')}
      where change_set = ${json.job_id}::uuid and action = 'update'`,
  );
  expect(row).toEqual([String(most), '1', member.workspaceUserId]);
});

it('writes under the change set that its answer names, also where the request has chosen one', async () => {
  const chosen = crypto.randomUUID();
  const asked = [undefined, chosen].map(async (id, at) => {
    for (const count of [600, 500])
      await createAll(
        admin,
        'contacts',
        Array.from({ length: count }, () => ({ last_name: 'P', job_title: `Set ${at}` })),
      );
    const headers = id === undefined ? {} : { 'Change-Set': id };
    const reply = await member.post('/bulk', body(`Set ${at}`, `Done ${at}`, 1_100), headers);
    const named = reply.headers.get('change-set') ?? '';
    if (id !== undefined) expect(named).toBe(id);
    expect((await finished(member, reply.json.job_id)).status).toBe('completed');
    expect((await member.post('/undo', { change_set: named })).json).toMatchObject({ undone: 1_100, left_count: 0 });
  });
  await Promise.all(asked);
});

it('is told to whoever asked for it and to admins, to nobody else', async () => {
  const { json } = await member.post('/bulk', body('New', 'New', most));
  await finished(admin, json.job_id);
  expectError(await (await organization.user('Member')).get(`/jobs/${json.job_id}`), 'RECORD_NOT_FOUND');
  expectError(await admin.get('/jobs/nothing'), 'RECORD_NOT_FOUND');
  expectError(await admin.get('/jobs/0190f6c1-5b1e-7c3a-9d2f-3e8a61b7c904'), 'RECORD_NOT_FOUND');
});

it('is ended by whoever asked for it: what it has changed stays and is undone, what it is at is rolled back', async () => {
  const { database } = kith.database;
  const contacts = identifier(organization.schema, 'contacts');
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Its last step waits for this record.
  const holding = database.transaction(organization.id, async (tx) => {
    await tx.run(statement(sql`select id from ${contacts} where last_name = ${`P ${most - 1}`} for update`));
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const { json } = await member.post('/bulk', body('New', 'Halfway', most));
  const path = `/jobs/${json.job_id}`;
  await expect.poll(async () => (await member.get(path)).json.done, { timeout: 30_000, interval: 20 }).toBe(2_000);
  expectError(await (await organization.user('Member')).post(`${path}/cancel`), 'RECORD_NOT_FOUND');
  const cancelled = { status: 'cancelled', done: 2_000, finished_at: expect.any(String), outcome: { updated: 2_000 } };
  expect((await member.post(`${path}/cancel`)).json).toMatchObject(cancelled);
  release.resolve();
  await holding;
  expectError(await member.post(`${path}/cancel`), 'CONFLICT');
  expect((await member.get('/jobs')).json).toEqual({ data: [], total: 0 });
  expect((await member.post('/undo', { change_set: json.job_id })).json).toMatchObject({
    undone: 2_000,
    left_count: 0,
  });
  expect((await member.get(path)).json).toMatchObject(cancelled);
  expect((await admin.get('/records/contacts', { filters: matching('New'), limit: 1 })).json.total).toBe(most);
});

it('asks for nothing where another number matches', async () => {
  const reply = await member.post('/bulk', body('New', 'Newer', most - 1));
  expectError(reply, 'CONFLICT');
  expect(reply.json.message).toContain('2,500 records match, not 2,499');
});

it('tells which records failed', async () => {
  const viewer = await organization.user('Viewer');
  const { json } = await viewer.post('/bulk', body('New', 'Newer', most));
  const { status, outcome } = await finished(viewer, json.job_id);
  expect([status, outcome.updated, outcome.failed, outcome.errors.length]).toEqual([
    'completed_with_errors',
    0,
    most,
    50,
  ]);
});

it('tells whoever asked no more than the role shows by now', async () => {
  const all = { '*': { view: 'all', update: 'none' } };
  const role = async (permissions: object) => {
    const reply = await admin.post('/manifest', { roles: [{ name: 'Narrowed', permissions }] });
    expect(reply.status, reply.text).toBe(200);
  };
  await role(all);
  const asker = await organization.user('Narrowed');
  const { job_id: id } = (await asker.post('/bulk', body('New', 'Newer', most))).json;
  const told = async () => (await finished(asker, id)).outcome.errors;
  const [first, ...others] = await told();
  expect(others.length).toBe(49);
  const isFirst = { type: 'AND', conditions: [{ field: 'id', operator: 'equals', value: first.id }] };
  await role({ ...all, contacts: { view: isFirst, update: 'none' } });
  expect(await told()).toEqual([first]);
  await role({ ...all, contacts: { fields: { job_title: 'none' } } });
  expectError(await asker.get(`/jobs/${id}`), 'PERMISSION_DENIED');
  await role({ ...all, contacts: { view: 'none' } });
  expectError(await asker.get(`/jobs/${id}`), 'PERMISSION_DENIED');
  expect((await finished(admin, id)).outcome.errors.length).toBe(50);
});

it('a trial looks at the count, and asks for no job', async () => {
  const { json } = await admin.post('/bulk?dry_run=true', body('New', 'x', most));
  expect(json.status).toBe('queued');
  expectError(await admin.get(`/jobs/${json.job_id}`), 'RECORD_NOT_FOUND');
});

it('fails for good where it cannot be done any more, and says why', async () => {
  const quiet = await startKith();
  try {
    const { admin: owner, id } = await quiet.organization();
    const extra = (more: object) => ({ objects: [{ name: 'contacts', fields: [{ name: 'extra', ...more }] }] });
    expect((await owner.post('/manifest', extra({ label: 'Extra', type: 'TEXT' }))).status).toBe(200);
    await createAll(
      owner,
      'contacts',
      Array.from({ length: 1_000 }, () => ({ job_title: 'Old' })),
    );
    await createAll(owner, 'contacts', [{ job_title: 'Old' }]);
    const { json } = await owner.post('/bulk', { ...body('Old', 'x', 1_001), field_name: 'extra' });
    expect((await owner.get(`/jobs/${json.job_id}`)).json).toMatchObject({ status: 'queued', done: 0, error: null });
    expect((await owner.post('/manifest?allow_destroy=true', extra({ absent: true }))).status).toBe(200);
    const log = { ...silentLog, debug: () => {} };
    const parts = { models: createModelCache(), tokenUse: createTokenUse(), clock: systemClock, log };
    const sessions = createSessions({ ...quiet.deps, ...parts });
    const deadlines = { global: Infinity, long: Infinity, expensive: Infinity, bulk: Infinity };
    const perform = createPerform({ ...quiet.deps, sessions, limiter: undefined, wake: () => {}, deadlines });
    const kinds = [changingMatching({ sessions, perform, log })];
    const jobs = createJobs({ directory: quiet.deps.directory, clock: systemClock, log: silentLog, kinds });
    const stop = jobs.start();
    jobs.wake(id, Date.now());
    const job = await finished(owner, json.job_id);
    await stop();
    expect([job.status, job.done]).toEqual(['failed', 0]);
    expect(job.error).toContain('There is no field "extra" on contacts');
  } finally {
    await quiet.stop();
  }
});

it('puts all that match into the trash, in one change set that is undone as one', async () => {
  const filters = { type: 'AND', conditions: [{ field: 'last_name', operator: 'starts_with', value: 'P ' }] };
  const reply = await admin.post('/bulk', { action: 'delete', object_name: 'contacts', filters, expected_count: most });
  const job = await finished(admin, reply.json.job_id);
  expect(job).toMatchObject({
    status: 'completed',
    done: most,
    outcome: { action: 'delete', deleted: most, failed: 0 },
  });
  const left = async () => (await admin.get('/records/contacts', { filters, limit: 1 })).json.total;
  expect(await left()).toBe(0);
  const undone = await admin.post('/undo', { change_set: reply.headers.get('change-set') });
  expect(undone.json).toMatchObject({ undone: most, left_count: 0 });
  expect(await left()).toBe(most);
});
