/** Databases over a Citus cluster: on the coordinator and, under the same name, on every worker. */
import { openSession, type Connection, type Session } from '../../src/postgres/session.ts';

interface Node {
  readonly host: string;
  readonly port: number;
}

/** The servers of the cluster that `server` coordinates, itself first; undefined where it is a plain PostgreSQL. */
export async function citusServers(server: Connection): Promise<readonly Connection[] | undefined> {
  const nodes = await nodesOf(server);
  return nodes.length === 0 ? undefined : nodes.map((node) => onNode(server, node, 'postgres'));
}

/** Makes one database of those that exist under `name` on all nodes, then closes it, so that it can be copied. */
export async function makeTemplate(server: Connection, name: string): Promise<void> {
  const nodes = await nodesOf(server);
  const [coordinator, ...workers] = nodes;
  if (!coordinator) throw new Error('A cluster has a coordinator');
  for (const node of nodes) {
    await at(onNode(server, node, name), (session) => session.script('create extension citus'));
  }
  await at(onNode(server, coordinator, name), async (session) => {
    await session.script(`select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
    for (const { host, port } of workers) await session.script(`select citus_add_node('${host}', ${port})`);
  });
  for (const node of nodes) {
    await at(onNode(server, node, 'postgres'), async (session) => {
      await session.script(`alter database ${name} with allow_connections false`);
      // A process of Citus's own stays in every database that was ever opened.
      await session.script(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
    });
  }
}

/** Host and port of the servers of a cluster that hold tables of a schema; none where there is no cluster. */
export async function placesOf(database: Connection, schema: string): Promise<readonly string[]> {
  return at(database, async (session) => {
    const [known] = await rowsOf(session, `select true from pg_extension where extname = 'citus'`);
    if (!known) return [];
    const text = `select distinct nodename || ':' || nodeport from citus_shards
      where split_part(table_name::text, '.', 1) = '${schema}' order by 1`;
    return (await rowsOf(session, text)).map(([place]) => place ?? '');
  });
}

async function nodesOf(server: Connection): Promise<readonly Node[]> {
  return at(server, async (session) => {
    const [known] = await rowsOf(session, `select true from pg_extension where extname = 'citus'`);
    if (!known) return [];
    const nodes = await rowsOf(session, 'select nodename, nodeport from pg_dist_node order by groupid');
    return nodes.map(([host, port]) => ({ host: host ?? '', port: Number(port) }));
  });
}

function onNode(server: Connection, { host, port }: Node, database: string): Connection {
  if (typeof server !== 'string') return { ...server, host, port, database };
  const url = new URL(server);
  [url.hostname, url.port, url.pathname] = [host, String(port), `/${database}`];
  return url.href;
}

async function rowsOf(session: Session, text: string) {
  return (await session.query({ text, values: [] })).rows;
}

async function at<T>(connection: Connection, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession(connection, { pipelined: false, statementTimeoutMs: 60_000 });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
