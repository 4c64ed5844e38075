/** A merge, and its unmerge with no edit between, leave all as it was: on random records that lead to each other in every way. [decisions: Writing] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, createAll } from '../api/records.ts';

const deep = process.env['KITH_DEEP'] === '1';
const firstSeed = Number(process.env['KITH_SEED'] ?? 20_260_301);
const worlds = deep ? 20 : 1;
const merges = deep ? 40 : 12;

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

const to = (targetObjectName: string, relationType = 'BELONGS_TO_ONE') => ({ relationType, targetObjectName });
const options = ['red', 'green', 'blue'].map((value) => ({ value, label: value }));

const manifest = {
  objects: [
    {
      name: 'people',
      displayField: 'name',
      fields: [
        { name: 'name', type: 'TEXT' },
        { name: 'code', type: 'TEXT', isUnique: true },
        { name: 'mails', type: 'EMAILS', isUnique: true },
        { name: 'phones', type: 'PHONES' },
        { name: 'secret', type: 'TEXT', isHidden: true },
        { name: 'fee', type: 'CURRENCY' },
        { name: 'home', type: 'ADDRESS' },
        { name: 'colours', type: 'MULTI_SELECT', options },
        { name: 'since', type: 'DATETIME' },
        { name: 'about', type: 'RICH_TEXT' },
        { name: 'boss', type: 'RELATION', relationConfig: to('people') },
        { name: 'firm', type: 'RELATION', relationConfig: to('companies') },
        { name: 'desk', type: 'DEPENDENT_RELATION', dependsOn: 'firm', relationConfig: to('contacts') },
        {
          name: 'topic',
          type: 'MORPH_RELATION',
          relationConfig: { ...to('people', 'MORPH_RELATION'), targetObjectNames: ['people', 'companies', 'contacts'] },
        },
        {
          name: 'friends',
          type: 'MANY_TO_MANY',
          relationConfig: to('people', 'MANY_TO_MANY'),
          junctionFields: [
            { name: 'weight', type: 'INTEGER' },
            { name: 'word', type: 'TEXT' },
          ],
        },
        { name: 'firms', type: 'MANY_TO_MANY', relationConfig: to('companies', 'MANY_TO_MANY') },
      ],
    },
  ],
};

/** Numbers that look random, the same for the same seed. */
function chance(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number) => Math.floor(next() * most);
  const one = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const some = <T>(items: readonly T[], most: number): T[] => {
    const left = [...items];
    return Array.from({ length: Math.min(below(most + 1), left.length) }, () => left.splice(below(left.length), 1)[0]!);
  };
  const maybe = <T>(value: T): T | null => (next() < 0.5 ? value : null);
  return { below, one, some, maybe };
}
type Chance = ReturnType<typeof chance>;

