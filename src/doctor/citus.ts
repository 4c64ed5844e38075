/** The nodes of a Citus cluster: whether they answer, and how organizations are placed on them. */
import type { Database } from '../postgres/database.ts';
import { sql, statement } from '../postgres/sql.ts';
import { messageOf } from '../lib/thrown.ts';
import { type Problem } from './finding.ts';
import { soMany } from '../lib/so-many.ts';

const affinity = 'kith';

/** The placement, as information in the report. */
export async function placementOn(database: Database): Promise<string> {
  const { rows } = await database.run(
    affinity,
    statement(sql`select (select extversion from pg_extension where extname = 'citus'),
      count(distinct s.schemaid), count(distinct l.groupid),
      array_to_json(array(select nspname from pg_namespace
        where nspname ~ '^org_' and oid not in (select schemaid from pg_dist_schema) order by nspname))
      from pg_dist_schema s join pg_namespace n on n.oid = s.schemaid and n.nspname ~ '^org_'
        join pg_dist_partition p using (colocationid)
        join pg_dist_shard h on h.logicalrelid = p.logicalrelid join pg_dist_placement l using (shardid)`),
  );
  const [version, organizations, servers, names] = rows[0] ?? [];
  const [first, ...others] = JSON.parse(names ?? '[]') as string[];
  const summary = `Citus ${version}, ${soMany(Number(organizations), 'organization')} on ${soMany(Number(servers), 'server')}`;
  if (first === undefined) return summary;
  const also = others.length === 0 ? '' : `, and ${others.length} more`;
  return `${summary}, beside them on the coordinator ${first}${also}; psql: select citus_schema_distribute('${first}')`;
}

/** Nodes of a Citus cluster that do not answer. */
export async function serverProblems(name: string, database: Database): Promise<readonly Problem[]> {
  const query = sql`select nodename || ':' || nodeport, result
    from run_command_on_all_nodes('select true') join pg_dist_node using (nodeid) where not success`;
  const remedy = 'start it; organizations on others can be read meanwhile';
  try {
    const { rows } = await database.run(affinity, statement(query));
    return rows.map(([server, why]) => ({ text: `datasource ${name}: ${server} does not answer (${why})`, remedy }));
  } catch (error) {
    return [{ text: `datasource ${name}: a server does not answer (${messageOf(error)})`, remedy }];
  }
}
