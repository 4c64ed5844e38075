/** Random writes in one change set, then undone: all is as before but for history, and what others have written meanwhile stays. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { createAll, makeUnique } from './records.ts';
import { run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let member: Client;
let steps: string[];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  member = await organization.user('Member');
  await makeUnique(kith, organization, 'companies', 'domain');
  const { pipelines } = (await admin.get('/pipelines')).json;
  steps = pipelines[0].steps.map(({ id }: { id: string }) => id);
});
afterAll(() => kith.stop());

const seed = Number(process.env['KITH_SEED'] ?? 11);
const seeds = Array.from({ length: 4 }, (_, at) => seed + at);

/** Everything in the tables of records and lists, by a key of its own: rows without the time of their last change, links by their order. */
async function everything(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const t = (name: string) => identifier(organization.schema, name);
  const add = async (query: Parameters<typeof run>[2]) => {
    for (const [key, text] of await run(kith, organization, query)) found.set(key ?? '', text ?? '');
  };
  for (const name of ['contacts', 'companies', 'opportunities', '_tasks', '_notes'])
    await add(sql`select ${name}::text || ' ' || x.id, ((to_jsonb(x) - 'updated_at' - 'deleted_at') || jsonb_build_object('there', x.deleted_at is null))::text
      from ${t(name)} x`);
  await add(sql`select 'list ' || l.id, (to_jsonb(l) - 'updated_at')::text from ${t('_lists')} l`);
  await add(sql`select 'entry ' || e.id, to_jsonb(e)::text from ${t('_list_entries')} e`);
  await add(sql`select 'unique ' || v.field_id || v.value, v.record_id::text from ${t('_unique_values')} v`);
  for (const [name] of await run(
    kith,
    organization,
    sql`select table_name from information_schema.columns where table_schema = ${organization.schema} and column_name = 'target_id'`,
  ))
    await add(sql`select ${name ?? ''}::text || ' ' || l.source_id, jsonb_agg(to_jsonb(l) - 'position' order by l.position, l.target_id)::text
      from ${t(name ?? '')} l group by l.source_id`);
  return found;
}

/** What differs, without new records that are in the trash, and what is linked to them. */
function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const isTrashed = (key: string) => after.get(key)?.includes('"there": false') ?? false;
  const trashed = new Set([...after.keys()].filter(isTrashed).map((key) => key.split(' ')[1]));
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    if (was === is || (was === undefined && trashed.has(key.split(' ')[1]))) return [];
    if (was === undefined || is === undefined) return [`${key}: ${was} -> ${is}`];
    const [first, second] = [JSON.parse(was), JSON.parse(is)];
    if (Array.isArray(first)) return [`${key}: ${was} -> ${is}`];
    // The text of an empty value is as none.
    for (const row of [first, second])
      for (const [part, text] of Object.entries(row.search_parts ?? {})) if (text === '') delete row.search_parts[part];
    const names = Object.keys(first).filter((name) => JSON.stringify(first[name]) !== JSON.stringify(second[name]));
    return names.map((name) => `${key} ${name}: ${JSON.stringify(first[name])} -> ${JSON.stringify(second[name])}`);
  });
}

interface World {
  readonly ids: Record<string, string[]>;
  list: string;
}

async function newWorld(): Promise<World> {
  const name = crypto.randomUUID().slice(0, 8);
  const of = (count: number, values: (at: number) => object) => Array.from({ length: count }, (_, at) => values(at));
  const idsOf = (records: Reply['json'][]) => records.map(({ id }) => id);
  const contacts = idsOf(
    await createAll(
      admin,
      'contacts',
      of(8, (at) => ({ first_name: `C${at}`, emails: [`${name}${at}@x.test`] })),
    ),
  );
  const companies = idsOf(
    await createAll(
      admin,
      'companies',
      of(5, (at) => ({ name: `F${at}`, domain: `https://${name}${at}.test` })),
    ),
  );
  const opportunities = idsOf(
    await createAll(
      admin,
      'opportunities',
      of(5, (at) => ({ name: `D${at}`, contacts: contacts.slice(at, at + 3) })),
    ),
  );
  const list = (
    await admin.post('/lists', {
      name,
      object_types: ['contacts'],
      fields: [{ name: 'rank', label: 'Rank', type: 'INTEGER' }],
      record_ids: contacts.slice(0, 4),
    })
  ).json.id;
  const tasks = [
    (await admin.post('/tasks', { title: 'T', linked_entities: [{ type: 'contacts', id: contacts[0] }] })).json.task_id,
  ];
  const notes = [(await admin.post('/notes', { content: '<p>N</p>', data: { visibility: 'workspace' } })).json.note_id];
  return { ids: { contacts, companies, opportunities, tasks, notes }, list };
}

