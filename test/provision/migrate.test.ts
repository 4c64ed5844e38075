import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { migrate } from '../../src/provision/migrate.ts';
import { allMigrations, latestVersion, type Migrations } from '../../src/provision/migrations.ts';
import { testDatabase } from '../support/database.ts';
import { createDirectory } from '../../src/directory/directory.ts';
import { createKeyring } from '../../src/auth/keys.ts';
import { acme, rowsOf, setUp, withoutGround, withoutManaged, type Setup } from './setup.ts';

let setup: Setup;

beforeEach(async () => {
  setup = await setUp();
});

afterEach(() => setup.drop());

const versions = {
  control: latestVersion(allMigrations.control),
  organization: latestVersion(allMigrations.organization),
};

/** This program's migrations and one more of each kind. */
const next: Migrations = {
  control: [
    ...allMigrations.control,
    { version: versions.control + 1, name: 'motto', script: 'alter table kith.people add motto text' },
  ],
  organization: [
    ...allMigrations.organization,
    {
      version: versions.organization + 1,
      name: 'motto',
      script: (schema) => `alter table ${schema}._users add motto text; select pg_sleep(0.05)`,
    },
  ],
};

const nothing = { applied: [], failed: [], obstacles: [] };

function migrateWith(migrations: Migrations, directory = setup.deps.directory) {
  return migrate({ main: setup.main, directory, clock: setup.clock }, migrations);
}

async function versionOf(schema: string): Promise<unknown> {
  return (await rowsOf(setup.main, sql`select schema_version from ${identifier(schema, '_organization')}`))[0]?.[0];
}

