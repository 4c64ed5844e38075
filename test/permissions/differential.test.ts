/** Random workspaces, roles, data and requests: the service answers everybody as a plain model in memory does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/lib/json.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { startKith, type Reply, type TestKith } from '../support/kith.ts';
import { layConditions, randomConditions } from './conditions.ts';
import { judgeCreate, judgeDelete, judgeRestore, judgeUpdate, type Verdict } from './judge.ts';
import {
  entriesOf,
  fieldOf,
  isHidden,
  isVisible,
  mayAny,
  mayCreate,
  mayWrite,
  note,
  seenOf,
  shown,
  visibleRow,
  type Memory,
  type Mode,
  type Person,
  type Row,
} from './memory.ts';
import { checkHistory, checkTrash } from './past.ts';
import { randomBody, randomList } from './requests.ts';
import { mustWork, settle, valuesOf, type Settled } from './settle.ts';
import { playSteps, type Step } from './steps.ts';
import { wantedRows } from './wanted-rows.ts';
import type { Thing } from './workspace.ts';

const deep = process.env['KITH_DEEP'] === '1';
const firstSeed = Number(process.env['KITH_SEED'] ?? (deep ? Date.now() % 1_000_000_000 : 2));
const seeds = Array.from({ length: deep ? 100 : 3 }, (_, index) => firstSeed + index);
/** The first steps fill the world. */
const creates = 110;
const requests = deep ? 1_000 : 250;
const patience = 600_000;

/** The most records that each workspace had: roles of a random one may refuse nearly all. */
const sizes: number[] = [];

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

describe.each(seeds)('a workspace from KITH_SEED=%i', (seed) => {
  it(
    `answers ${requests} random requests as the model in memory does`,
    async () => {
      let rows = 0;
      await playSteps('requests', seed, creates + requests, async (worldSeed, steps) => {
        const memory = await playIn(worldSeed, steps);
        rows = Math.max(rows, memory.rows.size);
      });
      sizes.push(rows);
      expect(rows).toBeGreaterThan(0);
    },
    patience,
  );
});

it('most workspaces have records to answer about', () => {
  expect(sizes.filter((rows) => rows > 15).length).toBeGreaterThanOrEqual(0.9 * seeds.length);
});

async function playIn(seed: number, steps: readonly Step[]): Promise<Memory> {
  const random = randomFrom(seed);
  const bare = await settle(kith, random);
  const conditions = randomConditions(random, bare.memory.workspace.things);
  await layConditions(kith, bare.organization, conditions);
  const settled: Settled = { ...bare, memory: { ...bare.memory, conditions } };
  const { memory, admin } = settled;
  const filling = steps.filter(({ number }) => number < creates);
  for (const { random: own } of filling) await create(own, settled, own.chance(0.6) ? admin : anybody(own, memory));
  for (const person of memory.people) await checkKnowledge(memory, person);
  for (const { random: own } of steps.slice(filling.length)) if (memory.rows.size > 0) await askSomething(own, settled);
  for (const thing of memory.workspace.things) await checkAll(memory, admin, thing);
  return memory;
}

function anybody(random: Random, { people }: Memory): Person {
  return random.pick(people);
}

function anything(random: Random, { workspace }: Memory): Thing {
  return random.pick(workspace.things);
}

async function askSomething(random: Random, settled: Settled): Promise<void> {
  const { memory } = settled;
  const person = anybody(random, memory);
  const row = random.pick([...memory.rows.values()]);
  const dice = random.fraction();
  if (dice < 0.34) await list(random, memory, person, anything(random, memory));
  else if (dice < 0.38) await search(random, memory, person, anything(random, memory));
  else if (dice < 0.41) await checkTrash(memory, person, anything(random, memory), 1 + random.below(6));
  else if (dice < 0.46) await checkHistory(memory, person, row, 1 + random.below(6));
  else if (dice < 0.55) await get(memory, person, row);
  else if (dice < 0.63) await create(random, settled, person);
  else if (dice < 0.67) await createMany(random, settled, person);
  else if (dice < 0.88) await update(random, settled, person, row);
  else if (dice < 0.94) await remove(settled, person, row);
  else await restore(random, settled, person);
}