interface World {
  readonly organization: TestOrganization;
  readonly ids: Readonly<Record<string, string[]>>;
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

async function makeWorld(random: Chance): Promise<World> {
  const { one, some, maybe, below } = random;
  const organization = await kith.organization();
  const { admin } = organization;
  await apply(admin, manifest);
  const member = await organization.user('Member');
  const companies = idsOf(
    await createAll(
      admin,
      'companies',
      Array.from({ length: 6 }, (_, at) => ({
        name: `Company ${at}`,
        industry: maybe('software'),
        phones: some(['+49 1', '+49 2', '+49 3'], 3),
      })),
    ),
  );
  const contacts = await createAll(
    admin,
    'contacts',
    Array.from({ length: 8 }, () => ({
      first_name: maybe('Ann'),
      emails: some(['a@x.test', 'b@x.test', 'C@x.test', 'c@x.test'], 2).slice(0, 1),
      company_id: one(companies),
    })),
  );
  const values = (at: number) => {
    const firm = maybe(one(companies));
    const desks = contacts.filter(({ company_id: employer }) => employer === firm);
    return {
      name: `Person ${at}`,
      code: maybe(`code ${at}`),
      mails: some([`${at}@x.test`, `${at}@y.test`], 2),
      phones: some(['+49 1', '+49 2', '+49 3'], 3),
      secret: maybe(`secret ${at}`),
      fee: maybe({ amount: at, currency: 'EUR' }),
      home: maybe({ city: `City ${at}` }),
      colours: some(['red', 'green', 'blue'], 2),
      since: maybe('2026-01-02T03:04:05.678Z'),
      about: maybe('<p>Text</p>'),
      firm,
      desk: desks.length > 0 ? maybe(one(desks).id) : null,
    };
  };
  const people = idsOf(
    await createAll(
      admin,
      'people',
      Array.from({ length: 9 }, (_, at) => values(at)),
    ),
  );
  const targets = [...people.map((id) => ['people', id]), ...companies.map((id) => ['companies', id])];
  for (const id of people) {
    const [object, topic] = one(targets) as [string, string];
    const reply = await admin.put(`/records/people/${id}`, {
      boss: maybe(one(people)),
      topic: maybe({ object, id: topic }),
      friends: some(people, 5).map((friend) => ({ id: friend, weight: below(9), word: maybe('word') })),
      firms: some(companies, 4),
    });
    expect(reply.status, reply.text).toBe(200);
  }
  const known = idsOf(contacts);
  const deals = idsOf(
    await createAll(
      admin,
      'opportunities',
      Array.from({ length: 5 }, (_, at) => ({
        name: `Deal ${at}`,
        company_id: maybe(one(companies)),
        contacts: some(known, 5).map((id) => ({ id, role: maybe('buyer') })),
      })),
    ),
  );
  const linked = () => [
    ...some(known, 3).map((id) => ({ id, type: 'contacts' })),
    ...some(companies, 3).map((id) => ({ id, type: 'companies' })),
    ...some(deals, 2).map((id) => ({ id, type: 'opportunities' })),
  ];
  for (let at = 0; at < 4; at++) {
    const author: Client = one([admin, member]);
    const task = await author.post('/tasks', {
      title: `Task ${at}`,
      assigned_to_id: member.workspaceUserId,
      linked_entities: linked(),
    });
    const note = await author.post('/notes', { content: `Note ${at}`, linked_entities: linked() });
    expect([task.status, note.status]).toEqual([201, 201]);
  }
  const objects: Readonly<Record<string, string[]>> = { companies, contacts: known, people, opportunities: deals };
  for (let at = 0; at < 3; at++) {
    const list = await admin.post('/lists', {
      name: `List ${at}`,
      object_types: Object.keys(objects),
      fields: [{ name: 'rank', type: 'INTEGER' }],
    });
    for (const [object_type, ids] of Object.entries(objects))
      for (const id of some(ids, 4))
        await admin.post(`/lists/${list.json.id}/entries`, {
          object_type,
          record_ids: [id],
          entry_fields: { rank: below(9) },
        });
  }
  await admin.delete(`/records/people/${people.pop()}`);
  await admin.delete(`/records/contacts/${known.pop()}`);
  return { organization, ids: objects };
}

/** Tables that tell of what happened rather than of what is. */
const passing = new Set([
  '_audit',
  '_audit_head',
  '_history',
  '_state',
  '_idempotency',
  '_uses',
  '_jobs',
  '_unsettled',
  '_organization',
  '_tokens',
]);

/** All rows of the organization but for when they were changed; of search texts, what is searched. */
async function contentOf({ id, schema }: TestOrganization): Promise<Readonly<Record<string, readonly string[]>>> {
  const rowsOf = async (query: Sql) => (await kith.database.database.run(id, statement(query))).rows;
  const content: Record<string, readonly string[]> = {};
  for (const [name = null] of await rowsOf(
    sql`select tablename from pg_tables where schemaname = ${schema} order by 1`,
  )) {
    if (name === null || passing.has(name)) continue;
    const rows = await rowsOf(
      sql`select (to_jsonb(t) - 'updated_at' - 'search_parts')::text from ${identifier(schema, name)} t order by 1`,
    );
    content[name] = rows.map(([row]) => row ?? '');
  }
  const totals = await rowsOf(
    sql`select object_id, sum(rows) from ${identifier(schema, '_state')} group by 1 having sum(rows) <> 0 order by 1`,
  );
  return { ...content, totals: totals.map((row) => row.join(' ')) };
}

/** Merges some of the records, perhaps twice over each other, and gives them back in some order. */
async function mergeAndBack({ organization: { admin }, ids }: World, random: Chance): Promise<string> {
  const { one, some, below } = random;
  const object = one(Object.keys(ids));
  const [master = '', second = '', ...others] =
    some(ids[object] ?? [], 99).length > 2 ? shuffled(ids[object] ?? [], random) : (ids[object] ?? []);
  const duplicates = others.slice(0, 1 + below(3));
  const send = async (body: object) => {
    const reply = await admin.post('/duplicates', { object_name: object, ...body });
    expect(reply.status, `${JSON.stringify(body)} ${reply.text}`).toBe(200);
    return reply.json;
  };
  const strategy = () => ({ action: 'merge', merge_strategy: one(['keep_master', 'fill_blanks']) });
  const isChain = below(2) === 1;
  const into = isChain ? second : master;
  const rest = others.slice(duplicates.length, duplicates.length + below(2));
  await send({ ...strategy(), master_id: into, duplicate_ids: duplicates });
  if (rest.length > 0) await send({ ...strategy(), master_id: into, duplicate_ids: rest });
  if (isChain) {
    await send({ ...strategy(), master_id: master, duplicate_ids: [second] });
    expect(await send({ action: 'unmerge', duplicate_ids: [second] })).toMatchObject({ ambiguous: [] });
  }
  const back = shuffled([...duplicates, ...rest], random);
  const groups = below(2) === 1 ? [back] : back.map((id) => [id]);
  for (const duplicate_ids of groups)
    expect(await send({ action: 'unmerge', master_id: into, duplicate_ids })).toMatchObject({ ambiguous: [] });
  return `${object}: ${duplicates.length} and ${rest.length}${isChain ? ', over another' : ''}`;
}

function shuffled<T>(items: readonly T[], { below }: Chance): T[] {
  const left = [...items];
  return items.map(() => left.splice(below(left.length), 1)[0]!);
}

it.each(Array.from({ length: worlds }, (_, at) => firstSeed + at))(
  'a merge and its unmerge are the identity (seed %i)',
  { timeout: 120_000 },
  async (seed) => {
    const random = chance(seed);
    const world = await makeWorld(random);
    const before = await contentOf(world.organization);
    for (let at = 0; at < merges; at++) {
      const what = await mergeAndBack(world, random);
      expect(await contentOf(world.organization), `${what} (merge ${at})`).toEqual(before);
    }
  },
);
