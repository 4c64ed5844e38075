/** Copies and migrations of large tables take longer than any request may. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { Database } from '../../src/postgres/database.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { migrate } from '../../src/provision/migrate.ts';
import { allMigrations, latestVersion } from '../../src/provision/migrations.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { copyOrganization } from '../../src/transfer/copy-organization.ts';
import { restore } from '../../src/transfer/restore.ts';
import { acme, setUp, type Setup } from '../provision/setup.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';

let setup: Setup;
let second: TestDatabase;
beforeAll(async () => {
  setup = await setUp();
  second = await testDatabase();
});
afterAll(async () => {
  await setup.drop();
  await second.drop();
});

it.concurrent('a statement without a limit takes the time it takes', async () => {
  const database = await connectDatabase({ connection: second.connection, log: silentLog, statementTimeoutMs: 50 });
  const slow = statement(sql`select pg_sleep(0.2)`);
  try {
    await expect(database.transaction('a', (tx) => tx.run(slow))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    // The time after which a connection counts as lost begins three seconds after the limit.
    const slower = statement(sql`select pg_sleep(3.6)`);
    expect((await database.transaction('a', (tx) => tx.run(slower), Infinity)).count).toBe(1);
    await expect(database.transaction('a', (tx) => tx.run(slow))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  } finally {
    await database.close();
  }
});

it.concurrent('moves, backups, restores and migrations have none', async () => {
  const { organizationId } = await acme(setup.deps);
  const organization = await setup.deps.directory.requireOrganization(organizationId);
  const limits: (number | undefined)[] = [];
  const watched = (database: Database): Database => ({
    ...database,
    transaction(affinity, body, limitMs) {
      limits.push(limitMs);
      return database.transaction(affinity, body, limitMs);
    },
  });
  const { directory } = setup.deps;
  const deps = {
    ...setup.deps,
    directory: { ...directory, databaseOf: () => Promise.resolve(watched(setup.main)) },
  };
  const files = mkdtempSync(join(tmpdir(), 'kith-long-'));
  try {
    const path = join(files, 'one.kith');
    await second.database.transaction('test', (tx) => tx.script('create extension pg_trgm schema public'));
    await copyOrganization(watched(setup.main), watched(second.database), organization);
    await backUp(deps, { path });
    await restore(deps, { path, as: 'new' });
    expect(limits).toEqual([Infinity, Infinity, Infinity, Infinity, Infinity]);
    limits.length = 0;
    const version = latestVersion(allMigrations.organization) + 1;
    const next = { version, name: 'next', script: () => 'select 1' };
    const migrations = { ...allMigrations, organization: [...allMigrations.organization, next] };
    await migrate({ main: setup.main, directory: deps.directory, clock: setup.clock }, migrations);
    expect(limits.length).toBeGreaterThan(1);
    expect(limits.every((limit) => limit === Infinity)).toBe(true);
  } finally {
    rmSync(files, { recursive: true });
  }
});
