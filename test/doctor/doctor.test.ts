/** What `kith doctor` finds in an installation that somebody has broken, and what it repairs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/auth/keys.ts';
import { examine, examineAndRepair, type Patient } from '../../src/doctor/doctor.ts';
import { checkOf, type Check, type Finding } from '../../src/doctor/finding.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { indexName } from '../../src/model/names.ts';
import { acme, rowsOf, setUp, type Setup } from '../provision/setup.ts';
import { storageOf, type Storage } from '../writes/invariants.ts';

let setup: Setup;
let patient: Patient;
let schema: string;
let organizationId: string;
let storage: Storage;
let dataDir: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kith-doctor-'));
  setup = await setUp();
  ({ schemaName: schema, organizationId } = await acme(setup.deps));
  storage = storageOf(setup.main, schema);
  patient = { main: setup.main, ...setup.deps, secret: { dataDir, isConfigured: true }, isEmbedded: false };
});
afterEach(async () => {
  rmSync(dataDir, { recursive: true });
  await setup.drop();
});

const script = (text: string) => setup.main.transaction('test', (tx) => tx.script(text));

function failed(findings: readonly Finding[]): readonly Check[] {
  return findings.map(checkOf).filter(({ ok }) => !ok);
}

async function expectRepair(): Promise<void> {
  const repaired = await examineAndRepair(patient);
  expect([repaired.failed, failed(repaired.findings)]).toEqual([[], []]);
}

it('finds a store that does not count, and says why and what happens meanwhile', async () => {
  const [store] = failed(await examine({ ...patient, redisUrl: 'redis://:hush-hush@127.0.0.1:1' }));
  expect(store).toMatchObject({ name: 'store', ok: false });
  expect(store?.detail).toMatch(/^what is at REDIS_URL does not count: .*ECONNREFUSED.*requests are let through/);
  expect(store?.detail).not.toContain('hush');
});

it('finds nothing in what was just made, and leaves nothing behind', async () => {
  const before = await rowsOf(setup.main, sql`select count(*) from pg_class`);
  const checks = (await examine(patient)).map(checkOf);
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual(
    [
      'database',
      'durability',
      'role',
      'extensions',
      'migrations',
      'schemas',
      'keys',
      'store',
      'left-overs',
      'totals',
      'indexes',
      'search',
    ].map((name) => [name, true]),
  );
  expect(checks[0]?.detail).toMatch(/^main: PostgreSQL \d+\.\d+/);
  expect(checks[1]?.detail).toMatch(/data_checksums (on|off), fsync (on|off)/);
  expect(await rowsOf(setup.main, sql`select count(*) from pg_class`)).toEqual(before);
});

describe('an organization that is not as its model', () => {
  const byHand = /restore the organization from a backup, or correct the table by hand$/;
  const scenarios: [what: string, ddl: (schema: string) => string, text: string, remedy: RegExp][] = [
    [
      'lacks a column',
      (at) => `alter table ${at}.contacts drop job_title`,
      '.contacts lacks the column job_title text collate C',
      byHand,
    ],
    [
      'has a column of another type',
      (at) => `alter table ${at}.companies alter employees type text`,
      '.companies.employees is text and has to be bigint',
      byHand,
    ],
    [
      'has a text that sorts in another way',
      (at) => `alter table ${at}.companies alter name type text collate "POSIX"`,
      '.companies.name is text collate POSIX and has to be text collate C',
      byHand,
    ],
    ['lacks a table', (at) => `drop table ${at}._idempotency`, '._idempotency lacks the column answer', byHand],
    [
      'lacks a primary key',
      (at) => `alter table ${at}.contacts drop constraint contacts_pkey`,
      '.contacts lacks the index',
      byHand,
    ],
    [
      'has a column that nobody asked for',
      (at) => `alter table ${at}.contacts add nickname text`,
      '.contacts has a column that the model does not know: nickname',
      /remove it by hand/,
    ],
    [
      'has a table that nobody asked for',
      (at) => `create table ${at}.stray (id int)`,
      '.stray has a column that',
      /remove it/,
    ],
    [
      'has an index that nobody asked for',
      (at) => `create unique index only_one on ${at}.contacts (first_name)`,
      '.contacts has a index that the model does not know: only_one',
      /remove it by hand/,
    ],
  ];
  for (const [what, ddl, text, remedy] of scenarios) {
    it(what, async () => {
      await script(ddl(schema));
      const findings = await examine(patient);
      const schemas = findings.find(({ name }) => name === 'schemas');
      const problem = schemas?.problems.find((each) => each.text.startsWith(schema + text));
      expect(problem, JSON.stringify(schemas)).toMatchObject({ remedy: expect.stringMatching(remedy) });
      expect(checkOf(schemas!)).toMatchObject({ ok: false });
    });
  }

  it('cannot be read', async () => {
    await script(`drop table ${schema}._organization`);
    expect(failed(await examine(patient))).toContainEqual({
      name: 'schemas',
      ok: false,
      detail: expect.stringContaining(`${schema} cannot be read`),
    });
  });

  it('lacks indexes, or has one whose making was broken off: they are made', async () => {
    const stage = await storage.fieldId('contacts', 'company_id');
    const indexes = sql`select indexname, indexdef from pg_indexes where schemaname = ${schema} order by 1`;
    const before = await rowsOf(setup.main, indexes);
    await script(`drop index ${schema}.${indexName(stage)}`);
    await script(`drop index ${schema}._history_change_set_idx`);
    await script(`drop index ${schema}._users_lower_idx`);
    const findings = await examine(patient);
    expect(failed(findings).map(({ name }) => name)).toEqual(['schemas']);
    expect(failed(findings)[0]?.detail).toContain('kith doctor --repair');
    await expectRepair();
    expect(await rowsOf(setup.main, indexes)).toEqual(before);
  });

  it('has an unfinished index that nobody asked for: it goes', async () => {
    await script(`create table ${schema}.twice (n int); insert into ${schema}.twice values (1), (1)`);
    const broken = sql`create unique index concurrently broken_off on ${identifier(schema, 'twice')} (n)`;
    await expect(rowsOf(setup.main, broken)).rejects.toThrow('broken_off');
    const findings = await examine(patient);
    expect(findings.find(({ name }) => name === 'left-overs')?.problems).toEqual([
      expect.objectContaining({ text: `the index ${schema}.broken_off on twice was not finished` }),
    ]);
    expect((await examineAndRepair(patient)).failed).toEqual([]);
    expect(await rowsOf(setup.main, sql`select from pg_class where relname = 'broken_off'`)).toEqual([]);
  });
});

it('corrects a sum that is wrong', async () => {
  await rowsOf(
    setup.main,
    sql`insert into ${storage.table('_state')} (object_id, bucket, rows, version)
      select id, 3, 7, 1 from ${storage.table('_objects')} where name = 'contacts'`,
  );
  const version = await storage.version('contacts');
  const findings = await examine(patient);
  expect(failed(findings)).toEqual([
    { name: 'totals', ok: false, detail: `${schema}.contacts has 0 records and remembers 7: kith doctor --repair` },
  ]);
  await expectRepair();
  // What processes remember of the object does not count any more.
  expect(await storage.version('contacts')).toBeGreaterThan(version);
});

it('removes an organization that was begun an hour ago and never finished, and no younger one', async () => {
  const { directory } = setup.deps;
  const main = (await directory.datasources())[0]!;
  const old = {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    name: 'Half',
    schema: 'org_half',
    datasourceId: main.id,
    schemaVersion: 1,
  };
  await directory.addOrganization(old);
  await script('create schema org_half; create table org_half._users (id uuid)');
  setup.clock.time += 3_600_001;
  const young = { ...old, id: '01890a5d-ac96-774b-bcce-b302099a8058', schema: 'org_young' };
  await directory.addOrganization(young);
  const findings = await examine(patient);
  expect(failed(findings)).toEqual([
    {
      name: 'left-overs',
      ok: false,
      detail: `organization ${old.id} (Half) was begun and never finished, or its deletion was broken off: kith doctor --repair`,
    },
  ]);
  await expectRepair();
  expect(await rowsOf(setup.main, sql`select schema_name from kith.organizations order by 1`)).toEqual([
    [schema],
    ['org_young'],
  ]);
  expect(await rowsOf(setup.main, sql`select from pg_namespace where nspname = 'org_half'`)).toEqual([]);
});

it('names the command for a trash that is due', async () => {
  const due = new Date(setup.clock.now() - 31 * 86_400_000 - 1_000).toISOString();
  await rowsOf(
    setup.main,
    sql`insert into ${storage.table('contacts')} (id, created_at, updated_at, deleted_at)
      values (gen_random_uuid(), ${due}::timestamptz, ${due}::timestamptz, ${due}::timestamptz)`,
  );
  expect(failed(await examine(patient))).toEqual([
    {
      name: 'left-overs',
      ok: false,
      detail: `${schema} has 1 record that is due to leave the trash: kith trash purge --org ${organizationId}`,
    },
  ]);
});

it('names jobs that nobody begins', async () => {
  const due = new Date(setup.clock.now() - 86_400_000 - 1_000).toISOString();
  await rowsOf(
    setup.main,
    sql`insert into ${storage.table('_jobs')} (id, kind, payload, state, run_at, attempts, created_at)
      values (gen_random_uuid(), 'test', 'null', 'waiting', ${due}::timestamptz, 0, ${due}::timestamptz)`,
  );
  expect(failed(await examine(patient))).toEqual([
    {
      name: 'left-overs',
      ok: false,
      detail: `${schema} has 1 job that was to begin more than a day ago: run a service with KITH_JOBS=on`,
    },
  ]);
});

it('says what is behind and what is ahead, and does not judge its tables', async () => {
  await rowsOf(setup.main, sql`update ${storage.table('_organization')} set schema_version = 0`);
  await script(`alter table ${schema}.contacts add nickname text`);
  expect(failed(await examine(patient))).toEqual([
    { name: 'migrations', ok: false, detail: expect.stringMatching(/^org_\w+ lacks workspace, .*: kith migrate$/) },
  ]);
  await rowsOf(setup.main, sql`update ${storage.table('_organization')} set schema_version = 1000`);
  expect(failed(await examine(patient))).toEqual([
    { name: 'migrations', ok: false, detail: expect.stringMatching(/newer Kith .*: start the newer program$/) },
  ]);
});

it('says that the extension is not there, and creates it', async () => {
  await script('drop extension pg_trgm cascade');
  const findings = await examine(patient);
  expect(failed(findings).map(({ name }) => name)).toEqual(['extensions', 'schemas']);
  // The search indexes went with it, and come back after it.
  await expectRepair();
});

describe('keys', () => {
  it('tells a data key that no secret at hand opens', async () => {
    const keyring = createKeyring('another secret', []);
    expect(failed(await examine({ ...patient, keyring }))).toEqual([
      {
        name: 'keys',
        ok: false,
        detail: expect.stringContaining(`organization ${organizationId} ("Acme") cannot be opened`),
      },
    ]);
    const keys = await examine({ ...patient, keyring: createKeyring('another secret', ['the root secret']) });
    expect(keys.map(checkOf).find(({ name }) => name === 'keys')).toEqual({
      name: 'keys',
      ok: true,
      detail: '1 organization opened; 1 sealed with an earlier secret: kith keys rotate',
    });
  });

  it('looks at the file of the secret', async () => {
    const inFile = { ...patient, secret: { dataDir, isConfigured: false } };
    const keys = async () => (await examine(inFile)).map(checkOf).find(({ name }) => name === 'keys');
    const file = join(dataDir, 'secret');
    expect(await keys()).toMatchObject({ ok: false, detail: expect.stringContaining(`there is no secret in ${file}`) });
    await writeFile(file, `${'the root secret'.padEnd(32, '.')}\n`, { mode: 0o600 });
    expect(await keys()).toMatchObject({ ok: true });
    await chmod(file, 0o644);
    expect(await keys()).toMatchObject({ ok: false, detail: `${file} can be read by others: chmod 600 ${file}` });
    await writeFile(file, 'short\n');
    expect(await keys()).toMatchObject({ ok: false, detail: expect.stringContaining('is too short') });
    await writeFile(file, '');
    expect(await keys()).toMatchObject({ ok: false, detail: expect.stringContaining('is empty') });
    await rm(file);
  });
});

it('goes on where one cluster is away', async () => {
  const directory = {
    ...setup.deps.directory,
    datasources: async () => [
      ...(await setup.deps.directory.datasources()),
      { id: 'far', name: 'far', engine: 'postgresql' },
    ],
    databaseOf: (placed: { readonly datasourceId: string }) =>
      placed.datasourceId === 'far'
        ? Promise.reject(new Error('no such host'))
        : setup.deps.directory.databaseOf(placed),
  };
  expect(failed(await examine({ ...patient, directory }))).toEqual([
    {
      name: 'database',
      ok: false,
      detail: 'datasource far cannot be reached (no such host): start it, or see `kith datasource list`',
    },
  ]);
});

it('keeps its details short', () => {
  const problems = Array.from({ length: 30 }, (_, n) => ({ text: `problem ${n}`, remedy: 'none' }));
  expect(checkOf({ name: 'many', problems, fine: '' }).detail).toMatch(/problem 19: none; and 10 more$/);
});

it('says what could not be repaired', async () => {
  await script(`drop index ${schema}._users_lower_idx; alter table ${schema}._users rename email to mail`);
  const { failed: sentences, findings } = await examineAndRepair(patient);
  expect(sentences).toEqual([
    expect.stringMatching(/^Not repaired: org_\w+\._users lacks the index _users_lower_idx \(/),
  ]);
  expect(failed(findings).map(({ name }) => name)).toEqual(['schemas']);
});
