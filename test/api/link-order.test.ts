/** The order of links, and what they carry, at every moment since they were made: by history, and by reads of an earlier time. */
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { create, createAll } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { run } from './workspace.ts';

interface Linked {
  readonly id: string;
  readonly role: string | null;
}

let contacts: readonly string[];
useStage(async () => {
  contacts = await makeContacts(40);
});

async function makeContacts(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, at) => ({ first_name: `C${at}` }));
  const made: { id: string }[] = [];
  for (let at = 0; at < count; at += 1_000)
    made.push(...(await createAll(admin, 'contacts', rows.slice(at, at + 1_000))));
  return made.map(({ id }) => id);
}

const seed = Number(process.env['KITH_SEED'] ?? 7);

const linksOf = (record: { contacts: (Linked & { display: string })[] }): Linked[] =>
  record.contacts.map(({ id, role }) => ({ id, role }));

const entriesOf = async (id: string) =>
  (await admin.get(`/records/opportunities/${id}/history`, { limit: 100 })).json.data;

/** A list as somebody might leave it: shuffled, one moved, some new, some gone, some with another role. */
function changed(random: Random, links: readonly Linked[], of: readonly string[]): Linked[] {
  const next = [...links];
  const somewhere = () => random.below(next.length + 1);
  const fresh = of.filter((id) => !links.some((link) => link.id === id));
  if (random.chance(0.15)) return random.some(next, next.length);
  if (random.chance(0.6) && next.length > 0) {
    const [one] = next.splice(random.below(next.length), 1);
    if (one) next.splice(somewhere(), 0, one);
  }
  for (const id of random.chance(0.5) ? random.some(fresh, 3) : [])
    next.splice(somewhere(), 0, { id, role: random.pick([null, 'Buyer']) });
  for (let count = random.chance(0.5) ? random.below(4) : 0; count > 0 && next.length > 0; count--)
    next.splice(random.below(next.length), 1);
  if (random.chance(0.3))
    return next.map((link) => (random.chance(0.2) ? { ...link, role: random.pick([null, 'Seller']) } : link));
  return next;
}

describe('as_of', () => {
  it.each(Array.from({ length: 4 }, (_, at) => seed + at))(
    'shows the links of every moment in their order, with what they carried: KITH_SEED=%i',
    async (at) => {
      const random = randomFrom(at);
      const some = random.some(contacts, 12).map((id) => ({ id, role: null }));
      const isImported = random.chance(0.5);
      const values = { name: 'Deal', contacts: some };
      const { id } = isImported
        ? (await createAll(admin, 'opportunities', [values]))[0]
        : await create(admin, 'opportunities', values);
      const versions = [linksOf((await admin.get(`/records/opportunities/${id}`)).json.record)];
      for (let step = 0; step < 60; step++) {
        const before = versions.at(-1) ?? [];
        const wanted = changed(random, before, contacts);
        const { record } = (await admin.put(`/records/opportunities/${id}`, { contacts: wanted })).json;
        expect(linksOf(record)).toEqual(wanted);
        if (JSON.stringify(wanted) !== JSON.stringify(before)) versions.push(wanted);
      }
      const entries = (await entriesOf(id)).toReversed();
      expect(entries).toHaveLength(versions.length);
      for (const [step, version] of versions.entries()) {
        const { record } = (await admin.get(`/records/opportunities/${id}`, { as_of: entries[step].at })).json;
        expect({ step, links: linksOf(record) }).toEqual({ step, links: version });
      }
      const first = entries[0].changes.find(({ field }: { field: string }) => field === 'contacts');
      expect(first?.added ?? []).toEqual(versions[0]?.map((link) => link.id));
    },
  );

  it('shows links to what was removed for good where they stood', async () => {
    const [a = '', b = '', c = ''] = await makeContacts(3);
    const links = [c, { id: b, role: 'Buyer' }, a].map((link) =>
      typeof link === 'string' ? { id: link, role: null } : link,
    );
    const { id } = await create(admin, 'opportunities', { name: 'Deal', contacts: links });
    await admin.delete(`/records/contacts/${b}`);
    await admin.delete(`/trash/contacts/${b}`);
    expect(linksOf((await admin.get(`/records/opportunities/${id}`)).json.record).map((link) => link.id)).toEqual([
      c,
      a,
    ]);
    const [, made] = await entriesOf(id);
    const { record } = (await admin.get(`/records/opportunities/${id}`, { as_of: made.at })).json;
    expect(linksOf(record)).toEqual(links);
  });

  it('puts a link last of which an older release left no place', async () => {
    const links = contacts.slice(0, 4).map((id) => ({ id, role: null }));
    const { id } = await create(admin, 'opportunities', { name: 'Deal', contacts: links });
    const [gone, ...others] = links;
    await admin.put(`/records/opportunities/${id}`, { contacts: others });
    await run(
      kith,
      organization,
      sql`update ${table('_history')} set links = (select jsonb_object_agg(key, value - 'stood') from jsonb_each(links))
        where record_id = ${id}::uuid and action = 'update'`,
    );
    const [, made] = await entriesOf(id);
    const { record } = (await admin.get(`/records/opportunities/${id}`, { as_of: made.at })).json;
    expect(linksOf(record)).toEqual([...others, gone]);
  });
});

