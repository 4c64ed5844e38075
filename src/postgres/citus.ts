/**
 * Differences of a Citus cluster, whose servers are reached through the coordinator: the required settings of each
 * server, and how transactions are sent.
 */
import { errors } from '../errors.ts';
import type { Rows, Transaction } from './database.ts';
import { statementsOf } from './script.ts';
import { sql, statement, type Statement } from './sql.ts';

/** The first version with schema-based sharding. */
const oldestVersion = 12;

/** Throws NOT_SUPPORTED unless the cluster can hold organizations. */
export async function refuseUnfit(run: (query: Statement) => Promise<Rows>): Promise<void> {
  const { rows } = await run(statement(sql`select extversion from pg_extension where extname = 'citus'`));
  const version = rows[0]?.[0] ?? '';
  if (!(Number.parseInt(version, 10) >= oldestVersion)) {
    throw errors.notSupported(`Kith needs Citus ${oldestVersion} or later; this is ${version}`);
  }
  // A connection's settings apply to the coordinator alone; workers format times by their own.
  const settings = `select current_setting('TimeZone') || ', ' || current_setting('DateStyle')`;
  const query = sql`select current_database(), nodename || ':' || nodeport, result
    from run_command_on_all_nodes(${settings}) join pg_dist_node using (nodeid) where success`;
  // An unreachable server must not keep the organizations on others from being served.
  const answer = await run(statement(query)).catch(() => undefined);
  for (const [database, server, set] of answer?.rows ?? []) {
    if (/^(Etc\/)?(UTC|UCT), ISO\b/.test(set ?? '')) continue;
    throw errors.notSupported(
      `The server ${server} of the Citus cluster has TimeZone and DateStyle ${set}; on each server: ` +
        `alter database "${database}" set timezone = 'UTC'; alter database "${database}" set datestyle = 'ISO'`,
    );
  }
}

const limits = /^set local (?:lock|statement)_timeout\b/;

/**
 * Sends a script's statements one by one, as workers require, and passes time limits to the workers, which do the
 * waiting.
 */
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
