/** Indexes on demand: what is sorted and filtered by often gets one that its statements use, and keeps it as long as that goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/auth/keys.ts';
import { examine } from '../../src/doctor/doctor.ts';
import { checkOf, type Check } from '../../src/doctor/finding.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { loadModel } from '../../src/model/load.ts';
import { handOver } from '../../src/operations/background/hand-over.ts';
import { upkeep } from '../../src/operations/background/upkeep.ts';
import type { Database } from '../../src/postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import type { Visibility } from '../../src/query/context.ts';
import { cursorSigners } from '../../src/query/cursor.ts';
import type { SortKey } from '../../src/query/order.ts';
import { noMemory } from '../../src/query/known-list.ts';
import { planList } from '../../src/query/plan-list.ts';
import { fillWorkspace } from '../describe/all-types.ts';
import { applied, create } from '../manifest/manifests.ts';
import { kithSecret, startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

const demand = { rows: 3, often: 2, recentDays: 7, quietDays: 35, most: 100 };
const dayMs = 86_400_000;

let kith: TestKith;
let now: number;
const clock = { now: () => now };
const warned: unknown[] = [];

beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

/** Some days later, what was used since is entered, and all organizations are looked after. */
async function lookAfter(laterDays = 0, beside: Partial<Database> = {}, thresholds = demand): Promise<void> {
  now += laterDays * dayMs;
  const { directory } = kith.deps;
  const log = {
    debug: (fields: unknown) => warned.push(fields),
    warn: (fields: unknown) => warned.push(fields),
    info() {},
  };
  await handOver({ directory, jobs: createJobs({ directory, clock, log, kinds: [] }), clock, log });
  const { signal } = new AbortController();
  for (const organization of await directory.organizations()) {
    const database = { ...(await directory.databaseOf(organization)), ...beside };
    await upkeep(database, organization, now, signal, thresholds).catch((error: unknown) => warned.push(error));
  }
  expect(warned).toEqual([]);
}

async function rowsOf(query: Sql): Promise<readonly (readonly (string | null)[])[]> {
  return (await kith.database.database.run('test', statement(query))).rows;
}

async function indexes({ schema }: TestOrganization): Promise<readonly (string | null)[]> {
  const rows =
    await rowsOf(sql`select regexp_replace(indexdef, '^.* USING (.*) WHERE .deleted_at IS NULL.$', '\\1') from pg_indexes
    where schemaname = ${schema} and starts_with(indexname, 'd_') order by 1`);
  return rows.map(([definition]) => definition ?? null);
}

async function diagnosis(): Promise<readonly Check[]> {
  const secret = { dataDir: '', isConfigured: true };
  const patient = { main: kith.database.database, ...kith.deps, keyring: createKeyring(kithSecret, []), clock };
  return (await examine({ ...patient, secret, isEmbedded: false })).map(checkOf);
}

/** Nobody carries out jobs here, and time passes: that these wait is not asked. */
async function problems(): Promise<readonly Check[]> {
  return (await diagnosis()).filter(({ ok, name }) => !ok && name !== 'left-overs');
}

async function sorted({ admin }: TestOrganization, object: string, field: string, times = 2): Promise<void> {
  for (let time = 0; time < times; time++) {
    const reply = await admin.get(`/records/${object}`, { sort_by: field, limit: 2 });
    expect(reply.status, reply.text).toBe(200);
  }
}

/** What PostgreSQL does for a list where it may not read everything and sort it. */
async function planOf(
  organization: TestOrganization,
  object: string,
  sort: SortKey,
  isLater: boolean,
): Promise<string> {
  const database = kith.database.database;
  const model = await loadModel(database, organization);
  const visibility: Visibility = { rows: () => 'all', shows: () => true };
  const context = { model, visibility, me: 'nobody', now, timeZone: 'UTC' };
  const request = { where: [], sort: [sort], limit: 1 };
  const seal = cursorSigners(Buffer.alloc(32, 1))('organization');
  const plan = (cursor?: string) =>
    planList(context, model.objects.get(object)!, { ...request, cursor }, seal, noMemory);
  const page = plan();
  const { nextCursor } = await page.read((await database.run('test', page.statement)).rows);
  const { text, values } = isLater ? plan(nextCursor).statement : page.statement;
  return database.transaction('test', async (tx) => {
    // Where the rows lie on another server, it has to be told, too.
    if (database.engine === 'citus') await tx.script("set local citus.propagate_set_commands = 'local'");
    await tx.script('set local enable_seqscan = off; set local enable_sort = off; set local enable_bitmapscan = off');
    const { rows } = await tx.run({ text: `explain (costs off) ${text}`, values });
    return rows.join('\n');
  });
}