async function list(random: Random, memory: Memory, person: Person, thing: Thing): Promise<void> {
  const { request, hidden } = randomList(random, memory, person, thing);
  const asked = describeRequest(person, `GET ${thing.name}`, request);
  const { fields, ...rest } = request;
  const query = { ...rest, ...(fields && { fields: fields.join(',') }) };
  const first = await person.client.get(`/records/${thing.name}`, query);
  if (!mayAny(person, 'view', thing)) return expectCode(first, asked, 'PERMISSION_DENIED');
  if (hidden) return expectCode(first, asked, 'INVALID_FIELD');
  const wanted = wantedRows(memory, person, thing, request);
  const actual: Json[] = [];
  let page = mustWork(first, asked).json;
  for (let pages = 1; ; pages++) {
    expect({ asked, total: page.total }).toEqual({ asked, total: wanted.length });
    actual.push(...page.data.map(timeless));
    if (page.nextCursor === undefined || pages === 12) break;
    page = mustWork(
      await person.client.get(`/records/${thing.name}`, { ...query, cursor: page.nextCursor }),
      asked,
    ).json;
  }
  const reached = page.nextCursor === undefined ? wanted : wanted.slice(0, actual.length);
  const expected = reached.map((row) => chosen(memory, person, row, request.fields));
  expect({ asked, data: actual }).toEqual({ asked, data: expected });
}

/** How matches are ranked is another test's: here it is which there are, how many, and what is shown of each. */
async function search(random: Random, memory: Memory, person: Person, thing: Thing): Promise<void> {
  const query = random.pick(['anna', 'ZOE', 'smith', '100%', 'a_b', '山', 'c-', 'e', 'anna smith']);
  const asked = describeRequest(person, `SEARCH ${thing.name}`, { query });
  const pages = [0, 50, 100].map(async (offset) => {
    const reply = await person.client.get('/search', { query, object: thing.name, limit: 50, offset });
    if (!mayAny(person, 'view', thing)) return expectCode(reply, asked, 'PERMISSION_DENIED');
    return mustWork(reply, asked).json.results[0];
  });
  const groups = (await Promise.all(pages)).filter((group) => group !== undefined);
  if (groups.length === 0) return;
  const wanted = wantedRows(memory, person, thing, { search: query, limit: 50 });
  expect({ asked, totals: groups.map(({ total }) => total) }).toEqual({
    asked,
    totals: groups.map(() => wanted.length),
  });
  const found = groups.flatMap(({ records }) => records.map(timeless));
  const byId = (records: readonly { readonly id?: unknown }[]) =>
    records.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  const expected = wanted.map((row) => shown(memory, person, row, 'list'));
  expect({ asked, data: byId(found) }).toEqual({ asked, data: byId(expected).slice(0, 150) });
}

/** The record with the keys that a list was asked for. */
function chosen(memory: Memory, person: Person, row: Row, fields: readonly string[] | undefined): Record<string, Json> {
  const all = shown(memory, person, row, 'list');
  if (!fields) return all;
  const keys = fields.flatMap((name): [string, Json][] => {
    const [relation = '', path] = name.split('.');
    if (path !== undefined) {
      const there = visibleRow(memory, person, seenOf(row, relation));
      return [[name, there ? seenOf(there, path, { memory, person }) : null]];
    }
    const field = fieldOf(row.thing, name);
    return field ? entriesOf(memory, person, row, field) : [[name, all[name] ?? null]];
  });
  return { id: row.id, ...Object.fromEntries(keys) };
}

async function get(memory: Memory, person: Person, row: Row): Promise<void> {
  const asked = describeRequest(person, `GET ${row.thing.name}/${row.id}`);
  const reply = await person.client.get(`/records/${row.thing.name}/${row.id}`);
  if (!mayAny(person, 'view', row.thing)) return expectCode(reply, asked, 'PERMISSION_DENIED');
  if (!isVisible(memory, person, row)) return expectCode(reply, asked, 'RECORD_NOT_FOUND');
  expectRecord(memory, person, row, mustWork(reply, asked).json.record, asked);
}

async function create(random: Random, settled: Settled, person: Person): Promise<void> {
  const { memory } = settled;
  const thing = anything(random, memory);
  const body = randomBody(random, memory, person, thing);
  const asked = describeRequest(person, `POST ${thing.name}`, valuesOf(body));
  const reply = await person.client.post(`/records/${thing.name}`, valuesOf(body));
  const { next } = expectVerdict(reply, asked, judgeCreate(memory, person, thing, body));
  if (!next) return;
  const row = await remember(settled, { ...next, id: reply.json.id }, asked);
  note(memory, person, 'create', row);
  expectAnswer(memory, person, row, reply, 'created', asked);
}

