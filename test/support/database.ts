/** A database of its own for a test file, on a server of the test run. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { DatabaseOptions } from '../../src/postgres/connect.ts';
import type { Database } from '../../src/postgres/database.ts';
import type { Connection } from '../../src/postgres/session.ts';
import { silentLog } from './log.ts';
import { createDatabase, dropDatabase, order, type TestServer } from './server.ts';
import './global-setup.ts';

export interface TestDatabase {
  readonly database: Database;
  /** What else may connect to it: a URL or the parts of one. */
  readonly connection: Connection;
  /** The same as a URL, as KITH takes it in DATABASE_URL. */
  readonly url: string;
  /** Closes `database` and removes it from the server. */
  drop(): Promise<void>;
  /** Closes `database` and leaves it on the server under another name. */
  keepAs(name: string): Promise<void>;
}

/** Creates an empty database, or a copy of `template`; call `drop` in `afterAll`. */
export async function testDatabase(
  options: Partial<DatabaseOptions> = {},
  template = inject('kithTestServer').template,
): Promise<TestDatabase> {
  return databaseOn({ ...inject('kithTestServer'), template }, options);
}

/** The same on another server where the run has two: that of KITH_TEST_SECOND_DATABASE_URL. */
export async function secondTestDatabase(): Promise<TestDatabase> {
  return databaseOn(inject('kithSecondTestServer'), {});
}

async function databaseOn(server: TestServer, options: Partial<DatabaseOptions>): Promise<TestDatabase> {
  const name = `kith_test_${randomBytes(8).toString('hex')}`;
  await createDatabase(server, name);
  const connection = renamed(server, name);
  const database = await connectDatabase({ connection, log: silentLog, ...options });
  return {
    database,
    connection,
    url: typeof connection === 'string' ? connection : toUrl(connection),
    async drop() {
      await database.close();
      await dropDatabase(server, name);
    },
    async keepAs(kept) {
      await database.close();
      for (const one of server.servers) await order(one, `alter database ${name} rename to ${kept}`);
    },
  };
}

function renamed({ connection, owner }: TestServer, database: string): Connection {
  if (typeof connection !== 'string') return { ...connection, ...owner, database };
  const url = new URL(connection);
  url.pathname = `/${database}`;
  return url.href;
}

function toUrl({ host, port, user, password, database }: Exclude<Connection, string>): string {
  const address = new URL(`postgres://localhost:${port}/${database}`);
  address.username = user;
  address.password = password;
  address.searchParams.set('host', host);
  return address.href;
}
