/** A database of its own for a test file, on the one server of the test run. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { DatabaseOptions } from '../../src/postgres/connect.ts';
import type { Database } from '../../src/postgres/database.ts';
import { openSession } from '../../src/postgres/session.ts';
import type { Connection } from '../../src/postgres/session.ts';
import { citusNodes, joinNodes, onNode } from './citus.ts';
import { silentLog } from './log.ts';
import './global-setup.ts';

export interface TestDatabase {
  readonly database: Database;
  /** What else may connect to it: a URL or the parts of one. */
  readonly connection: Connection;
  /** The same as a URL, as KITH takes it in DATABASE_URL. */
  readonly url: string;
  /** Closes `database` and removes it from the server. */
  drop(): Promise<void>;
}

/** Creates an empty database; call `drop` in `afterAll`. */
export async function testDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const server = inject('kithTestConnection');
  const name = `kith_test_${randomBytes(8).toString('hex')}`;
  const nodes = await citusNodes(server);
  const servers = nodes?.map((node) => onNode(server, node, 'postgres')) ?? [server];
  for (const each of servers) await onServer(each, `create database ${name} template template0 encoding 'UTF8'`);
  if (nodes) await joinNodes(server, name, nodes);
  const connection = renamed(server, name);
  const database = await connectDatabase({ connection, log: silentLog, ...options });
  return {
    database,
    connection,
    url: typeof connection === 'string' ? connection : toUrl(connection),
    async drop() {
      await database.close();
      for (const each of servers) await onServer(each, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(server: Connection, command: string): Promise<void> {
  const session = await openSession(server, { pipelined: false, statementTimeoutMs: 60_000 });
  try {
    await session.script(command);
  } finally {
    await session.close();
  }
}

function renamed(server: Connection, database: string): Connection {
  if (typeof server !== 'string') return { ...server, database };
  const url = new URL(server);
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