async function createMany(random: Random, settled: Settled, person: Person): Promise<void> {
  const { memory } = settled;
  const thing = anything(random, memory);
  const bodies = Array.from({ length: 1 + random.below(4) }, () => randomBody(random, memory, person, thing));
  const records = bodies.map(valuesOf);
  const asked = describeRequest(person, `POST ${thing.name}/batch/create`, records);
  const reply = await person.client.post(`/records/${thing.name}/batch/create`, { records });
  if (!mayCreate(person, thing)) return expectCode(reply, asked, 'PERMISSION_DENIED');
  const { json } = mustWork(reply, asked);
  const made: Row[] = [];
  const failed: number[] = [];
  for (const [index, body] of bodies.entries()) {
    const { codes, next } = judgeCreate(memory, person, thing, body);
    const error = json.errors.find((candidate: { index: number }) => candidate.index === index);
    expect({ asked, index, code: error?.code }).toEqual({
      asked,
      index,
      code: next ? undefined : expect.toBeOneOf([...codes]),
    });
    if (!next) failed.push(index);
    else {
      const row = { ...next, id: String(json.records[made.length]?.id) };
      memory.rows.set(row.id, row);
      note(memory, person, 'create', row);
      made.push(row);
    }
  }
  expect({ asked, created: json.created, failed: json.failed }).toEqual({
    asked,
    created: made.length,
    failed: failed.length,
  });
  const rows: Row[] = [];
  for (const row of made) rows.push(await remember(settled, row, asked));
  const expected = rows.map((row) =>
    isVisible(memory, person, row) ? shown(memory, person, row, 'list') : { id: row.id },
  );
  expect({ asked, records: json.records.map(timeless) }).toEqual({ asked, records: expected });
}

async function update(random: Random, settled: Settled, person: Person, was: Row): Promise<void> {
  const { memory } = settled;
  const path = `/records/${was.thing.name}/${was.id}`;
  const body = randomBody(random, memory, person, was.thing, was);
  const asked = describeRequest(person, `PUT ${path}`, valuesOf(body));
  const reply = await person.client.put(path, valuesOf(body));
  if (was.deleted) {
    const hidden = !mayAny(person, 'view', was.thing);
    const codes = hidden
      ? ['PERMISSION_DENIED']
      : [...judgeUpdate(memory, person, was, body).codes, 'RECORD_NOT_FOUND'];
    expectCode(reply, asked, ...codes);
    return;
  }
  const { next } = expectVerdict(reply, asked, judgeUpdate(memory, person, was, body));
  const row = await remember(settled, next ?? was, asked);
  if (next) note(memory, person, 'update', row);
  if (next) expectAnswer(memory, person, row, reply, 'updated', asked);
}

async function remove(settled: Settled, person: Person, row: Row): Promise<void> {
  const path = `/records/${row.thing.name}/${row.id}`;
  const asked = describeRequest(person, `DELETE ${path}`);
  const reply = await person.client.delete(path);
  const { next } = expectVerdict(reply, asked, judgeDelete(settled.memory, person, row));
  if (!next) return;
  settled.memory.rows.set(row.id, next);
  note(settled.memory, person, 'delete', next);
  expect({ asked, json: reply.json }).toEqual({ asked, json: { deleted: true } });
}

async function restore(random: Random, settled: Settled, person: Person): Promise<void> {
  const { memory } = settled;
  const trash = [...memory.rows.values()].filter(({ deleted }) => deleted);
  const row = random.pick(trash.length > 0 ? trash : [...memory.rows.values()]);
  const path = `/records/${row.thing.name}/${row.id}/restore`;
  const asked = describeRequest(person, `POST ${path}`);
  const reply = await person.client.post(path);
  const { next } = expectVerdict(reply, asked, judgeRestore(memory, person, row));
  if (!next) return;
  note(memory, person, 'restore', next);
  expectAnswer(memory, person, await remember(settled, next, asked), reply, 'restored', asked);
}

/** The row as it is now, after an admin has read it back, if there is one who may. */
async function remember({ memory, admin, organization }: Settled, row: Row, asked: string): Promise<Row> {
  if (!isVisible(memory, admin, row)) {
    const createdAt = await createdAtOf(organization, row);
    const unread: Row = { ...row, createdAt };
    memory.rows.set(row.id, unread);
    return unread;
  }
  const { record } = mustWork(await admin.client.get(`/records/${row.thing.name}/${row.id}`), asked).json;
  const stored: Row = { ...row, createdAt: record.created_at };
  memory.rows.set(row.id, stored);
  expectRecord(memory, admin, stored, record, `${asked}, as stored`);
  return stored;
}

async function createdAtOf({ id, schema }: Settled['organization'], row: Row): Promise<string> {
  const query = sql`select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    from ${identifier(schema, row.thing.name)} where id = ${row.id}::uuid`;
  return (await kith.database.database.run(id, statement(query))).rows[0]?.[0] ?? '';
}

