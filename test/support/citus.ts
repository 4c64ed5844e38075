/** A database over a Citus cluster: on the coordinator and, under the same name, on every worker. */
import { openSession, type Connection, type Session } from '../../src/postgres/session.ts';

interface Node {
  readonly host: string;
  readonly port: number;
}

/** The nodes of the cluster that `server` coordinates, itself first; undefined where it is a plain PostgreSQL. */
export async function citusNodes(server: Connection): Promise<readonly Node[] | undefined> {
  return at(server, async (session) => {
    const [known] = await rowsOf(session, `select true from pg_extension where extname = 'citus'`);
    if (!known) return undefined;
    const nodes = await rowsOf(session, 'select nodename, nodeport from pg_dist_node order by groupid');
    return nodes.map(([host, port]) => ({ host: host ?? '', port: Number(port) }));
  });
}

/** Makes one database of those that exist under `name` on all nodes. */
export async function joinNodes(server: Connection, name: string, nodes: readonly Node[]): Promise<void> {
  const [coordinator, ...workers] = nodes;
  if (!coordinator) throw new Error('A cluster has a coordinator');
  for (const node of nodes) {
    await at(onNode(server, node, name), (session) => session.script('create extension citus'));
  }
  await at(onNode(server, coordinator, name), async (session) => {
    await session.script(`select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
    for (const { host, port } of workers) await session.script(`select citus_add_node('${host}', ${port})`);
  });
}

/** The same server's database of that name on another node. */
export function onNode(server: Connection, { host, port }: Node, database: string): Connection {
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
