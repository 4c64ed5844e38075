/** Says which connections wait for a lock, on one server or on all nodes of a Citus cluster. */
import { Client } from 'pg';
import type { TestDatabase } from '../support/database.ts';

export interface Monitor {
  /** The application_name of each one that waits for a lock. */
  blocked(): Promise<string[]>;
  close(): Promise<void>;
}

// pg_locks, since whoever releases a lock grants it there to the next one before its own answer is sent.
const waiting = `select distinct a.application_name from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and a.datname = current_database()`;

/**
 * Looks through connections of its own. On Citus most waiting is on the workers, and each of them is asked: the view
 * citus_lock_waits takes a tenth of a second and more, since it connects anew to every node.
 */
export async function monitorOf({ connection, database }: TestDatabase): Promise<Monitor> {
  const coordinator = await connect(new Client(connection));
  const workers = database.engine === 'citus' ? await workersOf(coordinator, connection) : [];
  const clients = [coordinator, ...workers];

  async function look(): Promise<string[]> {
    const names = (await Promise.all(clients.map((client) => firstColumn(client, waiting)))).flat();
    const processes = names.flatMap((name) => /gpid=(\d+)/.exec(name)?.[1] ?? []);
    if (processes.length === 0) return names;
    // The last ten digits name the process on the coordinator that a worker does something for.
    const behind =
      'select application_name from pg_stat_activity where pid = any(select g % 10000000000 from unnest($1::bigint[]) g)';
    return [...names, ...(await firstColumn(coordinator, behind, [processes]))];
  }

  // One look after the other: whoever no longer waits for one leaves it behind.
  let last: Promise<unknown> = Promise.resolve();
  return {
    blocked() {
      const next = last.then(look);
      last = next.catch(() => {});
      return next;
    },
    async close() {
      await last;
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

async function workersOf(coordinator: Client, connection: TestDatabase['connection']): Promise<Client[]> {
  if (typeof connection !== 'string') throw new Error('A Citus cluster is reached by a URL');
  const nodes = await firstColumn(
    coordinator,
    "select nodename || ':' || nodeport from pg_dist_node where isactive and groupid <> 0",
  );
  return Promise.all(
    nodes.map((node) => {
      const url = new URL(connection);
      url.host = node;
      return connect(new Client(url.href));
    }),
  );
}

async function connect(client: Client): Promise<Client> {
  await client.connect();
  return client;
}

async function firstColumn(client: Client, text: string, values: readonly unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<[string]>({ text, values: [...values], rowMode: 'array' });
  return rows.map(([value]) => value);
}
