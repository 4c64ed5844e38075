/** A random workspace in the service and in memory, with its people. */
import type { Json } from '../../src/lib/json.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import type { Random } from '../query/random.ts';
import type { Reply, TestKith, TestOrganization } from '../support/kith.ts';
import { judgeCreate, type Given } from './judge.ts';
import { note, type Memory, type Person } from './memory.ts';
import { randomBody } from './requests.ts';
import { randomWorkspace, timeZone, type Workspace } from './workspace.ts';

export interface Settled {
  readonly organization: TestOrganization;
  readonly memory: Memory;
  readonly admin: Person;
}

export async function settle(kith: TestKith, random: Random): Promise<Settled> {
  const workspace = randomWorkspace(random);
  const organization = await kith.organization({ currency: 'USD', timezone: timeZone });
  await applyTo(organization, workspace);
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
  return {
    organization,
    admin,
    memory: { workspace, people: [admin, ...others], places, rows: new Map(), conditions: new Map(), past: new Map() },
  };
}

/** Applies the manifest. A rule that is larger than the service allows becomes `own`, in memory as well. */
async function applyTo({ admin }: TestOrganization, { manifest, roles }: Workspace): Promise<void> {
  const reply = await admin.post('/manifest', manifest);
  const tooLarge: unknown[] = (reply.json?.field_errors ?? []).flatMap((error: { field: string; message: string }) => {
    const [, role = '', object = '', action = ''] =
      /^roles\[(\d+)\]\.permissions\.(\S+)\.(view|update|delete)$/.exec(error.field) ?? [];
    const entry = roles[Number(role)]?.permissions[object];
    if (!entry || !error.message.includes('a rule may have')) return [];
    return [Object.assign(entry, { [action]: 'own' })];
  });
  if (tooLarge.length === 0) mustWork(reply, JSON.stringify(manifest));
  else mustWork(await admin.post('/manifest', manifest), JSON.stringify(manifest));
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

/** Makes a record of anybody's, perhaps in the trash, in the service and in memory; none where the person may not. */
export async function populate(random: Random, { memory, admin }: Settled): Promise<void> {
  const person = random.chance(0.6) ? admin : random.pick(memory.people);
  const thing = random.pick(memory.workspace.things);
  const body = randomBody(random, memory, person, thing);
  const { next } = judgeCreate(memory, person, thing, body);
  if (!next) return;
  const { id } = mustWork(await person.client.post(`/records/${thing.name}`, valuesOf(body))).json;
  const path = `/records/${thing.name}/${id}`;
  const { record } = mustWork(await admin.client.get(path)).json;
  const deleted = random.chance(0.1);
  if (deleted) mustWork(await admin.client.delete(path));
  const row = { ...next, id, createdAt: record.created_at, deleted };
  memory.rows.set(id, row);
  note(memory, person, 'create', row);
  if (deleted) note(memory, admin, 'delete', row);
}

/** The body of a write. */
export function valuesOf(body: readonly Given[]): Record<string, Json> {
  return Object.fromEntries(body.map(({ name, written }) => [name, written]));
}
