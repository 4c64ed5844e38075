/**
 * What is different on a Citus cluster, whose servers are reached through one of them, the coordinator: what each of its
 * servers has to be set to, and how a transaction is sent.
 */
import { errors } from '../errors.ts';
import type { Rows, Transaction } from './database.ts';
import { statementsOf } from './script.ts';
import { sql, statement, type Statement } from './sql.ts';

/** The first with sharding by schema. */
const oldestVersion = 12;

/** Throws NOT_SUPPORTED unless the cluster can hold organizations. */
export async function refuseUnfit(run: (query: Statement) => Promise<Rows>): Promise<void> {
  const { rows } = await run(statement(sql`select extversion from pg_extension where extname = 'citus'`));
  const version = rows[0]?.[0] ?? '';
  if (!(Number.parseInt(version, 10) >= oldestVersion)) {
    throw errors.notSupported(`Kith needs Citus ${oldestVersion} or later; this is ${version}`);
  }
  // The settings of a connection end at the coordinator; a worker writes times by its own.
  const settings = `select current_setting('TimeZone') || ', ' || current_setting('DateStyle')`;
  const query = sql`select current_database(), nodename || ':' || nodeport, result
    from run_command_on_all_nodes(${settings}) join pg_dist_node using (nodeid) where success`;
  // A server that is away says nothing here, and must not keep the organizations on others from being served.
  const told = await run(statement(query)).catch(() => undefined);
  for (const [database, server, set] of told?.rows ?? []) {
    if (/^(Etc\/)?(UTC|UCT), ISO\b/.test(set ?? '')) continue;
    throw errors.notSupported(
      `The server ${server} of the Citus cluster has TimeZone and DateStyle ${set}; on each server: ` +
        `alter database "${database}" set timezone = 'UTC'; alter database "${database}" set datestyle = 'ISO'`,
    );
  }
}

const limits = /^set local (?:lock|statement)_timeout\b/;

/** Sends the statements of a script one by one, since workers take no others, and limits of time to the workers, who do the waiting. */
export function onCitus(tx: Transaction): Transaction {
  return {
    ...tx,
    async script(text) {
      for (const each of statementsOf(text)) {
        const isLimit = limits.test(each);
        if (isLimit) await tx.script(`set local citus.propagate_set_commands = 'local'`);
        await tx.script(each);
        if (isLimit) await tx.script(`set local citus.propagate_set_commands = 'none'`);
      }
    },
  };
}