describe('history', () => {
  it('tells of links that moved, and of no others', async () => {
    const [a, b, c, d] = contacts.slice(0, 4);
    const { id } = await create(admin, 'opportunities', { name: 'Deal', contacts: [a, b, c, d] });
    const put = (list: unknown[]) => admin.put(`/records/opportunities/${id}`, { contacts: list });
    await put([d, a, b, c]);
    await put([d, a, b, c]);
    await put([{ id: b, role: 'Buyer' }, a, c]);
    const told = (await entriesOf(id)).map(({ changes }: { changes: { field: string }[] }) =>
      changes.filter(({ field }) => field === 'contacts'),
    );
    expect(told).toEqual([
      [{ field: 'contacts', added: [], removed: [d], changed: [b], moved: [expect.toBeOneOf([a, b])] }],
      [{ field: 'contacts', added: [], removed: [], moved: [d] }],
      [{ field: 'contacts', added: [a, b, c, d], removed: [] }],
    ]);
  });

  it('of ten thousand links holds what one change moved', { timeout: 120_000 }, async () => {
    const many = await makeContacts(10_000);
    const { id } = await create(admin, 'opportunities', { name: 'Deal', contacts: many });
    const longest = async () => {
      const [row] = await run(
        kith,
        organization,
        sql`select length(links::text) from ${table('_history')} where record_id = ${id}::uuid order by id desc limit 1`,
      );
      return Number(row?.[0]);
    };
    const put = async (list: string[]) => {
      const reply = await admin.put(`/records/opportunities/${id}`, { contacts: list });
      expect(reply.status, reply.text.slice(0, 200)).toBe(200);
    };
    const orders = [many];
    const toFront = [...many.slice(-1), ...many.slice(0, -1)];
    const toMiddle = [...toFront.slice(1, 5_000), ...toFront.slice(0, 1), ...toFront.slice(5_000)];
    const without = toMiddle.toSpliced(7_000, 1);
    for (const order of [toFront, toMiddle, without]) {
      orders.push(order);
      await put(order);
      expect(await longest()).toBeLessThan(300);
    }
    const entries = (await entriesOf(id)).toReversed();
    for (const [at, order] of orders.entries()) {
      const { record } = (
        await admin.get(`/records/opportunities/${id}`, { as_of: entries[at].at, fields: 'contacts' })
      ).json;
      expect(record.contacts.map((link: Linked) => link.id)).toEqual(order);
    }
  });
});

it('is kept where there is no room between two neighbours any more', async () => {
  const links = contacts.slice(0, 30);
  const { id } = await create(admin, 'opportunities', { name: 'Deal', contacts: links });
  const orders = [links];
  // Always the last one to the second place: each time between the same neighbour and the one that came before it.
  for (let step = 0; step < 50; step++) {
    const before = orders.at(-1) ?? [];
    const next = [...before.slice(0, 1), ...before.slice(-1), ...before.slice(1, -1)];
    await admin.put(`/records/opportunities/${id}`, { contacts: next });
    orders.push(next);
  }
  const entries = (await entriesOf(id)).toReversed();
  for (const [at, order] of orders.entries()) {
    const { record } = (await admin.get(`/records/opportunities/${id}`, { as_of: entries[at].at })).json;
    expect(record.contacts.map((link: Linked) => link.id)).toEqual(order);
    if (at > 0) expect(entries[at].changes).toEqual([{ field: 'contacts', added: [], removed: [], moved: [order[1]] }]);
  }
});