function values(random: Random, object: string, { ids }: World): object {
  const own = (name: string) => random.pick(ids[name] ?? []);
  const all: Record<string, object>[] = [];
  const field = (chance: number, more: object) => (random.chance(chance) ? all.push(more as never) : 0);
  const word = String(random.below(1_000));
  if (object === 'contacts') {
    field(0.5, { first_name: `c${word}` });
    field(0.4, { emails: random.some(['a', 'b', 'c', 'd'], 2).map((one) => `${one}${random.below(4)}@y.test`) });
    field(0.4, { company_id: random.chance(0.2) ? null : own('companies') });
    field(0.3, { tags: random.some(['vip', 'partner', 'press'], 2) });
    field(0.3, { birthday: `19${50 + random.below(40)}-01-02` });
  } else if (object === 'companies') {
    field(0.6, { name: `f${word}` });
    field(0.5, { domain: random.chance(0.2) ? null : `https://d${random.below(6)}.test` });
    field(0.4, { annual_revenue: { amount: random.below(90), currency: random.pick(['EUR', 'USD']) } });
    field(0.3, { address: random.chance(0.3) ? null : { city: `x${word}` } });
  } else {
    field(0.5, { name: `d${word}` });
    field(0.7, {
      contacts: random
        .some(ids['contacts'] ?? [], 5)
        .map((id) => ({ id, role: random.pick([null, 'Buyer', 'Seller']) })),
    });
    field(0.3, { close_date: `2027-0${1 + random.below(9)}-01` });
    field(0.3, { company_id: own('companies') });
  }
  return Object.assign({}, ...all);
}

/** One random write; some are refused, which is no matter. */
async function write(random: Random, world: World, id: string): Promise<void> {
  const header = { 'change-set': id };
  const { ids, list } = world;
  const object = random.pick(['contacts', 'companies', 'opportunities']);
  const one = random.pick(ids[object] ?? []);
  const path = `/records/${object}/${one}`;
  const remove = (what: string) => admin.send(`/api/v1${what}`, { method: 'DELETE', headers: header });
  switch (
    random.pick([
      'create',
      'update',
      'update',
      'update',
      'update',
      'delete',
      'restore',
      'move',
      'put',
      'take',
      'rank',
      'task',
      'note',
      'list',
    ])
  ) {
    case 'create': {
      const made = await admin.post(
        `/records/${object}`,
        { name: 'New', ...(object === 'contacts' && { first_name: 'New' }), ...values(random, object, world) },
        header,
      );
      const again = made.status === 200 ? made : await admin.post(`/records/contacts`, { first_name: 'New' }, header);
      ids[made.status === 200 ? object : 'contacts']?.push(again.json.id);
      return;
    }
    case 'update':
      return void (await admin.put(path, values(random, object, world), header));
    case 'delete':
      return void (await remove(path));
    case 'restore':
      return void (await admin.post(`${path}/restore`, undefined, header));
    case 'move':
      return void (await admin.put(
        `/pipelines/opportunities/${random.pick(ids['opportunities'] ?? [])}/move`,
        { pipeline_step_id: random.pick(steps) },
        header,
      ));
    case 'put':
      return void (await admin.post(
        `/lists/${list}/entries`,
        { object_type: 'contacts', record_ids: random.some(ids['contacts'] ?? [], 3) },
        header,
      ));
    case 'take':
      return void (await admin.post(
        `/lists/${list}/entries/remove`,
        { object_type: 'contacts', record_ids: random.some(ids['contacts'] ?? [], 2) },
        header,
      ));
    case 'rank': {
      const entries = (await admin.get(`/lists/${list}/entries`)).json.data ?? [];
      if (entries.length === 0) return;
      const entry = random.pick<Reply['json']>(entries);
      return void (await admin.put(
        `/lists/${list}/entries/${entry.entry_id}`,
        { entry_fields: { rank: random.below(9) } },
        header,
      ));
    }
    case 'task':
      return writeTask(random, world, header);
    case 'note':
      return void (await admin.put(
        `/notes/${random.pick(ids['notes'] ?? [])}`,
        { content: `<p>n${random.below(99)}</p>` },
        header,
      ));
    case 'list':
      return void (await admin.put(
        `/lists/${list}`,
        { name: `l${random.below(99)}`, description: random.pick([null, 'x']) },
        header,
      ));
  }
}

