/**
 * Two organizations that differ only in what a person may not see answer that person byte for byte alike: every route,
 * by random requests, with its headers, totals, cursors' lengths and errors.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateNames } from '../../src/fields/aggregates.ts';
import { newId } from '../../src/lib/id.ts';
import type { FilterCondition } from '../../src/model/model.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { layConditions, randomConditions } from './conditions.ts';
import { mayAny, seenOf, type Memory, type Person } from './memory.ts';
import { randomBody, randomList } from './requests.ts';
import { leadsToOne } from './roles.ts';
import { populate, settle, valuesOf } from './settle.ts';
import { playSteps, type Step } from './steps.ts';
import {
  copyWorld,
  leanedOnBeyond,
  makeDiffer,
  type FieldNames,
  type Unseen,
  type UnseenValue,
  type World,
} from './worlds.ts';

const deep = process.env['KITH_DEEP'] === '1';
const firstSeed = Number(process.env['KITH_SEED'] ?? (deep ? Date.now() % 1_000_000_000 : 4));
const seeds = Array.from({ length: deep ? 60 : 2 }, (_, index) => firstSeed + index);
/** The first steps fill the world; those of the first person follow. */
const records = 120;
const requests = deep ? 1_000 : 80;
const mostPeople = 8;
const patience = 600_000;

let kith: TestKith;
/** When there was one world. */
let settledAt = '';
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

describe.each(seeds)('two worlds from KITH_SEED=%i', (seed) => {
  it(
    `answer everybody's ${requests} random requests alike`,
    async () => {
      let hidden = 0;
      const most = records + mostPeople * requests;
      await playSteps('two worlds', seed, most, async (worldSeed, steps) => {
        hidden = Math.max(hidden, await playIn(worldSeed, steps));
      });
      expect(hidden, 'what there was to hide').toBeGreaterThan(20);
    },
    patience,
  );
});

/** How much there was to hide. */
async function playIn(seed: number, steps: readonly Step[]): Promise<number> {
  const settled = await settle(kith, randomFrom(seed));
  const filling = steps.filter(({ number }) => number < records);
  for (const { random } of filling) await populate(random, settled);
  const random = randomFrom(seed + 1);
  const conditions = randomConditions(random, settled.memory.workspace.things);
  const memory: Memory = { ...settled.memory, conditions };
  await layConditions(kith, settled.organization, conditions);
  settledAt = new Date().toISOString();
  let hidden = 0;
  expect(memory.people.length).toBeLessThanOrEqual(mostPeople);
  for (const [place, person] of memory.people.entries()) {
    const own = steps.slice(filling.length).filter(({ number }) => Math.floor((number - records) / requests) === place);
    if (own.length === 0 || memory.rows.size === 0) continue;
    const copies = [copyWorld(kith, settled, person), copyWorld(kith, settled, person)] as const;
    const [plain, other] = await Promise.all(copies);
    const differing = randomFrom(Math.imul(seed, 31) + place);
    const unseen = await makeDiffer(kith, differing, { ...settled, memory }, other, person);
    hidden += unseen.values.length + unseen.ids.length;
    await askBoth(own, memory, person, createPair(plain, other), unseen);
  }
  return hidden;
}

async function askBoth(
  steps: readonly Step[],
  memory: Memory,
  person: Person,
  pair: Pair,
  unseen: Unseen,
): Promise<void> {
  const fresh: string[] = [];
  const leanedOn = leanedOnBeyond(memory, person);
  for (const { random } of steps) {
    const probing = unseen.values.length > 0 && random.chance(0.2);
    const request = probing
      ? probe(random, memory, random.pick(unseen.values))
      : perhapsTried(random, randomRequest(random, memory, person, leanedOn, [...unseen.ids, ...fresh]));
    const created = await pair.ask(request, JSON.stringify({ request, permissions: person.role?.permissions }));
    if (created !== undefined) fresh.push(created);
  }
}

