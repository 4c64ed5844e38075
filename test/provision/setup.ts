/** A migrated database of its own with all that provisioning needs, at a time that the test moves. */
import { createKeyring } from '../../src/auth/keys.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { createDirectory, type Directory } from '../../src/directory/directory.ts';
import type { Connect } from '../../src/directory/datasources.ts';
import type { OrganizationRef } from '../../src/model/definition.ts';
import { loadModel } from '../../src/model/load.ts';
import type { Database } from '../../src/postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { createOrganization, type CreatedOrganization } from '../../src/provision/create-organization.ts';
import type { ProvisionDeps } from '../../src/provision/deps.ts';
import { migrate } from '../../src/provision/migrate.ts';
import { testDatabase } from '../support/database.ts';

export interface Setup {
  readonly main: Database;
  readonly deps: ProvisionDeps;
  readonly clock: { time: number; now(): number };
  /** A second process on the same database. */
  anotherDirectory(): Directory;
  drop(): Promise<void>;
}

const noOther: Connect = () => Promise.reject(new Error('This test has no second cluster'));

export async function setUp(connect: Connect = noOther): Promise<Setup> {
  const { database: main, drop } = await testDatabase();
  const clock = { time: Date.parse('2026-03-01T12:00:00.500Z'), now: () => clock.time };
  const keyring = createKeyring('the root secret', []);
  const anotherDirectory = () => createDirectory({ main, keyring, connect, clock });
  const directory = anotherDirectory();
  await migrate({ main, directory, clock });
  const deps = { directory, keyring, tokens: createTokens(keyring, clock, directory.installationId), clock };
  return {
    main,
    deps,
    clock,
    anotherDirectory,
    async drop() {
      await directory.close();
      await drop();
    },
  };
}

export function acme(deps: ProvisionDeps): Promise<CreatedOrganization> {
  return createOrganization(deps, { name: 'Acme', adminName: 'Ada Lovelace', adminEmail: 'ada@acme.test' });
}

/** The rows of a query as the wire's text. */
export async function rowsOf(database: Database, query: Sql): Promise<readonly (readonly (string | null)[])[]> {
  return (await database.run('test', statement(query))).rows;
}

/** Takes from an organization the objects that operations of their own write, with their tables. */
export async function withoutManaged(database: Database, organization: OrganizationRef): Promise<void> {
  const table = (name: string) => identifier(organization.schema, name);
  const { objects } = await loadModel(database, organization);
  const managed = [...objects.values()].filter(({ kind }) => kind === 'managed' || kind === 'internal');
  const ids = managed.map(({ id }) => id);
  for (const { table: own, kind, fields } of managed)
    for (const name of [...(kind === 'managed' ? [own] : []), ...fields.flatMap(({ linkTable }) => linkTable ?? [])])
      await rowsOf(database, sql`drop table ${table(name)}`);
  await rowsOf(database, sql`delete from ${table('_fields')} where object_id = any(${ids}::uuid[])`);
  await rowsOf(database, sql`delete from ${table('_objects')} where id = any(${ids}::uuid[])`);
}

/** Takes from an organization's schema what its migrations give it after the fourth. */
export async function withoutLaterTables(database: Database, schema: string): Promise<void> {
  for (const table of [
    '_transcripts',
    '_transcript_segments',
    '_audit',
    '_audit_head',
    '_mail_folders',
    '_account_failures',
    '_thread_references',
    '_calendars',
    '_calendar_entries',
    '_merges',
    '_webhook_deliveries',
    '_import_jobs',
    '_import_parts',
    '_webhooks',
    '_dashboards',
    '_views',
    '_sends',
    '_sandbox',
    '_pipeline_step_history',
    '_notifications',
    '_threads',
    '_interactions',
    '_interaction_contents',
    '_participants',
    '_addresses',
    '_events',
    '_event_attendees',
  ])
    await rowsOf(database, sql`drop table ${identifier(schema, table)}`);
  for (const column of ['channels', 'send_enabled', 'updated_at', 'settings', 'failures', 'last_error', 'next_sync_at'])
    await rowsOf(database, sql`alter table ${identifier(schema, '_integrations')} drop column ${identifier(column)}`);
  await rowsOf(
    database,
    sql`drop index ${identifier(schema, '_integrations_workspace_user_id_provider_account_email_idx')}`,
  );
  await rowsOf(database, sql`drop index ${identifier(schema, '_list_entries_list_id_created_at_id_idx')}`);
  await rowsOf(database, sql`alter table ${identifier(schema, '_organization')} drop column awaited_fields`);
  await rowsOf(
    database,
    sql`alter table ${identifier(schema, '_tokens')} drop column app, drop column connected_until`,
  );
}

/** Takes from an organization's schema what its fourth migration and later ones give it. */
export async function withoutGround(database: Database, schema: string): Promise<void> {
  await withoutLaterTables(database, schema);
  await rowsOf(database, sql`drop table ${identifier(schema, '_jobs')}`);
  for (const column of ['operation', 'request', 'epoch', 'tx'])
    await rowsOf(database, sql`alter table ${identifier(schema, '_history')} drop column ${identifier(column)}`);
}

/** Whether the database has a schema of that name. */
export async function hasSchema(database: Database, schema: string): Promise<boolean> {
  return (await rowsOf(database, sql`select 1 from pg_namespace where nspname = ${schema}`)).length > 0;
}
