/** Work that goes on after its page was left: imports as they stand, and jobs that are not over. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { applied } from '../manifest/manifests.ts';
import { createAll, expectError, timestamp } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let eve: Client;
let ben: Client;

// Jobs wait: nothing carries them out here.
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ada = organization.admin;
  [eve, ben] = [await organization.user('Admin'), await organization.user('Member')];
});
afterAll(() => kith.stop());

async function analyzed(data: unknown, client = ada, more: object = {}): Promise<string> {
  const reply = await client.post('/import-jobs', { object_name: 'companies', data, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.json.import_job_id;
}
async function act(id: string, action: string, body: object = {}): Promise<Reply['json']> {
  const reply = await ada.post(`/import-jobs/${id}/${action}`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}
const listed = async (query: object = {}, client = ada): Promise<Reply['json']> => {
  const reply = await client.get('/import-jobs', { ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};
const idsOf = ({ data }: Reply['json']): string[] => data.map(({ import_job_id: id }: { import_job_id: string }) => id);
const manyRows = `name\n${Array.from({ length: 2_001 }, (_, at) => `Many ${at}`).join('\n')}\n`;

describe('GET /import-jobs', () => {
  let ids: Record<'done' | 'open' | 'queued' | 'evesOwn', string>;
  let changeSet: string;
  beforeAll(async () => {
    const done = await analyzed('name,employees\nGlobex,5\n,7\n', ada, { format: 'csv', file_name: 'dir/globex.csv' });
    ({ change_set: changeSet } = await act(done, 'execute'));
    const open = await analyzed([{ name: 'Never' }]);
    const queued = await analyzed(manyRows, ada, { format: 'csv' });
    await act(queued, 'execute');
    ids = { done, open, queued, evesOwn: await analyzed([{ name: 'Eve' }], eve) };
  });

  it('has all imports of the organization, the latest first, with their counts', async () => {
    const page = await listed();
    expect([page.total, idsOf(page)]).toEqual([4, [ids.evesOwn, ids.queued, ids.open, ids.done]]);
    expect(page.data[3]).toEqual({
      import_job_id: ids.done,
      status: 'completed_with_errors',
      object_name: 'companies',
      file_name: 'globex.csv',
      format: 'csv',
      source: null,
      rows: 2,
      done: 2,
      created: 1,
      updated: 0,
      skipped: 0,
      failed: 1,
      error: null,
      change_set: changeSet,
      user: ada.workspaceUserId,
      user_display: expect.any(String),
      created_at: expect.stringMatching(timestamp),
      finished_at: expect.stringMatching(timestamp),
    });
    expect(page.data[1]).toMatchObject({ status: 'queued', rows: 2_001, done: 0, finished_at: null });
    expect(page.data[0]).toMatchObject({
      status: 'analyzed',
      file_name: null,
      user: eve.workspaceUserId,
      change_set: null,
    });
  });

  it('says of each what a look at it says', async () => {
    for (const { import_job_id: id, ...row } of (await listed()).data) {
      const { status, object_name, format, source, rows, done, error, created_at, finished_at } = (
        await ada.get(`/import-jobs/${id}`)
      ).json;
      const at = (time: string | null) => time && Date.parse(time);
      expect({ ...row, created_at: at(row.created_at), finished_at: at(row.finished_at) }).toMatchObject({
        ...{ status, object_name, format, source, rows, done, error },
        created_at: at(created_at),
        finished_at: at(finished_at),
      });
    }
  });

  it('goes page by page, by state and by user', async () => {
    const first = await listed({ limit: 3 });
    const second = await listed({ limit: 3, cursor: first.nextCursor });
    expect([...idsOf(first), ...idsOf(second)]).toEqual([ids.evesOwn, ids.queued, ids.open, ids.done]);
    expect(idsOf(await listed({ user: eve.workspaceUserId }))).toEqual([ids.evesOwn]);
    expect(idsOf(await listed({ status: 'queued' }))).toEqual([ids.queued]);
    expect(idsOf(await listed({ status: 'expired' }))).toEqual([]);
    expectError(await ada.get('/import-jobs', { status: 'lost' }), 'VALIDATION_ERROR');
    expectError(await ada.get('/import-jobs', { user: 'ada' }), 'VALIDATION_ERROR');
    expectError(await ada.get('/import-jobs', { cursor: first.nextCursor, status: 'queued' }), 'VALIDATION_ERROR');
  });

  it('is for admins, and of their organization', async () => {
    expectError(await ben.get('/import-jobs'), 'PERMISSION_DENIED');
    expect(await listed({}, (await kith.organization()).admin)).toEqual({ data: [], total: 0 });
  });

  it('knows an import that waits no more, one whose job is lost, and one whose object is gone', async () => {
    const other = await kith.organization();
    const { admin } = other;
    await applied(admin, { objects: [{ name: 'things', fields: [{ name: 'name', type: 'TEXT' }] }] });
    const made = async (object_name: string): Promise<string> =>
      (await admin.post('/import-jobs', { object_name, data: [{ name: 'x' }] })).json.import_job_id;
    const [old, lost, gone] = [await made('companies'), await made('companies'), await made('things')];
    await applied(admin, { objects: [{ name: 'things', absent: true }] }, '?allow_destroy=true');
    const table = identifier(other.schema, '_import_jobs');
    const set = (change: ReturnType<typeof sql>, id: string) =>
      kith.database.database.run(other.id, statement(sql`update ${table} set ${change} where id = ${id}::uuid`));
    await set(sql`created_at = ${new Date(Date.now() - 172_800_000).toISOString()}::timestamptz`, old);
    await set(sql`status = 'running', job_id = id`, lost);
    const { data } = await listed({}, admin);
    const told = data.map(({ import_job_id: id, status, object_name, error }: Reply['json']) => [
      id,
      status,
      object_name,
      error,
    ]);
    expect(told).toEqual([
      [gone, 'analyzed', null, null],
      [lost, 'failed', 'companies', expect.stringContaining('ended before')],
      [old, 'expired', 'companies', null],
    ]);
    expect(data.map(({ finished_at: at }: Reply['json']) => at)).toEqual([
      null,
      expect.stringMatching(timestamp),
      null,
    ]);
    expect(idsOf(await listed({ status: 'failed' }, admin))).toEqual([lost]);
    expect(idsOf(await listed({ status: 'expired' }, admin))).toEqual([old]);
    expect((await listed({ status: 'running' }, admin)).total).toBe(0);
  });
});

describe('GET /jobs', () => {
  it('has what the caller has asked for and is not over, and nobody else’s', async () => {
    const titled = (at: number) => ({ last_name: `P ${at}`, job_title: 'Old' });
    for (let at = 0; at < 3; at++)
      await createAll(
        ben,
        'contacts',
        Array.from({ length: 334 }, (_, more) => titled(at * 334 + more)),
      );
    const filters = { type: 'AND', conditions: [{ field: 'job_title', operator: 'equals', value: 'Old' }] };
    const change = { action: 'update_field', object_name: 'contacts', field_name: 'job_title', field_value: 'New' };
    const { json } = await ben.post('/bulk', { ...change, filters, expected_count: 1_002 });
    expect((await ben.get('/jobs')).json).toEqual({
      data: [
        {
          id: json.job_id,
          kind: 'bulk',
          status: 'queued',
          action: 'update_field',
          object_name: 'contacts',
          import_job_id: null,
          change_set: json.job_id,
          done: 0,
          total: 1_002,
          error: null,
          created_at: expect.stringMatching(timestamp),
        },
      ],
      total: 1,
    });
    expect((await eve.get('/jobs')).json).toEqual({ data: [], total: 0 });
  });

  it('has imports of admins, with what is to be done', async () => {
    const id = await analyzed(manyRows, eve, { format: 'csv' });
    const { json } = await eve.post(`/import-jobs/${id}/execute`, {});
    expect(json.mode).toBe('queued');
    const told = { kind: 'import', object_name: 'companies', import_job_id: id, change_set: json.change_set };
    expect((await eve.get('/jobs')).json.data).toEqual([expect.objectContaining({ ...told, done: 0, total: 2_001 })]);
  });

  it('names no object that the role has lost', async () => {
    const roles = (await ada.get('/manifest')).json.roles as { name: string; permissions: object }[];
    const member = roles.find(({ name }) => name === 'Member')!;
    const less = { ...member, permissions: { ...member.permissions, contacts: { view: 'none', create: false } } };
    await applied(ada, { roles: [less] });
    const { text, json } = await ben.get('/jobs');
    expect(json.data).toEqual([expect.objectContaining({ object_name: null, total: 1_002 })]);
    expect(text).not.toContain('contacts');
  });

  it('has none that is over', async () => {
    const { database } = kith.database;
    const table = identifier(organization.schema, '_jobs');
    const over = sql`update ${table} set state = 'done', finished_at = now() where workspace_user_id = ${eve.workspaceUserId}::uuid`;
    await database.run(organization.id, statement(over));
    expect((await eve.get('/jobs')).json).toEqual({ data: [], total: 0 });
  });
});