async function writeTask(random: Random, { ids }: World, header: Readonly<Record<string, string>>): Promise<void> {
  const path = `/tasks/${random.pick(ids['tasks'] ?? [])}`;
  switch (random.pick(['make', 'delete', 'complete', 'change'])) {
    case 'make': {
      const linked_entities = random.some(ids['contacts'] ?? [], 2).map((id) => ({ type: 'contacts', id }));
      const made = await admin.post('/tasks', { title: 'New', due_date: '2027-01-01', linked_entities }, header);
      if (made.status === 201) ids['tasks']?.push(made.json.task_id);
      return;
    }
    case 'delete':
      return void (await admin.send(`/api/v1${path}`, { method: 'DELETE', headers: header }));
    case 'complete':
      return void (await admin.put(`${path}/complete`, { completed: random.chance(0.5) }, header));
    case 'change': {
      const due_date = random.pick(['2027-01-01', '2027-02-01T10:00:00Z', null]);
      return void (await admin.put(path, { title: `t${random.below(99)}`, due_date }, header));
    }
  }
}

async function undo(id: string): Promise<Reply['json']> {
  const reply = await admin.post('/undo', { change_set: id });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

describe('random writes of one change set', () => {
  it.each(seeds)('are undone, and done again by an undo of that: KITH_SEED=%i', async (at) => {
    const random = randomFrom(at);
    const world = await newWorld();
    const before = await everything();
    const id = crypto.randomUUID();
    for (let count = 0; count < 40; count++) await write(random, world, id);
    const after = await everything();
    const first = await undo(id);
    expect(first.left, JSON.stringify(first.left)).toEqual([]);
    expect(first.undone).toBeGreaterThan(5);
    expect(differences(before, await everything())).toEqual([]);
    const second = await undo(first.change_set);
    expect(second.left, JSON.stringify(second.left)).toEqual([]);
    expect(differences(after, await everything())).toEqual([]);
  });

  it.each(seeds)('leave what somebody else has written before, between and after: KITH_SEED=%i', async (at) => {
    const random = randomFrom(at + 100);
    const world = await newWorld();
    const id = crypto.randomUUID();
    const others: Readonly<Record<string, (number: number) => readonly [string, unknown]>> = {
      contacts: (number) => ['first_name', `m${number}`],
      companies: (number) => ['employees', number],
      opportunities: (number) => ['name', `m${number}`],
    };
    const written = new Map<string, readonly [string, unknown]>();
    const begun = Object.values(world.ids).flat();
    for (let count = 0; count < 60; count++) {
      if (random.chance(0.65)) {
        await write(random, world, id);
        continue;
      }
      const object = random.pick(Object.keys(others));
      const path = `/records/${object}/${random.pick(world.ids[object] ?? [])}`;
      const value = others[object]!(random.below(1_000));
      const reply = await member.put(path, { [value[0]]: value[1] });
      // A record that the change set has made goes as a whole, or stays so.
      if (reply.status === 200 && begun.some((one) => path.endsWith(one))) written.set(path, value);
    }
    await undo(id);
    expect(written.size).toBeGreaterThan(5);
    for (const [path, [name, value]] of written) {
      const { json } = await admin.get(path);
      expect([path, json.record?.[name]], JSON.stringify(json)).toEqual([path, value]);
    }
  });
});
