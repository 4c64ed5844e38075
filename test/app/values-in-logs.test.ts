/** No log has a value of a record: neither the service's own, at its most talkative, nor that of its PostgreSQL. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/postgres/database.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { attachOrStart } from '../../src/postgres/embedded/supervisor.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { kithJson } from '../cli/in-process.ts';
import { serve, type ServiceProcess } from '../faults/service.ts';
import { temporaryDir } from '../support/embedded.ts';
import { testSecret } from '../support/engine.ts';
import { silentLog } from '../support/log.ts';

const mark = 'Marked7Value';

let dataDir: string;
let service: ServiceProcess;
let database: Database;
let token: string;
let schema: string;

beforeAll(async () => {
  dataDir = temporaryDir();
  const env = { KITH_DATA_DIR: dataDir, KITH_SECRET_KEY: testSecret };
  service = await serve({ ...env, KITH_LOG_LEVEL: 'debug' });
  const named = ['--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];
  const { json } = await kithJson(['org', 'create', ...named], env);
  [token, schema] = [String(json['token']), String(json['schemaName'])];
  const { connection } = await attachOrStart({ dataDir, log: silentLog });
  database = await connectDatabase({ connection, log: silentLog });
  // The database refuses what Kith takes: by a message, a detail and a context that quote the value.
  await database.transaction('test', (tx) =>
    tx.script(`
      alter table ${schema}.contacts add check (job_title is null or job_title::integer > 0);
      create unique index on ${schema}.contacts (last_name);
      create function ${schema}.refuse() returns trigger language plpgsql as $$
        begin raise exception 'refused: %', new.first_name; end $$;
      create trigger refuse before insert on ${schema}.contacts for each row when (new.first_name like '%raise%')
        execute function ${schema}.refuse()`),
  );
}, 60_000);
afterAll(async () => {
  await database.close();
  service.kill('SIGTERM');
  await service.outcome;
  rmSync(dataDir, { recursive: true });
});

const send = async (method: string, to: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
  const typed = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  const response = await fetch(`${service.url}/api/v1${to}`, { method, headers: typed, ...(body && { body }) });
  return `${response.status} ${await response.text()}`;
};

it('whatever fails, and however', { timeout: 120_000 }, async () => {
  const contact = (values: object) => send('POST', '/records/contacts', JSON.stringify(values));
  const q = encodeURIComponent(mark);
  expect(await contact({ last_name: mark, first_name: mark })).toMatch(/^200 /);
  for (const values of [{ job_title: mark }, { last_name: mark }, { first_name: `raise ${mark}` }]) {
    expect(await contact(values)).toMatch(/^400 .*WRITE_FAILED|^500 /);
    await send('POST', '/records/contacts/batch/create', JSON.stringify({ records: [values] }));
    await send('POST', '/import/contacts', JSON.stringify({ records: [values] }));
  }
  const filter = (field: string) => `/records/contacts?filter_field=${field}&filter_operator=equals&filter_value=${q}`;
  for (const to of [
    filter('last_name'),
    filter('owner'),
    filter('created_at'),
    `/records/contacts?search=${q}`,
    `/records/contacts?sort_by=${q}`,
    `/records/contacts?cursor=${q}`,
    `/records/contacts/${q}`,
    `/records/${q}`,
    `/${q}`,
    `/export/contacts?filters=${q}`,
    `/aggregate/contacts?field=${q}`,
    `/records/contacts?filters=%7B${q}`,
  ])
    await send('GET', to);
  for (const body of [`{"last_name":"${mark}`, `{"${mark}":1}`, `"${mark}"`, JSON.stringify({ emails: mark })])
    await send('POST', '/records/contacts', body);
  await send('GET', '/records/contacts', undefined, { 'time-zone': mark });
  await send('POST', '/records/contacts', '{}', { 'idempotency-key': mark });

  // Reads that break: what PostgreSQL says of them is our defect.
  await database.transaction('test', (tx) =>
    tx.script(`alter table ${schema}.contacts alter column last_name type integer using length(last_name)`),
  );
  expect(await send('GET', filter('last_name'))).toMatch(/^500 /);

  // A server process that dies: PostgreSQL says what it was running.
  const { connection } = await attachOrStart({ dataDir, log: silentLog });
  const other = await connectDatabase({ connection, log: silentLog });
  const running = other.transaction('test', async (tx) => {
    const { rows } = await tx.run(statement(sql`select pg_backend_pid()`));
    const sleeping = tx.script(`select pg_sleep(60), '${mark}'`);
    process.kill(Number(rows[0]?.[0]), 'SIGKILL');
    await sleeping;
  });
  await expect(running).rejects.toThrow();
  await other.close();

  service.kill('SIGTERM');
  const { stdout, stderr } = await service.outcome;
  const ofPostgres = readFileSync(path.join(dataDir, 'postgres.log'), 'utf8');
  expect(stderr).toContain('WRITE_FAILED');
  expect(stderr).toContain('"code":"22P02"');
  expect(stderr).toContain('INTERNAL_ERROR');
  expect(ofPostgres).toContain('terminated by signal 9');
  for (const text of [stdout, stderr, ofPostgres]) {
    const line = text.split('\n').find((each) => each.includes(mark));
    expect(line).toBe(undefined);
  }
});