async function checkAll(memory: Memory, admin: Person, thing: Thing): Promise<void> {
  const { total } = mustWork(await admin.client.get(`/records/${thing.name}`, { limit: 1 })).json;
  const alive = [...memory.rows.values()].filter((row) => row.thing === thing && isVisible(memory, admin, row));
  expect({ thing: thing.name, total }).toEqual({ thing: thing.name, total: alive.length });
}

/** The schema and the permissions name what the person may know of, and nothing else. */
async function checkKnowledge(memory: Memory, person: Person): Promise<void> {
  const { objects } = mustWork(await person.client.get('/schema')).json;
  const permissions = mustWork(await person.client.get('/me/permissions')).json;
  for (const thing of memory.workspace.things) {
    const known = mayAny(person, 'view', thing) || mayCreate(person, thing);
    const schema = objects.find(({ name }: { name: string }) => name === thing.name);
    const fields: string[] | undefined = schema?.fields.map(({ name }: { name: string }) => name);
    const one = await person.client.get(`/schema/${thing.name}`);
    const expected = known ? declared(thing).filter((name) => !isHidden(memory, person, thing, name)) : undefined;
    const asked = describeRequest(person, `the schema of ${thing.name}`);
    expect({ asked, fields: fields?.toSorted() }).toEqual({ asked, fields: expected?.toSorted() });
    expect({ asked, one: one.status === 404 ? undefined : one.json }).toEqual({ asked, one: schema });
    const granted = permissions.objects[thing.name];
    expect({ asked, granted: granted && { ...granted, fields: undefined } }).toEqual({
      asked,
      granted: known ? extents(memory, person, thing) : undefined,
    });
    expect({ asked, fields: granted?.fields }).toEqual({
      asked,
      fields: expected && access(memory, person, thing, expected),
    });
  }
}

/** Fields as the schema has them: a PIPELINE in place of its columns. */
function declared(thing: Thing): string[] {
  const names = thing.fields.map(({ name, whole }) => whole ?? name);
  return [...new Set([...names, 'created_at', 'updated_at'])];
}

function extents(memory: Memory, person: Person, thing: Thing): object {
  const extent = (action: 'view' | 'update' | 'delete') => {
    const { role } = person;
    const rule = role ? (role.permissions[thing.name]?.[action] ?? role.permissions['*']?.[action] ?? 'none') : 'all';
    return rule === 'none' || (rule === 'all' && !memory.conditions.has(thing.name)) ? rule : 'some';
  };
  const rows = { view: extent('view'), update: extent('update'), delete: extent('delete') };
  return { ...rows, create: mayCreate(person, thing), fields: undefined };
}

function access(memory: Memory, person: Person, thing: Thing, names: readonly string[]): object {
  const writable = (name: string) => {
    const field = fieldOf(thing, name === 'phase' ? 'pipeline_step_id' : name);
    if (!field || field.isReadonly) return false;
    return mayWrite(memory, person, thing, name === 'phase' ? { ...field, name } : field);
  };
  return Object.fromEntries(names.map((name) => [name, writable(name) ? 'write' : 'read']));
}

function expectVerdict(reply: Reply, asked: string, verdict: Verdict): Verdict {
  if (verdict.next) mustWork(reply, asked);
  else expectCode(reply, asked, ...verdict.codes);
  return verdict;
}

function expectCode(reply: Reply, asked: string, ...codes: readonly string[]): void {
  expect({ asked, status: reply.status, text: reply.text, code: reply.json?.code }).toEqual({
    asked,
    status: 400,
    text: reply.text,
    code: expect.toBeOneOf([...codes]),
  });
}

/** A record that the write took out of sight is answered by its id. */
function expectAnswer(memory: Memory, person: Person, row: Row, reply: Reply, action: string, asked: string): void {
  const { record, ...rest } = reply.json;
  expect({ asked, ...rest }).toEqual({ asked, id: row.id, action });
  if (isVisible(memory, person, row)) expectRecord(memory, person, row, record, asked);
  else expect({ asked, record }).toEqual({ asked, record: undefined });
}

function expectRecord(
  memory: Memory,
  person: Person,
  row: Row,
  record: unknown,
  asked: string,
  mode: Mode = 'detail',
): void {
  expect({ asked, record: timeless(record) }).toEqual({ asked, record: shown(memory, person, row, mode) });
}

/** Times of the service's own are `*`. */
function timeless(record: unknown): Json {
  const values = Object.entries((record ?? {}) as Record<string, Json>);
  const times = ['created_at', 'updated_at', 'pipeline_step_entered_at'];
  return Object.fromEntries(values.map(([key, value]) => [key, times.includes(key) && value !== null ? '*' : value]));
}

/** What a failure says of its request. */
function describeRequest({ name, role }: Person, what: string, more?: unknown): string {
  return JSON.stringify({ who: name, what, more, permissions: role?.permissions });
}
