/** Many writers at once over HTTP, each doing whatever its seed says; then everything has to add up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql, trusted } from '../../src/postgres/sql.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { chainOf, expectHistory, expectState, storageOf, type Storage } from './invariants.ts';

const deep = process.env['KITH_DEEP'] === '1';
const seed = Number(process.env['KITH_SEED'] ?? 20_260_302);
const writers = 8;
const writesEach = deep ? 2_000 : 60;
const objectNames = ['companies', 'contacts', 'opportunities'];

let kith: TestKith;
let organization: TestOrganization;
let storage: Storage;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  storage = storageOf(kith.database.database, organization.schema);
});
afterAll(() => kith.stop());

/** Ids that writers know of, and what each record was created with. */
interface Known {
  readonly ids: Record<string, string[]>;
  readonly created: Map<string, string>;
  /** Values that were acknowledged, by contact. */
  readonly acknowledged: Map<string, string[]>;
  count: number;
}

type Write = (client: Client, random: Random, known: Known) => Promise<Reply | undefined>;

const idOf = (object: string, random: Random, known: Known) => random.pick(known.ids[object] ?? []);

const writes: readonly Write[] = [
  async (client, random, known) => {
    const title = `title ${known.count++}`;
    const values = { job_title: title, ...(random.chance(0.5) && { company_id: idOf('companies', random, known) }) };
    const reply = await client.post('/records/contacts', values);
    if (reply.status === 200) {
      known.created.set(reply.json.id, title);
      known.ids['contacts']?.push(reply.json.id);
    }
    return reply;
  },
  async (client, random, known) => {
    const id = idOf('contacts', random, known);
    const title = `title ${known.count++}`;
    const reply = await client.put(`/records/contacts/${id}`, { job_title: title });
    if (reply.status === 200) known.acknowledged.set(id, [...(known.acknowledged.get(id) ?? []), title]);
    return reply;
  },
  (client, random, known) =>
    client.put(`/records/contacts/${idOf('contacts', random, known)}`, {
      tags: random.some(['vip', 'press', 'other'], 3),
    }),
  (client, random, known) =>
    client.put(`/records/contacts/${idOf('contacts', random, known)}`, {
      company_id: random.chance(0.3) ? null : idOf('companies', random, known),
    }),
  (client, random, known) => {
    const object = random.pick(objectNames);
    return client.delete(`/records/${object}/${idOf(object, random, known)}`);
  },
  (client, random, known) => {
    const object = random.pick(objectNames);
    return client.post(`/records/${object}/${idOf(object, random, known)}/restore`);
  },
  async (client, random, known) => {
    const contacts = random.some([...new Set(known.ids['contacts'])], 4);
    const id = idOf('opportunities', random, known);
    return client.put(`/records/opportunities/${id}`, { contacts, name: `deal ${known.count++}` });
  },
  async (client, random, known) => {
    const records = Array.from({ length: 1 + random.below(20) }, () => ({
      job_title: `title ${known.count++}`,
      company_id: idOf('companies', random, known),
    }));
    const reply = await client.post('/records/contacts/batch/create', { records });
    const made: { id: string; job_title: string }[] = reply.json?.records ?? [];
    for (const { id, job_title } of made) known.created.set(id, job_title);
    return reply;
  },
  (client, random) => client.get('/records/contacts', { filters: filterOf(random.pick(filters)), limit: 1 }),
];

const filters = ["t.tags @> array['vip']", "c.name like 'Company 1%'", "t.job_title like '%1'"] as const;

function filterOf(where: (typeof filters)[number]): object {
  const conditions = {
    [filters[0]]: { field: 'tags', operator: 'contains', value: 'vip' },
    [filters[1]]: { field: 'company_id.name', operator: 'starts_with', value: 'Company 1' },
    [filters[2]]: { field: 'job_title', operator: 'ends_with', value: '1' },
  };
  return { type: 'AND', conditions: [conditions[where]] };
}

async function prepare(client: Client): Promise<Known> {
  const known: Known = {
    ids: { companies: [], contacts: [], opportunities: [] },
    created: new Map(),
    acknowledged: new Map(),
    count: 0,
  };
  for (let index = 0; index < 12; index++) {
    known.ids['companies']?.push((await client.post('/records/companies', { name: `Company ${index}` })).json.id);
    known.ids['opportunities']?.push((await client.post('/records/opportunities', { name: `Deal ${index}` })).json.id);
    const title = `title ${known.count++}`;
    const { id } = (await client.post('/records/contacts', { job_title: title })).json;
    known.ids['contacts']?.push(id);
    known.created.set(id, title);
  }
  return known;
}

describe(`${writers} writers at once (seed ${seed})`, () => {
  it(
    'are each answered properly, and leave a history that adds up',
    { timeout: deep ? 600_000 : 120_000 },
    async () => {
      const { admin } = organization;
      const known = await prepare(admin);
      const clients = [
        admin,
        ...(await Promise.all(Array.from({ length: writers - 1 }, () => organization.user('Admin')))),
      ];
      await Promise.all(
        clients.map(async (client, index) => {
          const random = randomFrom(seed + index);
          for (let count = 0; count < writesEach; count++) {
            const reply = await random.pick(writes)(client, random, known);
            expect([200, 400], reply?.text).toContain(reply?.status);
            if (reply?.status === 400)
              expect(['RECORD_NOT_FOUND', 'VALIDATION_ERROR'], reply.text).toContain(reply.json.code);
          }
        }),
      );

      await expectState(storage, objectNames);
      for (const name of objectNames) await expectHistory(storage, name);
      for (const [id, title] of known.created) {
        const [first, ...later] = await chainOf(storage, 'contacts', 'job_title', id);
        expect(first, id).toBe(title);
        expect(new Set(later), id).toEqual(new Set(known.acknowledged.get(id)));
        expect(later.length, id).toBe(known.acknowledged.get(id)?.length ?? 0);
      }
    },
  );

  it.each(filters)('are counted right afterwards: %s', async (where) => {
    const [row] = await storage.rows(sql`select count(*) from ${storage.table('contacts')} t
      left join ${storage.table('companies')} c on c.id = t.company_id and c.deleted_at is null
      where t.deleted_at is null and ${trusted(where)}`);
    for (const _again of [1, 2]) {
      const { total } = (await organization.admin.get('/records/contacts', { filters: filterOf(where), limit: 1 }))
        .json;
      expect(String(total)).toBe(row?.[0]);
    }
  });
});