/** A request whose answer a hidden value would change, if it could. */
function probe(random: Random, { workspace, rows }: Memory, { row, field, text }: UnseenValue): Asked {
  const { thing } = row;
  const get = (name: string, query: Asked['query'] = {}): Asked => ({ method: 'GET', path: `/records/${name}`, query });
  const [word = ''] = text.split(/\s+/);
  const about = (name: string): FilterCondition =>
    random.pick([
      { field: name, operator: 'equals', value: text },
      { field: name, operator: 'is_null' },
      { field: name, operator: 'contains', value: word },
    ]);
  const leading = workspace.things.flatMap(({ name, fields }) =>
    fields
      .filter((known) => leadsToOne(known) && known.targets?.[0] === thing.name)
      .map((known) => [name, known.name] as const),
  );
  const beyond = leading.flatMap(([name, relation]): Asked[] => [
    get(name, { filters: about(`${relation}.${field}`) }),
    get(name, { fields: `name,${relation}.${field},${relation}` }),
    get(name, { limit: 100 }),
    get(name, { group_by: relation }),
    get(name, { group_by: `${relation}.${field}` }),
    { method: 'GET', path: `/aggregate/${name}`, query: { group_by: `${relation}.${field}` } },
  ]);
  const parents = thing.fields
    .filter(({ targets }) => targets)
    .flatMap(({ name }) => rows.get(String(seenOf(row, name))) ?? []);
  const around = parents.map((parent) => get(`${parent.thing.name}/${parent.id}`));
  return random.pick([
    ...around,
    get(thing.name, { search: word }),
    get(thing.name, { search: text.slice(0, 20) }),
    { method: 'GET', path: '/search', query: { query: word || 'e', limit: 50 } },
    { method: 'GET', path: '/search', query: { query: text.slice(0, 20).trim() || 'e', object: thing.name } },
    get(thing.name, { filters: about(field) }),
    get(thing.name, { sort_by: field }),
    get(thing.name, { group_by: field }),
    { method: 'GET', path: `/aggregate/${thing.name}`, query: { group_by: field } },
    { method: 'GET', path: `/aggregate/${thing.name}`, query: { field, function: 'COUNT_DISTINCT' } },
    ...beyond,
  ]);
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Nothing that brings into sight what was hidden: then the worlds do differ. */
function randomRequest(
  random: Random,
  memory: Memory,
  person: Person,
  leanedOn: FieldNames,
  ids: readonly string[],
): Asked {
  const dice = random.fraction();
  const thing = random.pick(memory.workspace.things);
  const records = `/records/${thing.name}`;
  if (dice < 0.1) {
    return {
      method: 'GET',
      path: `/aggregate/${thing.name}`,
      query: randomAggregate(random, memory, person, thing.name),
    };
  }
  if (dice < 0.4) return { method: 'GET', path: records, query: randomQuery(random, memory, person, thing.name) };
  if (dice < 0.5) return { method: 'POST', path: records, body: valuesOf(randomBody(random, memory, person, thing)) };
  if (dice < 0.55) {
    const rows = Array.from({ length: 1 + random.below(3) }, () => valuesOf(randomBody(random, memory, person, thing)));
    return { method: 'POST', path: `${records}/batch/create`, body: { records: rows } };
  }
  if (dice < 0.57)
    return {
      method: 'GET',
      path: `/trash/${thing.name}`,
      query: random.chance(0.5) ? {} : { limit: 1 + random.below(3) },
    };
  if (dice < 0.63) return random.pick(fixedRequests(thing.name));
  const known = [...memory.rows.values()];
  const row = random.pick(known);
  const id = random.chance(0.25) && ids.length > 0 ? random.pick(ids) : random.chance(0.05) ? newId() : row.id;
  const path = `/records/${row.thing.name}/${id}`;
  if (dice < 0.7) return { method: 'GET', path };
  if (dice < 0.75) return { method: 'GET', path: `${path}/history`, query: random.chance(0.5) ? {} : { limit: 1 } };
  if (dice < 0.79)
    return {
      method: 'GET',
      path,
      query: { as_of: random.pick(['2001-01-01', row.createdAt, settledAt, '2999-01-01']) },
    };
  const revealing = leanedOn.get(row.thing);
  if (dice < 0.92) {
    const body = randomBody(random, memory, person, row.thing, id === row.id ? row : undefined);
    return { method: 'PUT', path, body: valuesOf(body.filter(({ name }) => !revealing?.has(name))) };
  }
  if (revealing && revealing.size > 0) return { method: 'GET', path };
  if (dice < 0.96) return { method: 'DELETE', path };
  return { method: 'POST', path: `${path}/restore` };
}

/** A write may be tried only, and then leaves nothing to tell the worlds apart later. */
function perhapsTried(random: Random, request: Asked): Asked {
  if (request.method === 'GET' || !random.chance(0.15)) return request;
  return { ...request, query: { ...request.query, dry_run: true } };
}

function randomQuery(random: Random, memory: Memory, person: Person, name: string): Record<string, unknown> {
  const thing = random.pick(memory.workspace.things.filter((candidate) => candidate.name === name));
  const { request } = randomList(random, memory, person, thing);
  const { fields, ...rest } = request;
  const { name: field } = random.pick(thing.fields);
  const extra: Record<string, unknown>[] = [
    { sort_by: field },
    { sort_by: field, sort_dir: 'asc' },
    { fields: field },
    { filter_field: field, filter_operator: 'is_null' },
    { filter_field: field, filter_operator: 'equals', filter_value: 'x' },
    { filter_field: `parent_id.${field}`, filter_operator: 'is_empty' },
    { filter_field: `${field}x`, filter_operator: 'is_empty' },
    { fields: `parent_id.${field}` },
    { group_by: field },
    { group_by: field, limit_per_group: 1, sort_by: 'id' },
    { group_by: `parent_id.${field}` },
    { [field]: 'x' },
    { cursor: 'nonsense' },
  ];
  if (random.chance(0.25) && mayAny(person, 'view', thing)) return random.pick(extra);
  return { ...rest, ...(fields && { fields: fields.join(',') }) };
}

function randomAggregate(random: Random, memory: Memory, person: Person, name: string): Record<string, unknown> {
  const { filters, search } = randomQuery(random, memory, person, name);
  const thing = random.pick(memory.workspace.things.filter((candidate) => candidate.name === name));
  // When a step was entered is each world's own: what is between two such times differs by milliseconds.
  const names = thing.fields.map((known) => known.name).filter((known) => known !== 'pipeline_step_entered_at');
  const field = random.pick(names);
  const beyond = random.chance(0.3) ? `parent_id.${random.pick(names)}` : random.pick(names);
  return {
    function: random.pick(aggregateNames),
    ...(random.chance(0.9) && { field }),
    ...(random.chance(0.6) && { group_by: beyond }),
    ...(filters !== undefined && { filters }),
    ...(search !== undefined && { search }),
  };
}

function fixedRequests(name: string): Asked[] {
  const get = (path: string, query?: Record<string, unknown>): Asked => ({
    method: 'GET',
    path,
    ...(query && { query }),
  });
  return [
    get('/me'),
    get('/me/permissions'),
    get('/users'),
    get('/users', { search: 'writer' }),
    get('/integrations/status'),
    get('/schema'),
    get('/schema', { include_hidden: true }),
    get(`/schema/${name}`),
    get('/schema/nothing'),
    get('/openapi.json'),
    get('/records/nothing'),
    get('/search', { query: 'anna', limit: 50 }),
    get('/search', { query: 'e', limit: 50 }),
    get('/search', { query: 'e', object: name, limit: 3, offset: 2 }),
    get('/search', { query: 'smith', object: 'nothing' }),
    get(`/export/${name}`),
    get('/manifest'),
    get(`/trash/${name}`),
    get(`/trash/${name}`, { limit: 3 }),
    { method: 'DELETE', path: `/trash/${name}/${newId()}` },
    { method: 'POST', path: `/import/${name}`, body: { records: [{ name: 'x' }] } },
    { method: 'POST', path: '/manifest', body: { roles: [] } },
    { method: 'PATCH', path: `/records/${name}` },
    get('/nowhere'),
  ];
}

/** The length follows from the text, and that from the digits of times. */
const volatile = new Set(['date', 'x-request-id', 'change-set', 'content-length']);
const ofItsText = new Set(['etag', 'link']);
const token = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;

interface Pair {
  /** The id of the record that the request made in the first world. */
  ask(request: Asked, asked: string): Promise<string | undefined>;
}

/** Asks in both worlds and holds the answers against each other. Ids of the first world stand for those of the second. */
function createPair(first: World, second: World): Pair {
  const began = new Date().toISOString();
  const twins = new Map<string, string>();
  const translated = (text: string) => text.replace(token, (found) => twins.get(found) ?? found);

  /** Whether two pieces of the answers mean the same: new records and new times differ, nothing else does. */
  const alike = (a: string, b: string): boolean => {
    if (a === b) return !twins.has(a);
    if (isTime(a)) return isTime(b) && a > began && b > began;
    if (!isNewId(a, began) || !isNewId(b, began)) return false;
    if (!twins.has(a) && ![...twins.values()].includes(b)) twins.set(a, b);
    return twins.get(a) === b;
  };

  const send = async ({ client, organization }: World, request: Asked, cursor?: string) => {
    const { method, path, query = {}, body } = request;
    const pairs = Object.entries({ ...query, ...(cursor !== undefined && { cursor }) }).map(
      ([key, value]): [string, string] => [key, typeof value === 'string' ? value : JSON.stringify(value)],
    );
    const reply = await client.send(`/api/v1${path}?${new URLSearchParams(pairs).toString()}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    // A tag is made of the answer's text, and that of a write of the record: alike where no new id and no new time is in it.
    const isOld = method === 'GET' && !(reply.text.match(token) ?? []).some((piece) => isFresh(piece, began));
    const headers = [...reply.headers]
      .filter(([name]) => !volatile.has(name) && (isOld || !ofItsText.has(name)))
      .map(([name, value]) => [name, unsigned(value)]);
    const text = reply.text.replaceAll(organization.schema, 'schema').replaceAll(organization.id, 'organization');
    // A cursor holds the last record's sort keys: where that is new, times of its own.
    const ownCursor = path.startsWith('/trash/') || isNewId(reply.json?.data?.at?.(-1)?.id ?? '', began);
    const told = ownCursor ? text.replace(/(?<="nextCursor":")[^"]+/, '') : text;
    return { status: reply.status, headers, text: unsigned(told), json: reply.json };
  };

  return {
    async ask(request, asked) {
      const twin = JSON.parse(translated(JSON.stringify(request))) as Asked;
      let [a, b] = await Promise.all([send(first, request), send(second, twin)]);
      for (let page = 1; ; page++) {
        const [left, right] = [a.text.match(token) ?? [], b.text.match(token) ?? []];
        const differing = left.flatMap((piece, at) => (alike(piece, right[at] ?? '') ? [] : [[piece, right[at]]]));
        const blank = ({ status, headers, text }: typeof a) => ({ status, headers, text: text.replace(token, '#') });
        expect({ asked, ...blank(a) }).toEqual({ asked, ...blank(b) });
        expect({ asked, differing, text: a.text }).toEqual({ asked, differing: [], text: a.text });
        const [next, other] = [a.json?.nextCursor, b.json?.nextCursor];
        if (typeof next !== 'string' || page === 5) break;
        [a, b] = await Promise.all([send(first, request, next), send(second, twin, other)]);
      }
      return request.method === 'POST' && typeof a.json?.id === 'string' ? a.json.id : undefined;
    },
  };
}

/** The text without the signatures of cursors: each organization has its own. */
function unsigned(text: string): string {
  return text.replaceAll(/(?<=nextCursor":"|[?&]cursor=)[\w-]+/g, (cursor) => {
    const bytes = Buffer.from(cursor, 'base64url');
    return Buffer.concat([bytes.subarray(0, 17), bytes.subarray(33)]).toString('base64url');
  });
}

function isFresh(text: string, began: string): boolean {
  return isTime(text) ? text > began : isNewId(text, began);
}

function isTime(text: string): boolean {
  return text.length < 30 && text.endsWith('Z');
}

/** Ids tell when they were made. */
function isNewId(text: string, since: string): boolean {
  return text.length === 36 && Number.parseInt(text.replace('-', '').slice(0, 12), 16) >= Date.parse(since);
}
