/** What the service does beside requests, without being asked: the sweep and the upkeep. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { identifier, sql, type Sql } from '../../src/postgres/sql.ts';
import { create } from '../api/records.ts';
import { run } from '../api/workspace.ts';
import { applied } from '../manifest/manifests.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

let kith: TestKith;
let organization: TestOrganization;

beforeAll(async () => {
  kith = await startKith({ KITH_JOBS: 'on' });
  organization = await kith.organization();
});
afterAll(() => kith.stop());

const table = (name: string) => identifier(organization.schema, name);
const query = (text: Sql) => run(kith, organization, text);
const until = (ask: () => Promise<unknown>, wanted: unknown) =>
  expect.poll(ask, { timeout: 10_000, interval: 20 }).toEqual(wanted);
const jobs = async () => (await query(sql`select kind, state from ${table('_jobs')} order by kind`)).map(String);
const both = ['sweep,waiting', 'upkeep,waiting'];

/** As if its time had come. */
async function hasCome(kind: string): Promise<void> {
  await until(jobs, both);
  await query(sql`update ${table('_jobs')} set run_at = now() where kind = ${kind}`);
  await kith.deps.directory.wake(organization.id, systemClock.now());
}

it('removes for good what has been in the trash for thirty days', async () => {
  const { admin } = organization;
  const { id } = await create(admin, 'companies', { name: 'Old' });
  await admin.delete(`/records/companies/${id}`);
  await query(sql`update ${table('companies')} set deleted_at = now() - interval '31 days'`);
  await hasCome('sweep');
  await until(() => query(sql`select id from ${table('companies')}`), []);
  const last = sql`select action, means, actor_id from ${table('_history')} where record_id = ${id}::uuid order by id desc limit 1`;
  expect(await query(last)).toEqual([['purge', 'job', null]]);
});

it('completes the search texts that were left, which a change of the workspace asks for', async () => {
  const { admin } = organization;
  await create(admin, 'companies', { name: 'Globex' });
  await hasCome('upkeep');
  await until(jobs, both);
  const due = sql`select run_at < now() + interval '1 minute' from ${table('_jobs')} where kind = 'upkeep'`;
  await until(() => query(due), [['f']]);
  await applied(admin, {
    objects: [{ name: 'companies', fields: [{ name: 'notes', type: 'TEXT', isSearchable: true }] }],
  });
  expect(await query(due)).toEqual([['t']]);
  await query(sql`update ${table('companies')} set search_parts = '{}', search_text = ''`);
  await query(sql`insert into ${table('_unsettled')} select id from ${table('_objects')} where name = 'companies'`);
  await hasCome('upkeep');
  await until(async () => (await admin.get('/records/companies', { search: 'globex' })).json.total, 1);
});

it('tells at /metrics how its jobs ended', async () => {
  const { text } = await organization.admin.send('/metrics');
  const ended = /^kith_jobs_ended_total\{kind="sweep",outcome="again"\} (\d+)$/m.exec(text)?.[1];
  expect(Number(ended)).toBeGreaterThan(0);
  expect(text).toMatch(/^kith_jobs_running\{kind="upkeep"\} \d+$/m);
  expect(text).toMatch(/^kith_jobs_waiting_organizations \d+$/m);
});