const oneOfEachKind = [
  'btree ("left"(lower(f_text), 256), id)',
  'btree ("left"(lower(f_select), 256), id)',
  'btree ("left"(lower(f_rich_text__text), 256), id)',
  'btree (f_boolean, id)',
  'btree (f_currency, id)',
  'btree (f_date, id)',
  'btree (f_integer, id)',
  'btree (pipeline_step_id, id)',
  'btree (updated_at, id)',
];

describe('a field of every type', () => {
  let organization: TestOrganization;
  const schemaOf = async () =>
    (await organization.admin.get('/schema/things')).json.fields as { name: string; type: string }[];

  beforeAll(async () => {
    now = Date.now();
    organization = await kith.organization();
    const values = await fillWorkspace(organization.admin);
    for (const title of ['two', 'three', 'four']) await create(organization.admin, 'things', { ...values, title });
    await create(organization.admin, 'things', { title: 'None of the rest' });
    await rowsOf(sql`analyze ${identifier(organization.schema, 'things')}`);
    for (const { name, type } of await schemaOf()) {
      await organization.admin.get('/records/things', { sort_by: name });
      const operator = type === 'BOOLEAN' ? 'is_true' : type.startsWith('DATE') ? 'date_today' : 'equals';
      await organization.admin.get('/records/things', { filters: { field: name, operator, value: '1' } });
    }
    await lookAfter(0, {}, { ...demand, often: 1 });
  });

  it('gets what its statements can use, once', async () => {
    const made = await indexes(organization);
    // Citus knows too little of the values to make the hashed ones.
    const isCitus = kith.database.database.engine === 'citus';
    expect(made.filter((index) => index?.startsWith('hash'))).toHaveLength(isCitus ? 0 : 7);
    expect(made.filter((index) => index?.startsWith('btree'))).toHaveLength(31);
    expect(made).toEqual(expect.arrayContaining(oneOfEachKind));
    const before = await rowsOf(sql`select oid from pg_class where starts_with(relname, 'd_') order by 1`);
    await lookAfter();
    expect(await rowsOf(sql`select oid from pg_class where starts_with(relname, 'd_') order by 1`)).toEqual(before);
  });

  it.each(['f_text', 'f_integer', 'f_date', 'f_select', 'f_currency', 'f_rich_text', 'f_address', 'f_boolean'])(
    'is walked in both directions and from anywhere, the records without a value too: %s',
    async (field) => {
      for (const direction of ['asc', 'desc'] as const) {
        for (const isLater of [false, true]) {
          const plan = await planOf(organization, 'things', { field, direction }, isLater);
          expect(plan.match(/using d_\w+_sort\w* on things/g), plan).toHaveLength(2);
          // What is remembered is read by ids: none here.
          const searched = plan.replace(
            /using things_pkey\w* on things\w* r\w*\n\s*Index Cond: \(id = ANY \([^)]*\)\)/,
            '',
          );
          expect(searched).not.toMatch(/things_pkey|Seq Scan on things/);
        }
      }
    },
  );

  it('is what the doctor finds, and thinks right', async () => {
    const checks = await diagnosis();
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks.find(({ name }) => name === 'indexes')?.detail).toContain(
      `${organization.schema}.things.f_text (sort)`,
    );
  });

  it('takes any value that it took before', async () => {
    const { admin } = organization;
    const record = await create(admin, 'things', {
      title: 'Long',
      f_text: 'é'.repeat(10_000),
      f_long_text: 'x '.repeat(100_000),
    });
    expect(record.f_text).toHaveLength(10_000);
  });
});