describe('migrate', () => {
  it('does nothing the second time', async () => {
    await acme(setup.deps);
    expect(await migrateWith(allMigrations)).toEqual(nothing);
  });

  it('runs what is new, once for each schema', async () => {
    const schemas = [(await acme(setup.deps)).schemaName, (await acme(setup.deps)).schemaName];
    const { applied, failed } = await migrateWith(next);
    expect(failed).toEqual([]);
    expect(applied[0]).toEqual({ schema: 'kith', version: versions.control + 1, name: 'motto' });
    expect(
      applied
        .slice(1)
        .map(({ schema }) => schema)
        .toSorted(),
    ).toEqual(schemas.toSorted());
    for (const schema of schemas) expect(await versionOf(schema)).toBe(String(versions.organization + 1));
    expect(await migrateWith(next)).toEqual(nothing);
  });

  it('names an organization that fails, leaves it as it was, and brings the others up to date', async () => {
    const [first, broken, last] = [await acme(setup.deps), await acme(setup.deps), await acme(setup.deps)];
    await rowsOf(setup.main, sql`alter table ${identifier(broken.schemaName, '_users')} add motto integer`);
    const { applied, failed } = await migrateWith(next);
    expect(failed).toEqual([{ schema: broken.schemaName, message: expect.stringContaining('motto') }]);
    expect(
      applied
        .slice(1)
        .map(({ schema }) => schema)
        .toSorted(),
    ).toEqual([first.schemaName, last.schemaName].toSorted());
    expect(await versionOf(broken.schemaName)).toBe(String(versions.organization));

    await rowsOf(setup.main, sql`alter table ${identifier(broken.schemaName, '_users')} drop motto`);
    expect(await migrateWith(next)).toEqual({
      applied: [{ schema: broken.schemaName, version: versions.organization + 1, name: 'motto' }],
      failed: [],
      obstacles: [],
    });
  });

  it('runs each step once when two processes do it at once', async () => {
    const schemas = [(await acme(setup.deps)).schemaName, (await acme(setup.deps)).schemaName];
    const results = await Promise.all([migrateWith(next), migrateWith(next, setup.anotherDirectory())]);
    expect(results.flatMap((result) => result.failed)).toEqual([]);
    const applied = results.flatMap((result) => result.applied.map(({ schema, version }) => `${schema} ${version}`));
    expect(applied.toSorted()).toEqual(
      [`kith ${versions.control + 1}`, ...schemas.map((schema) => `${schema} ${versions.organization + 1}`)].toSorted(),
    );
  });

  it('gives an organization of version 1 its later tables, and each object a way to its trash', async () => {
    const { organizationId, schemaName } = await acme(setup.deps);
    const trashIndexes = sql`select indexname, tablename from pg_indexes
      where schemaname = ${schemaName} and indexdef like '%(deleted_at DESC, id DESC)%' order by tablename`;
    await withoutManaged(setup.main, { id: organizationId, schema: schemaName });
    const made = await rowsOf(setup.main, trashIndexes);
    expect(made).toHaveLength(3);
    for (const [name] of made) await rowsOf(setup.main, sql`drop index ${identifier(schemaName, name ?? '')}`);
    for (const table of ['_idempotency', '_uses', '_unsettled'])
      await rowsOf(setup.main, sql`drop table ${identifier(schemaName, table)}`);
    await withoutGround(setup.main, schemaName);
    await rowsOf(setup.main, sql`update ${identifier(schemaName, '_organization')} set schema_version = 1`);
    await setup.deps.directory.setSchemaVersion(organizationId, 1);

    expect((await migrateWith(allMigrations)).failed).toEqual([]);
    const now = await rowsOf(setup.main, trashIndexes);
    expect(now.filter(([, name]) => !name?.startsWith('_'))).toEqual(made);
    expect(await rowsOf(setup.main, sql`select * from ${identifier(schemaName, '_idempotency')}`)).toEqual([]);
    expect(await rowsOf(setup.main, sql`select * from ${identifier(schemaName, '_jobs')}`)).toEqual([]);
    // Whether its search texts are complete is not known.
    expect(await rowsOf(setup.main, sql`select * from ${identifier(schemaName, '_unsettled')}`)).toHaveLength(3);
  });

  it('has the words of threads entered at once, whenever the next upkeep was due', async () => {
    const { organizationId, schemaName } = await acme(setup.deps);
    const jobs = identifier(schemaName, '_jobs');
    await rowsOf(setup.main, sql`alter table ${identifier(schemaName, '_threads')} drop column search_text`);
    await rowsOf(
      setup.main,
      sql`insert into ${jobs} (id, kind, key, payload, state, run_at, attempts, created_at)
      values (gen_random_uuid(), 'upkeep', 'standing', 'null', 'waiting', now() + interval '20 hours', 0, now())`,
    );
    await rowsOf(setup.main, sql`update kith.due set run_at = now() + interval '20 hours'`);
    await rowsOf(setup.main, sql`update ${identifier(schemaName, '_organization')} set schema_version = 21`);
    await setup.deps.directory.setSchemaVersion(organizationId, 21);

    expect((await migrateWith(allMigrations)).failed).toEqual([]);
    const due = sql`select kind from ${jobs} where run_at <= now() union all
      select 'due' from kith.due where organization_id = ${organizationId}::uuid and run_at <= now()`;
    expect(await rowsOf(setup.main, due)).toEqual([['upkeep'], ['due']]);
  });

  it('does not run the step of an organization again when only the directory had not heard of it', async () => {
    const { organizationId, schemaName } = await acme(setup.deps);
    await migrateWith(next);
    await setup.deps.directory.setSchemaVersion(organizationId, versions.organization);
    expect(await migrateWith(next)).toEqual(nothing);
    expect((await setup.deps.directory.organization(organizationId))?.schemaVersion).toBe(versions.organization + 1);
    expect(await versionOf(schemaName)).toBe(String(versions.organization + 1));
  });

  it('makes the large indexes that are missing where it was broken off, once when two processes do it at once', async () => {
    const { organizationId, schemaName } = await acme(setup.deps);
    const indexes = sql`select indexname from pg_indexes where schemaname = ${schemaName} order by 1`;
    const whole = await rowsOf(setup.main, indexes);
    for (const name of ['_history_epoch_tx_id_idx', '_list_entries_list_id_created_at_id_idx'])
      await rowsOf(setup.main, sql`drop index ${identifier(schemaName, name)}`);
    await setup.deps.directory.setSchemaVersion(organizationId, versions.organization - 1);
    const both = [migrateWith(allMigrations), migrateWith(allMigrations, setup.anotherDirectory())];
    expect(await Promise.all(both)).toEqual([nothing, nothing]);
    expect(await rowsOf(setup.main, indexes)).toEqual(whole);
  });

  it('works on a database of the next version, without touching it', async () => {
    const { schemaName } = await acme(setup.deps);
    await migrateWith(next);
    expect(await migrateWith(allMigrations)).toEqual(nothing);
    expect(await versionOf(schemaName)).toBe(String(versions.organization + 1));
  });

  it('refuses a database that is newer than that with one sentence', async () => {
    const later = versions.control + 2;
    await rowsOf(
      setup.main,
      sql`insert into kith.migrations (version, name, applied_at) values (${later}::int, 'later', now())`,
    );
    await expect(migrateWith(allMigrations)).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      message: `This database was made by a newer Kith (its version is ${later}, this program knows ${versions.control}): start the newer program`,
    });
  });

  it('reports an organization that is newer than that', async () => {
    const { organizationId, schemaName } = await acme(setup.deps);
    await rowsOf(
      setup.main,
      sql`update ${identifier(schemaName, '_organization')} set schema_version = ${versions.organization + 2}::int`,
    );
    await setup.deps.directory.setSchemaVersion(organizationId, versions.organization + 2);
    const { failed } = await migrateWith(allMigrations);
    expect(failed).toEqual([{ schema: schemaName, message: expect.stringContaining('newer Kith') }]);
    expect(await versionOf(schemaName)).toBe(String(versions.organization + 2));
  });
});

it('two processes can start at once on an empty database', async () => {
  const { database: main, drop } = await testDatabase();
  try {
    const connect = () => Promise.reject(new Error('unused'));
    const directory = () =>
      createDirectory({ main, keyring: createKeyring('secret', []), connect, clock: setup.clock });
    const results = await Promise.all(
      [directory(), directory()].map((each) => migrate({ main, directory: each, clock: setup.clock })),
    );
    expect(results.flatMap((result) => result.applied)).toEqual(
      allMigrations.control.map(({ version, name }) => ({ schema: 'kith', version, name })),
    );
    expect(await directory().datasources()).toEqual([{ id: expect.any(String), name: 'main', engine: main.engine }]);
  } finally {
    await drop();
  }
});
