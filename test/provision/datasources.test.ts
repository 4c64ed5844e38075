import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load.ts';
import { sql } from '../../src/postgres/sql.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { migrate } from '../../src/provision/migrate.ts';
import { allMigrations, latestVersion } from '../../src/provision/migrations.ts';
import { testDatabase } from '../support/database.ts';
import { hasSchema, rowsOf, setUp, type Setup } from './setup.ts';

const url = 'postgres://ada:secret@second.test/kith';
let setup: Setup;
let second: Awaited<ReturnType<typeof testDatabase>>;
const connections: string[] = [];

beforeAll(async () => {
  second = await testDatabase();
  setup = await setUp((address) => {
    connections.push(address);
    if (address !== url) return Promise.reject(new Error('no such host'));
    // Shared by two directories here, so neither may close it.
    return Promise.resolve({ ...second.database, close: () => Promise.resolve() });
  });
});

afterAll(async () => {
  await setup.drop();
  await second.drop();
});

it('places organizations on other clusters, whose address is sealed', async () => {
  const { main, deps } = setup;
  const datasource = await deps.directory.addDatasource('second', url);
  expect(datasource).toEqual({ id: datasource.id, name: 'second', engine: second.database.engine });
  expect((await deps.directory.datasources()).map(({ name }) => name)).toEqual(['main', 'second']);
  const [row] = await rowsOf(main, sql`select url from kith.datasources where name = 'second'`);
  expect(row?.[0]).not.toContain('secret');

  const input = { name: 'Far', adminName: 'Ada', adminEmail: 'ada@far.test', datasource: 'second' };
  const { organizationId, schemaName, datasourceId } = await createOrganization(deps, input);
  expect(datasourceId).toBe(datasource.id);
  expect([await hasSchema(main, schemaName), await hasSchema(second.database, schemaName)]).toEqual([false, true]);

  // Another process opens the cluster by the sealed address, once.
  const directory = setup.anotherDirectory();
  connections.length = 0;
  const organization = await directory.requireOrganization(organizationId);
  const [database] = await Promise.all([directory.databaseOf(organization), directory.databaseOf(organization)]);
  expect((await loadModel(database, organization)).organizationName).toBe('Far');
  expect(connections).toEqual([url]);
});

it('refuses a name that is taken or is none, and a cluster that does not answer', async () => {
  const { directory } = setup.deps;
  await directory.addDatasource('third', url);
  await expect(directory.addDatasource('third', url)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(directory.addDatasource('main', url)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(directory.addDatasource('No name', url)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(directory.addDatasource('fourth', 'postgres://nowhere.test/x')).rejects.toThrow('no such host');
  expect((await directory.datasources()).map(({ name }) => name)).not.toContain('fourth');
});

it('migrates the others when one cluster is away', async () => {
  const { main, deps, clock } = setup;
  const near = await createOrganization(deps, { name: 'Near', adminName: 'Bo', adminEmail: 'bo@near.test' });
  const far = await createOrganization(deps, {
    name: 'Far',
    adminName: 'Bo',
    adminEmail: 'bo@far.test',
    datasource: 'second',
  });
  const directory = {
    ...deps.directory,
    databaseOf: (organization: { datasourceId: string }) =>
      organization.datasourceId === near.datasourceId ? Promise.resolve(main) : Promise.reject(new Error('away')),
  };
  for (const id of [near.organizationId, far.organizationId]) await directory.setSchemaVersion(id, 0);
  const { failed } = await migrate({ main, directory, clock });
  expect(failed).toContainEqual({ schema: far.schemaName, message: 'away' });
  expect(failed.map(({ schema }) => schema)).not.toContain(near.schemaName);
  expect((await deps.directory.organization(near.organizationId))?.schemaVersion).toBe(
    latestVersion(allMigrations.organization),
  );
});
