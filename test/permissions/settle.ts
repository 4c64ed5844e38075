/** A random workspace in the service and in memory, with its people. */
import type { Reply, TestKith, TestOrganization } from '../support/kith.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import type { Random } from '../query/random.ts';
import type { Memory, Person } from './memory.ts';
import { randomWorkspace, timeZone } from './workspace.ts';

export interface Settled {
  readonly organization: TestOrganization;
  readonly memory: Memory;
  readonly admin: Person;
}

export async function settle(kith: TestKith, random: Random): Promise<Settled> {
  const workspace = randomWorkspace(random);
  const organization = await kith.organization({ currency: 'USD', timezone: timeZone });
  mustWork(await organization.admin.post('/manifest', workspace.manifest), JSON.stringify(workspace.manifest));
  const admin: Person = {
    id: organization.admin.workspaceUserId,
    name: 'Ada Admin',
    client: organization.admin,
    role: undefined,
  };
  const others: Person[] = [];
  for (const role of [...workspace.roles, ...workspace.roles.slice(0, 1)]) {
    const client = await organization.user(role.name);
    const { profile } = mustWork(await client.get('/me')).json;
    others.push({ id: client.workspaceUserId, name: profile.name, client, role });
  }
  const places = await placesOf(kith, organization);
  return { organization, admin, memory: { workspace, people: [admin, ...others], places, rows: new Map() } };
}

/** The reply of a request that has to succeed. */
export function mustWork(reply: Reply, asked = ''): Reply {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text} ${asked}`);
  return reply;
}

async function placesOf(kith: TestKith, { id, schema }: TestOrganization): Promise<Map<string, string>> {
  const table = (name: string) => identifier(schema, name);
  const query = sql`select p.id, p.name from ${table('_pipelines')} p where p.name = 'Way' union all
    select s.id, s.name from ${table('_pipeline_steps')} s join ${table('_pipelines')} p on p.id = s.pipeline_id where p.name = 'Way'`;
  const { rows } = await kith.database.database.run(id, statement(query));
  return new Map(rows.map(([place, name]) => [place ?? '', name ?? '']));
}
