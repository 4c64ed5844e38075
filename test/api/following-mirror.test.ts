/** [issue: Following] Whoever keeps a copy by the feed has in the end what lists show, and is told of nothing that it never saw. */
import { describe, expect, it } from 'vitest';
import type { Client, Reply } from '../support/kith.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { setOf } from './change-sets.ts';
import { Mirror, settled } from './following.ts';
import { admin, kith, organization, useStage } from './stage.ts';
import { addRole } from './workspace.ts';

const objects = ['contacts', 'companies', 'opportunities', 'tasks', 'notes'] as const;
const where = (field: string, value: unknown) => ({
  type: 'AND' as const,
  conditions: [{ field, operator: 'equals', value: value as string }],
});

/** Roles of those who follow: each sees some of the records, and not all of their fields. */
const roles = {
  Own: { '*': { view: 'own', create: true, update: 'all', delete: 'all' } },
  Half: {
    '*': { view: where('job_title', 'x'), fields: { job_title: 'none', owner: 'none' } },
    companies: {
      view: where('domain', 'https://a.test'),
      fields: { domain: 'none', created_by: 'none' },
      delete: 'all',
    },
    opportunities: { view: where('company_id.domain', 'https://a.test') },
    tasks: { view: where('is_completed', false) },
    notes: { view: 'all', fields: { owner: 'none' } },
  },
  Linked: {
    contacts: { view: where('company_id.owner', '$me') },
    companies: { view: 'all' },
    opportunities: { view: where('contacts.role', 'Buyer') },
    tasks: { view: 'own' },
    notes: { view: 'none' },
  },
} as const;

let users: Client[];
let followers: Record<string, Client>;
useStage(async () => {
  for (const [name, permissions] of Object.entries(roles)) await addRole(kith, organization, name, permissions);
  followers = { admin, second: await organization.user('Admin') };
  for (const name of Object.keys(roles)) followers[name] = await organization.user(name);
  users = [admin, followers['second']!, followers['Own']!];
});

interface World {
  readonly ids: Record<(typeof objects)[number], string[]>;
  readonly sets: string[];
  /** Records that belonged to the one whose role shows its own alone, or were perhaps given to it by a merge. */
  readonly owned: Set<string>;
  /** Notes that were for everybody at some time, by those who are not their authors. */
  readonly shared: Set<string>;
}

/** One record of each. */
async function newWorld(): Promise<World> {
  const made = async (path: string, body: object) => {
    const { json } = await admin.post(path, body);
    return [json.id ?? json.task_id ?? json.note_id];
  };
  const ids = {
    contacts: await made('/records/contacts', { first_name: 'C' }),
    companies: await made('/records/companies', { name: 'F' }),
    opportunities: await made('/records/opportunities', { name: 'D' }),
    tasks: await made('/tasks', { title: 'T' }),
    notes: await made('/notes', { content: '<p>N</p>' }),
  };
  authors.set(ids.notes[0] ?? '', admin);
  return { ids, sets: [], owned: new Set(), shared: new Set() };
}

/** Values of a record; those that roles look at are among them. */
function values(random: Random, object: string, { ids }: World): Record<string, unknown> {
  const owner = random.pick([...users, followers['Linked']!]).workspaceUserId;
  const some: object[] = [];
  const word = `w${random.below(1_000)}`;
  const domain = random.pick(['https://a.test', 'https://b.test', null]);
  const company = random.pick([null, ...ids.companies]);
  const links = random.some(ids.contacts, 3).map((id) => ({ id, role: random.pick([null, 'Buyer', 'Seller']) }));
  if (object === 'contacts')
    some.push({ first_name: word }, { job_title: random.pick(['x', 'y']) }, { company_id: company });
  if (object === 'companies') some.push({ name: word }, { domain });
  if (object === 'opportunities') some.push({ name: word }, { company_id: company }, { contacts: links });
  return Object.assign({}, random.pick([{ owner }, some[0]]), ...some.filter(() => random.chance(0.5)));
}

/** By the ids of notes. */
const authors = new Map<string, Client>();

