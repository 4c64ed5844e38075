/** Checks the role that Kith uses on each cluster: it must own its database, and further rights are reported. */
import { sql, statement } from '../postgres/sql.ts';
import type { Cluster, Clusters } from './clusters.ts';
import type { Finding, Problem } from './finding.ts';

/** Further rights are a problem on the embedded cluster; elsewhere they are their owner's choice. */
export async function checkRole({ reached }: Clusters, mainIsEmbedded: boolean): Promise<Finding> {
  const problems: Problem[] = [];
  const lines: string[] = [];
  for (const cluster of reached) {
    const { role, rights } = await rightsOn(cluster);
    const beyond = rights.length === 0 ? '' : `, which has the rights ${rights.join(', ')}`;
    if (beyond !== '' && mainIsEmbedded && cluster.name === 'main') {
      const remedy = 'restart the service, which takes them away';
      problems.push({ text: `the service works as ${role}${beyond}`, remedy });
    }
    const warning = beyond === '' ? '' : `${beyond} (warning: Kith needs none of them)`;
    lines.push(`${cluster.name}: ${role}${warning}`);
  }
  return { name: 'role', problems, fine: lines.join('; ') };
}

async function rightsOn({ database }: Cluster): Promise<{ role: string; rights: readonly string[] }> {
  const query = sql`select rolname, array_to_string(array[
      case when rolsuper then 'superuser' end,
      case when rolcreaterole then 'createrole' end,
      case when rolcreatedb then 'createdb' end,
      case when rolreplication then 'replication' end,
      case when rolbypassrls then 'bypassrls' end
    ] || array(select g.rolname::text from pg_roles g where not r.rolsuper and g.oid <> r.oid
      and starts_with(g.rolname::text, 'pg_') and g.rolname <> 'pg_database_owner' and pg_has_role(r.oid, g.oid, 'member') order by 1), ' ')
    from pg_roles r where rolname = current_user`;
  const [role, rights] = (await database.run('kith', statement(query))).rows[0] ?? [];
  return { role: role ?? 'nobody', rights: (rights ?? '').split(' ').filter((right) => right !== '') };
}
