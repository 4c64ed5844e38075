/** What the service may do on its own PostgreSQL: everything in its database, and nothing beside it. */
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRole } from '../../src/doctor/role.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { Database } from '../../src/postgres/database.ts';
import { ensureCluster, superuser } from '../../src/postgres/embedded/initdb.ts';
import { findClusterFiles, makeSocketDir } from '../../src/postgres/embedded/cluster-files.ts';
import { findRuntime } from '../../src/postgres/embedded/runtime.ts';
import { runServer, untilReady } from '../../src/postgres/embedded/server.ts';
import { startEmbedded, type Embedded } from '../../src/postgres/embedded/supervisor.ts';
import type { ServerAddress } from '../../src/postgres/session.ts';
import { kithJson } from '../cli/in-process.ts';
import { ask, serve, type ServiceProcess } from '../faults/service.ts';
import { asSuperuser, temporaryDir, unsafeAndFast } from '../support/embedded.ts';
import { createEngine, firstOrganization, testSecret } from '../support/engine.ts';
import { silentLog } from '../support/log.ts';

async function rowsOf(database: Database, text: string): Promise<readonly (readonly (string | null)[])[]> {
  return (await database.run('', { text, values: [] })).rows;
}

async function withDatabase<T>(connection: ServerAddress, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await connectDatabase({ connection, log: silentLog });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** A cluster as it was when the service worked as the superuser, with an organization on it. */
async function makeOldCluster(dataDir: string): Promise<{ token: string; schemaName: string }> {
  const place = findClusterFiles(dataDir);
  const runtime = findRuntime(place.account, place.copyDir);
  const { password } = await ensureCluster(place, runtime, false);
  const host = makeSocketDir(place.account);
  const address = { host, port: 5432, user: superuser, password, database: 'postgres' };
  const run = runServer(place, runtime, host, unsafeAndFast);
  try {
    await untilReady(run, address, place);
    return await withDatabase(address, (database) => firstOrganization(createEngine(database), database));
  } finally {
    await run.stop();
    rmSync(host, { recursive: true });
  }
}

const forbidden: readonly (readonly [string, string])[] = [
  ['run a program', "copy (select 1) to program 'cat > /dev/null'"],
  ['read a program', "copy kith.people from program 'id'"],
  ['read a file of the server', "select pg_read_file('PG_VERSION')"],
  ['write a file of the server', "copy (select 1) to '/dev/null'"],
  ['list a directory', "select pg_ls_dir('.')"],
  ['load a file', "select lo_import('/etc/passwd')"],
  ['change the server', "alter system set jit = 'on'"],
  ['make a role', 'create role another'],
  ['become the superuser', 'set role kith'],
  ['raise itself', 'alter role kith_service superuser'],
  ['make a database', 'create database another'],
  ['make a function of the machine', "create function f() returns int language c as 'libc', 'getpid'"],
  ['read what roles are known by', 'select rolpassword from pg_authid'],
];

describe.each(['a new cluster', 'a cluster of before'])('on %s', (which) => {
  const dataDir = temporaryDir();
  let old: { token: string; schemaName: string } | undefined;
  let embedded: Embedded;
  let database: Database;

  beforeAll(async () => {
    if (which !== 'a new cluster') old = await makeOldCluster(dataDir);
    embedded = await startEmbedded({ dataDir, log: silentLog, settings: unsafeAndFast });
    database = await connectDatabase({ connection: embedded.connection, log: silentLog });
    if (!old) old = await firstOrganization(createEngine(database), database);
  }, 60_000);
  afterAll(async () => {
    await database?.close();
    await embedded?.stop();
    rmSync(dataDir, { recursive: true });
  });

  it.each(forbidden)('the service may not %s', async (_what, text) => {
    await expect(database.run('', { text, values: [] })).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
  });

  it('owns the database and all that is in it, and is a member of nothing', async () => {
    const others = await rowsOf(
      database,
      `
      select 'database', datname from pg_database where datname = current_database() and datdba <> current_user::regrole
      union all select 'schema', nspname from pg_namespace
        where nspname !~ '^pg_' and nspname not in ('public', 'information_schema') and nspowner <> current_user::regrole
      union all select 'relation', oid::regclass::text from pg_class
        where relnamespace::regnamespace::text ~ '^(kith|org_.*)$' and relowner <> current_user::regrole`,
    );
    expect(others).toEqual([]);
    expect(await rowsOf(database, 'select 1 from pg_auth_members where member = current_user::regrole')).toEqual([]);
    const clusters = { reached: [{ id: '', name: 'main', database }], away: [] };
    expect(await checkRole(clusters, true)).toEqual({ name: 'role', problems: [], fine: 'main: kith_service' });
  });

  it('changes what was there', async () => {
    const schema = old?.schemaName ?? '';
    await database.transaction('', (tx) =>
      tx.script(`
        alter table ${schema}.contacts add column extra text;
        create index on ${schema}.contacts (extra);
        insert into ${schema}._history (object_id, record_id, action, means, change_set, at)
          select id, id, 'create', 'test', id, now() from ${schema}._objects;
        alter table ${schema}.contacts drop column extra`),
    );
    const counts = `select count(*) filter (where means = 'test'), (select count(*) from ${schema}._objects) from ${schema}._history`;
    const [[written, objects] = []] = await rowsOf(database, counts);
    expect([written, Number(objects) > 0]).toEqual([objects, true]);
  });

  it('keeps each password for its owner, and the superuser for the supervisor', async () => {
    for (const file of ['postgres-password', 'service-password'])
      expect(statSync(path.join(dataDir, file)).mode & 0o777).toBe(0o600);
    const asSuper = asSuperuser(embedded.connection, dataDir);
    expect(asSuper.password).not.toBe(embedded.connection.password);
    const mixed = connectDatabase({
      connection: { ...asSuper, password: embedded.connection.password },
      log: silentLog,
    });
    await expect(mixed).rejects.toMatchObject({ message: expect.stringContaining('password') });
  });

  it('gets back to that with the next start, whatever was granted, as doctor says', async () => {
    await withDatabase(asSuperuser(embedded.connection, dataDir), async (above) => {
      await above.run('', { text: 'alter role kith_service createdb', values: [] });
      await above.run('', { text: 'grant pg_execute_server_program to kith_service', values: [] });
      await above.run('', { text: 'create schema of_the_superuser create table made (id serial)', values: [] });
    });
    const clusters = { reached: [{ id: '', name: 'main', database }], away: [] };
    const { problems } = await checkRole(clusters, true);
    expect(problems).toEqual([
      {
        text: 'the service works as kith_service, which has the rights createdb, pg_execute_server_program',
        remedy: 'restart the service, which takes them away',
      },
    ]);
    expect(await checkRole(clusters, false)).toMatchObject({ problems: [], fine: expect.stringContaining('warning') });
    await database.close();
    await embedded.stop();
    embedded = await startEmbedded({ dataDir, log: silentLog, settings: unsafeAndFast });
    database = await connectDatabase({ connection: embedded.connection, log: silentLog });
    expect((await checkRole({ reached: [{ id: '', name: 'main', database }], away: [] }, true)).problems).toEqual([]);
    await database.run('', { text: 'drop schema of_the_superuser cascade', values: [] });
  });
});

describe('the service and the command line', () => {
  const dataDir = temporaryDir();
  const env = { KITH_DATA_DIR: dataDir, KITH_SECRET_KEY: testSecret };
  let service: ServiceProcess | undefined;
  afterAll(async () => {
    service?.kill('SIGTERM');
    await service?.outcome;
    rmSync(dataDir, { recursive: true });
  });

  it('go on with a cluster of before', { timeout: 120_000 }, async () => {
    const { token } = await makeOldCluster(dataDir);
    service = await serve(env);
    const created = await ask(service.url, token, 'POST', '/api/v1/records/contacts', { first_name: 'Ada' });
    expect(created?.status, JSON.stringify(created?.json)).toBe(200);
    const manifest = { objects: [{ name: 'projects', fields: [{ name: 'name', type: 'TEXT' }] }] };
    const applied = await ask(service.url, token, 'POST', '/api/v1/manifest', manifest);
    expect(applied?.status, JSON.stringify(applied?.json)).toBe(200);
    const { json } = await kithJson(['doctor'], env);
    expect(json, JSON.stringify(json)).toMatchObject({ ok: true });
    const file = path.join(dataDir, 'all.kith');
    expect(await kithJson(['backup', '--file', file], env)).toMatchObject({ code: 0 });
    expect(await kithJson(['restore', '--file', file, '--new-id'], env)).toMatchObject({ code: 0 });
  });
});