/** One random write of one of the users; some are refused, which is no matter. */
async function write(random: Random, world: World): Promise<void> {
  const { ids, sets, owned, shared } = world;
  const own = followers['Own']!;
  const user = random.pick(users);
  const object = random.pick(['contacts', 'companies', 'opportunities'] as const);
  const id = random.pick(ids[object]);
  const path = `/records/${object}/${id}`;
  const given = values(random, object, world);
  const visibility = random.pick(['private', 'workspace']);
  const noted = async (sent: Promise<Reply>) => {
    const reply = await sent;
    if (reply.headers.has('change-set')) sets.push(setOf(reply));
    return reply.json;
  };
  const take = (record: string) => {
    if (user === own || given.owner === own.workspaceUserId) owned.add(record);
  };
  const merged = random.some(ids[object], 3).filter((one) => one !== id);
  const writes: Record<string, readonly [weight: number, write: () => Promise<unknown>]> = {
    create: [
      5,
      async () => {
        const { id: record } = await noted(
          user.post(`/records/${object}`, { [object === 'contacts' ? 'first_name' : 'name']: 'New', ...given }),
        );
        if (record === undefined) return;
        ids[object].push(record);
        take(record);
      },
    ],
    update: [9, () => (take(id), noted(user.put(path, given)))],
    delete: [2, () => noted(user.delete(path))],
    restore: [2, () => user.post(`${path}/restore`)],
    purge: [1, async () => (await user.delete(path), admin.delete(`/trash/${object}/${id}`))],
    bulk: [
      1,
      () => {
        const record_ids = random.some(ids[object], 6);
        const [field_name, field_value] = random.pick(Object.entries(given));
        for (const one of record_ids) take(one);
        return noted(
          admin.post('/bulk', { action: 'update_field', object_name: object, record_ids, field_name, field_value }),
        );
      },
    ],
    merge: [
      2,
      () => {
        for (const one of [id, ...merged]) owned.add(one);
        return noted(
          admin.post('/duplicates', { action: 'merge', object_name: object, master_id: id, duplicate_ids: merged }),
        );
      },
    ],
    unmerge: [
      1,
      () => admin.post('/duplicates', { action: 'unmerge', object_name: object, duplicate_ids: merged.slice(0, 1) }),
    ],
    undo: [2, () => admin.post('/undo', { change_set: random.pick(['', ...sets.slice(-9)]) })],
    task: [
      2,
      async () => {
        const { task_id: task } = await noted(
          user.post('/tasks', { title: 'T', linked_entities: [{ type: object, id }] }),
        );
        if (task) ids.tasks.push(task);
      },
    ],
    complete: [2, () => user.put(`/tasks/${random.pick(ids.tasks)}/complete`, { completed: random.chance(0.7) })],
    note: [
      2,
      async () => {
        const { note_id: note } = await noted(user.post('/notes', { content: '<p>N</p>', data: { visibility } }));
        ids.notes.push(note);
        if (visibility === 'workspace') shared.add(note);
        authors.set(note, user);
      },
    ],
    show: [
      3,
      () => {
        const note = random.pick(ids.notes);
        if (visibility === 'workspace') shared.add(note);
        const content = `<p>${random.below(9)}</p>`;
        return (authors.get(note) ?? admin).put(`/notes/${note}`, { content, data: { visibility } });
      },
    ],
    drop: [
      1,
      () => user.delete(random.chance(0.5) ? `/notes/${random.pick(ids.notes)}` : `/tasks/${random.pick(ids.tasks)}`),
    ],
  };
  const drawn = Object.values(writes).flatMap(([weight, one]) => Array.from({ length: weight }, () => one));
  await random.pick(drawn)();
}

/** What a copy can hold: stored values. Names of other records, and what is made of them, change without the record. */
function stored(record: Reply['json']): unknown {
  if (Array.isArray(record)) return record.map(stored);
  if (record === null || typeof record !== 'object') return record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) =>
      /(^|_)display$|^updated_at$/.test(key) ? [] : [[key, stored(value)]],
    ),
  );
}

/** A line for each record. */
function linesOf(lists: ReadonlyMap<string, ReadonlyMap<string, unknown>>): Set<string> {
  const lines = [...lists].flatMap(([object, records]) =>
    [...records].map(([id, record]) => `${object} ${id} ${JSON.stringify(stored(record))}`),
  );
  return new Set(lines);
}

/** What is in one of them alone. */
async function differences(mirror: Mirror): Promise<string[]> {
  const [copy, lists] = [linesOf(mirror.records), linesOf(await mirror.lists())];
  return [
    ...[...copy.difference(lists)].map((line) => `copy: ${line}`),
    ...[...lists.difference(copy)].map((line) => `list: ${line}`),
  ];
}

const first = Number(process.env['KITH_SEED'] ?? 3);

describe.each([first, first + 1])('random writes, KITH_SEED=%i', (seed) => {
  it('are followed by all, whatever they see', async () => {
    const random = randomFrom(seed);
    await settled(kith);
    const seenBy = (name: string) => objects.filter((object) => name !== 'Linked' || object !== 'notes');
    const mirrors = new Map(
      Object.entries(followers).map(([name, client]) => [name, new Mirror(client, seenBy(name))]),
    );
    const world = await newWorld();
    for (let step = 0; step < 40; step++) {
      await Promise.all([write(random, world), write(random, world), write(random, world)]);
      if (random.chance(0.15)) await random.pick([...mirrors.values()]).follow(random.pick([1, 7, 100]));
    }
    await settled(kith);
    for (const [name, mirror] of mirrors) {
      await mirror.follow();
      expect(await differences(mirror), name).toEqual([]);
      for (const note of world.ids.notes)
        if (authors.get(note) !== mirror.client && !world.shared.has(note))
          expect(mirror.told, name).not.toContain(note);
    }
    for (const ids of Object.values(world.ids)) expect(ids.length).toBeGreaterThan(2);
    const { told } = mirrors.get('Own')!;
    for (const object of ['contacts', 'companies', 'opportunities'] as const)
      for (const id of world.ids[object]) if (!world.owned.has(id)) expect(told, object).not.toContain(id);
    // What takes records out of view by other records, or looks at links, is told of in these alone.
    const resets = [...mirrors].map(([name, mirror]) => [name, mirror.resets > 0]);
    expect(Object.fromEntries(resets)).toMatchObject({ Half: true, Linked: true });
  });
});