describe('an index on demand', () => {
  let organization: TestOrganization;
  beforeAll(async () => {
    now = Date.now();
    organization = await kith.organization();
    await applied(organization.admin, {
      objects: [
        {
          name: 'items',
          fields: [
            { name: 'name', type: 'TEXT', isSearchable: true },
            { name: 'size', type: 'INTEGER' },
            { name: 'note', type: 'TEXT' },
          ],
        },
      ],
    });
    for (const size of [1, 2]) await create(organization.admin, 'items', { name: `i${size}`, size });
  });

  it('is for large objects alone', async () => {
    await sorted(organization, 'items', 'size');
    await lookAfter();
    expect(await indexes(organization)).toEqual([]);
    await create(organization.admin, 'items', { name: 'i3' });
    await lookAfter();
    expect(await indexes(organization)).toEqual(['btree (size, id)']);
  });

  it('is made when a field is used often within a week', async () => {
    await sorted(organization, 'items', 'note', 1);
    await lookAfter();
    expect(await indexes(organization)).toHaveLength(1);
    await sorted(organization, 'items', 'note', 1);
    await lookAfter(8);
    expect(await indexes(organization)).toHaveLength(1);
    await sorted(organization, 'items', 'note', 1);
    await lookAfter();
    expect(await indexes(organization)).toEqual(['btree ("left"(lower(note), 256), id)', 'btree (size, id)']);
  });

  it('goes when nobody has used it for five weeks', async () => {
    await sorted(organization, 'items', 'size', 1);
    await lookAfter(34);
    expect(await indexes(organization)).toHaveLength(2);
    await sorted(organization, 'items', 'size', 1);
    await lookAfter(3);
    expect(await indexes(organization)).toEqual(['btree (size, id)']);
  });

  it('stays with its field under another name, and goes with its type', async () => {
    const fields = (...given: object[]) => ({ objects: [{ name: 'items', fields: given }] });
    await applied(organization.admin, fields({ name: 'length', renamedFrom: 'size' }));
    expect(await indexes(organization)).toEqual(['btree (length, id)']);
    expect(await problems()).toEqual([]);
    await applied(organization.admin, fields({ name: 'length', type: 'DECIMAL' }));
    expect(await indexes(organization)).toEqual([]);
    await lookAfter();
    expect(await indexes(organization)).toEqual(['btree (length, id)']);
  });

  it('is not left to a field that became another while it was made', async () => {
    const retyped = (type: string) => ({ objects: [{ name: 'items', fields: [{ name: 'length', type }] }] });
    await applied(organization.admin, retyped('INTEGER'));
    const database = kith.database.database;
    let retypings = 0;
    const run: Database['run'] = async (affinity, wanted, limitMs) => {
      if (wanted.text.startsWith('create index'))
        retypings += (await applied(organization.admin, retyped('DECIMAL'))).length;
      return database.run(affinity, wanted, limitMs);
    };
    await lookAfter(0, { run });
    expect([retypings, await indexes(organization)]).toEqual([1, []]);
    await lookAfter();
    expect(await indexes(organization)).toEqual(['btree (length, id)']);
  });

  it('is made anew where its making was broken off', async () => {
    const [[name = ''] = []] = await rowsOf(sql`select indexname from pg_indexes
      where schemaname = ${organization.schema} and starts_with(indexname, 'd_')`);
    const index = identifier(organization.schema, name ?? '');
    await rowsOf(sql`drop index ${index}`);
    await create(organization.admin, 'items', { name: 'same' });
    await create(organization.admin, 'items', { name: 'same' });
    const broken = sql`create unique index concurrently ${identifier(name ?? '')}
      on ${identifier(organization.schema, 'items')} (name)`;
    await expect(rowsOf(broken)).rejects.toThrow('unique');
    expect(await problems()).toEqual([expect.objectContaining({ name: 'schemas' })]);
    await lookAfter();
    expect(await problems()).toEqual([]);
    expect(await indexes(organization)).toHaveLength(1);
  });
});

describe('search texts that a request has left', () => {
  let organization: TestOrganization;
  const notes = (isSearchable: boolean) => ({
    objects: [{ name: 'companies', fields: [{ name: 'notes', type: 'TEXT', isSearchable }] }],
  });
  const found = async (search: string) =>
    (await organization.admin.get('/records/companies', { search })).json.total as number;
  /** As a request leaves them that has run out of time. */
  async function leave({ schema }: TestOrganization): Promise<void> {
    await rowsOf(sql`update ${identifier(schema, 'companies')} set search_parts = '{}', search_text = ''`);
    await rowsOf(sql`insert into ${identifier(schema, '_unsettled')}
      select id from ${identifier(schema, '_objects')} where name = 'companies'`);
  }
  beforeAll(async () => {
    now = Date.now();
    organization = await kith.organization();
    await applied(organization.admin, notes(false));
    await create(organization.admin, 'companies', { name: 'Globex', notes: 'Tuesdays' });
  });

  it('are completed', async () => {
    await leave(organization);
    const search = async () => (await diagnosis()).find(({ name }) => name === 'search')?.detail;
    const left = `texts being made anew: ${organization.schema}.companies`;
    expect([await found('globex'), await search()]).toEqual([0, left]);
    await lookAfter();
    expect([await found('globex'), await search()]).toEqual([1, 'texts being made anew: none']);
  });

  it('are not made as they were, when what is searchable changes meanwhile', async () => {
    await leave(organization);
    let changes = 0;
    const database = kith.database.database;
    const transaction: Database['transaction'] = async (affinity, body, limitMs) => {
      if (changes === 0) changes += (await applied(organization.admin, notes(true))).length;
      return database.transaction(affinity, body, limitMs);
    };
    await lookAfter(0, { transaction });
    expect(changes).toBe(1);
    expect([await found('globex'), await found('tuesdays')]).toEqual([1, 1]);
  });
});
