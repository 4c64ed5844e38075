/** A server that test databases are made on, be it a plain PostgreSQL or a Citus cluster. */
import { randomBytes } from 'node:crypto';
import { openSession, type Connection, type ServerAddress } from '../../src/postgres/session.ts';
import { citusServers, makeTemplate } from './citus.ts';

export interface TestServer {
  readonly connection: Connection;
  /** What a database has to be made on: the server itself, or all of a cluster. */
  readonly servers: readonly Connection[];
  /** What new databases are copies of. */
  readonly template: string;
  /** Whom new databases belong to, where that is not who connects to the server. */
  readonly owner?: Pick<ServerAddress, 'user' | 'password'>;
}

/** Readies a server for `createDatabase`. */
export async function testServer(connection: Connection): Promise<TestServer> {
  const servers = await citusServers(connection);
  if (!servers) return { connection, servers: [connection], template: 'template0' };
  const template = `kith_test_template_${randomBytes(8).toString('hex')}`;
  await createDatabase({ servers, template: 'template0' }, template);
  await makeTemplate(connection, template);
  return { connection, servers, template };
}

/** Removes what `testServer` has left. */
export async function closeServer({ servers, template }: TestServer): Promise<void> {
  if (template !== 'template0') await dropDatabase({ servers }, template);
}

export async function createDatabase({ servers, template, owner }: Omit<TestServer, 'connection'>, name: string) {
  const options = `template ${template} encoding 'UTF8'${owner ? ` owner ${owner.user}` : ''}`;
  for (const server of servers) await order(server, `create database ${name} ${options}`);
}

export async function dropDatabase({ servers }: Pick<TestServer, 'servers'>, name: string): Promise<void> {
  for (const server of servers) {
    for (let attempt = 1; ; attempt++) {
      try {
        await order(server, `drop database ${name} with (force)`);
        break;
      } catch (error) {
        // The nodes of a cluster connect to each other whenever they like.
        if (servers.length === 1 || attempt === 5) throw error;
      }
    }
  }
}

/** Runs one command. */
export async function order(server: Connection, command: string): Promise<void> {
  const session = await openSession(server, { pipelined: false, statementTimeoutMs: 60_000 });
  try {
    await session.script(command);
  } finally {
    await session.close();
  }
}
