/**
 * The statement of a record that is written alone is made once for what a caller may do and the form of a row. Whoever wrote before,
 * with whatever values: what is sent is what a process sends that remembers nothing.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cacheSizes } from '../../src/lib/caches.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import { applyManifest } from '../../src/operations/workspace/manifest.ts';
import { createRecord, updateRecord } from '../../src/operations/records/records.ts';
import { identifier, sql, statement, type Statement, type Value } from '../../src/postgres/sql.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { createUser } from '../../src/provision/users.ts';
import { forgetCompiled } from '../../src/query/timeless.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { codeOf, createEngine, firstOrganization, type Engine } from '../support/engine.ts';

const deep = process.env['KITH_DEEP'] === '1';
const seed = Number(process.env['KITH_SEED'] ?? 1);
const count = deep ? 2_000 : 150;

/** Data-modifying statements that were sent alone. */
let sent: Statement[] = [];
let database: TestDatabase;
let engine: Engine;
let organizationId: string;
/** Tokens of admins, two of them of one person, and of people with roles. */
const tokens: string[] = [];
const users: string[] = [];
const companies: string[] = [];
const contacts: string[] = [];
/** Ids that are the same in every request. */
const kept = new Set<string>();

const group = (...conditions: readonly object[]) => ({ type: 'OR', conditions });
const roles = [
  { name: 'Everything', permissions: { '*': { view: 'all', create: true, update: 'all' } } },
  {
    name: 'Own',
    permissions: { '*': { view: 'all', create: true, update: 'own' }, companies: { view: 'own', create: true } },
  },
  {
    name: 'Ruled',
    permissions: {
      '*': { view: 'all', create: true, update: 'all' },
      contacts: {
        view: group(
          { field: 'job_title', operator: 'is_not_null' },
          { field: 'owner', operator: 'equals', value: '$me' },
        ),
        update: group({ field: 'created_at', operator: 'date_this_month' }),
        fields: { birthday: 'none', tags: 'read' },
      },
    },
  },
];

beforeAll(async () => {
  database = await testDatabase();
  const { database: wrapped } = database;
  engine = createEngine({
    ...wrapped,
    write(affinity, wanted, ...rest) {
      sent.push(wanted);
      return wrapped.write(affinity, wanted, ...rest);
    },
  });
  const organization = await firstOrganization(engine, database.database);
  ({ organizationId } = organization);
  tokens.push(organization.token);
  await engine.perform(organization.token, applyManifest, { manifest: { roles } });
  for (const role of ['Admin', 'Everything', 'Own', 'Own', 'Ruled', 'Ruled']) {
    const email = `${crypto.randomUUID()}@kith.test`;
    const user = await createUser(engine.deps, organizationId, { name: role, email, role });
    tokens.push(user.token);
    users.push(user.workspaceUserId);
    if (role === 'Admin') tokens.push((await createToken(engine.deps, organizationId, { email, name: 'Other' })).token);
  }
  for (const token of tokens) {
    companies.push(await made(token, 'companies', { name: 'Company' }));
    contacts.push(await made(token, 'contacts', { first_name: 'Contact', job_title: 'Engineer' }));
  }
  await keepIds(organization.schemaName);
});
afterAll(() => database.drop());

/** All ids that the organization's tables have. */
async function keepIds(schema: string): Promise<void> {
  for (const table of ['_users', '_tokens', '_roles', '_objects', '_fields', 'companies', 'contacts']) {
    const ids = sql`select id from ${identifier(schema, table)}`;
    for (const [id] of (await database.database.run('', statement(ids))).rows) kept.add(id ?? '');
  }
}

async function made(token: string, object: string, values: object): Promise<string> {
  return String((await engine.perform(token, createRecord, { object, values })).id);
}

type Write = readonly [token: string, operation: Operation, input: object];

function randomWrite(random: Random): Write {
  const text = () => random.pick([null, 'Sales', `Text ${random.below(1_000)}`, 'x'.repeat(2_000)]);
  const person = () => random.pick([null, ...users]);
  const nobody = crypto.randomUUID();
  const fields: Record<string, Record<string, () => unknown>> = {
    contacts: {
      first_name: text,
      last_name: text,
      job_title: text,
      company_id: () => random.pick([null, nobody, ...companies]),
      birthday: () => random.pick([null, '1980-02-03']),
      tags: () => [],
      emails: () => random.pick([[], [{ email: `${random.below(1_000)}@kith.test`, type: 'work' }]]),
      do_not_contact: () => random.chance(0.5),
      owner: person,
    },
    companies: {
      name: () => `Company ${random.below(1_000)}`,
      industry: text,
      employees: () => random.below(9),
      owner: person,
    },
  };
  const object = random.pick(['contacts', 'contacts', 'companies']);
  const values = Object.fromEntries(
    random.some(Object.entries(fields[object] ?? {}), 4).map(([name, of]) => [name, of()]),
  );
  const token = random.pick(tokens);
  if (random.chance(0.4)) return [token, createRecord, { object, values }];
  return [token, updateRecord, { object, id: random.pick(object === 'contacts' ? contacts : companies), values }];
}

/** Ids that came with earlier requests. */
const earlier = new Set<string>();

/** What the write sends. Ids and times that come with a request count by which of them are the same. */
async function sentBy([token, operation, input]: Write): Promise<{ readonly code: string; readonly sent: unknown }> {
  sent = [];
  const began = new Date().toISOString();
  const code = await codeOf(engine.perform(token, operation, input));
  const fresh = new Set<string>();
  const told = (value: Value) => {
    if (typeof value !== 'string' || kept.has(value)) return value;
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value < began ? 'a time before' : 'a time';
    if (!/^01[0-9a-f]{6}-[0-9a-f-]{27}$/.test(value)) return value;
    if (earlier.has(value)) return 'an id of another request';
    return `new id ${[...fresh.add(value)].indexOf(value)}`;
  };
  const statements = sent.map(({ text, name, values }) => ({ text, name, values: values.map(told) }));
  for (const id of fresh) earlier.add(id);
  return { code, sent: statements };
}

it('sends what would be sent if nothing were remembered', async () => {
  const random = randomFrom(seed);
  const writes = Array.from({ length: count }, () => randomWrite(random));
  forgetCompiled(organizationId);
  const first = [];
  // The process may remember those of other organizations.
  const before = cacheSizes().get('writes')?.entries ?? 0;
  for (const write of writes) first.push(await sentBy(write));
  const remembered = (cacheSizes().get('writes')?.entries ?? 0) - before;
  if (database.database.engine === 'citus') return expect(remembered).toBe(0); // several statements there (decision 0022)
  expect(remembered).toBeGreaterThan(10);
  expect(remembered).toBeLessThan(count);
  let plain = 0;
  for (const [at, write] of writes.entries()) {
    forgetCompiled(organizationId);
    const anew = await sentBy(write);
    expect(anew.sent, JSON.stringify({ seed, at, id: write[1].id, input: write[2] })).toEqual(first[at]?.sent);
    if (anew.code === 'ok') plain++;
  }
  expect(plain).toBeGreaterThan(count / 4);
});
