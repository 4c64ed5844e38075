/**
 * What is remembered is exact: records are written at random while totals, groups and aggregates are asked for again and
 * again; whenever the writers pause, each answer is compared with what a plain statement counts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateRecords } from '../../src/operations/records/aggregate.ts';
import { createRecords } from '../../src/operations/records/batch.ts';
import { importRecords } from '../../src/operations/imports/import.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import {
  createRecord,
  deleteRecord,
  listRecords,
  restoreRecord,
  updateRecord,
} from '../../src/operations/records/records.ts';
import { purgeRecord } from '../../src/operations/records/trash.ts';
import { updateUser } from '../../src/provision/users.ts';
import { identifier, sql, statement, trusted, type Sql } from '../../src/postgres/sql.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { codeOf, createEngine, firstOrganization, type Engine } from '../support/engine.ts';

const deep = process.env['KITH_DEEP'] === '1';
const rounds = deep ? 30 : 3;
const writesPerRound = deep ? 60 : 30;

let database: TestDatabase;
let engines: readonly Engine[];
let token: string;
let schema: string;
let organizationId: string;
let me: string;

beforeAll(async () => {
  database = await testDatabase();
  const engine = createEngine(database.database);
  engines = [engine, createEngine(database.database)];
  ({ token, schemaName: schema, organizationId } = await firstOrganization(engine, database.database));
  me = (await counted(sql`select id from ${table('_users')}`))[0]?.[0] ?? '';
});
afterAll(() => database.drop());

// oxlint-disable-next-line typescript/no-explicit-any -- as an operation answers
function perform(random: Random, operation: Operation, input: object): Promise<any> {
  return random.pick(engines).perform(token, operation, input);
}

const titles = ['Sales Manager', 'Engineer', 'Founder', 'sales engineer'];
const names = ['Ada', 'Alan', 'Grace', 'Ærø', 'Zoë'];
const industries = ['software', 'retail'];

/** A list and the condition that counts it; `c` is the contact, `o` its company. */
const lists: readonly (readonly [filters: object | undefined, search: string | undefined, condition: string])[] = [
  [undefined, undefined, 'true'],
  [{ field: 'job_title', operator: 'equals', value: 'Sales Manager' }, undefined, "c.job_title = 'Sales Manager'"],
  [{ field: 'job_title', operator: 'contains', value: 'sales' }, undefined, "lower(c.job_title) like '%sales%'"],
  [{ field: 'do_not_contact', operator: 'is_true' }, undefined, 'c.do_not_contact'],
  [{ field: 'birthday', operator: 'greater_than', value: '1980-01-01' }, undefined, "c.birthday > '1980-01-01'"],
  [{ field: 'company_id', operator: 'is_null' }, undefined, 'c.company_id is null'],
  [
    { field: 'company_id.industry', operator: 'equals', value: 'retail' },
    undefined,
    "o.industry = 'retail' and o.deleted_at is null",
  ],
  [undefined, 'engineer', "c.job_title ilike '%engineer%'"],
  [
    { field: 'do_not_contact', operator: 'is_false' },
    'aero',
    "c.first_name = 'Ærø' and not coalesce(c.do_not_contact, false)",
  ],
];

const table = (name: string): Sql => identifier(schema, name);

async function counted(query: Sql): Promise<readonly (readonly (string | null)[])[]> {
  return (await database.database.run('test', statement(query))).rows;
}

/** Every answer that may be remembered, and the statement that finds it without memory. */
async function compareAll(random: Random): Promise<void> {
  const from = sql`from ${table('contacts')} c left join ${table('companies')} o on o.id = c.company_id where c.deleted_at is null`;
  for (const [filter, search, condition] of lists) {
    const filters = filter && JSON.stringify(filter);
    const input = { object: 'contacts', ...(filters && { filters }), ...(search && { search }) };
    const [[count] = []] = await counted(sql`select count(*) ${from} and (${trusted(condition)})`);
    expect((await perform(random, listRecords, { ...input, limit: 1 })).total, condition).toBe(Number(count));
    const { value } = await perform(random, aggregateRecords, input);
    expect(value, `aggregate of ${condition}`).toBe(Number(count));
  }
  await comparePages(random);
  const grouped = await perform(random, aggregateRecords, { object: 'contacts', group_by: 'job_title' });
  const byTitle = await counted(sql`select job_title, count(*) ${from} group by 1`);
  expect(grouped.results.map(({ group, value }: { group: string | null; value: number }) => [group, value])).toEqual(
    expect.arrayContaining(byTitle.map(([title, count]) => [title, Number(count)])),
  );
  expect(grouped.results).toHaveLength(byTitle.length);
  const sum = await perform(random, aggregateRecords, { object: 'companies', field: 'employees', function: 'SUM' });
  const [[employees] = []] = await counted(
    sql`select sum(employees) from ${table('companies')} where deleted_at is null`,
  );
  expect(sum.value).toBe(employees === null || employees === undefined ? null : Number(employees));
  const board = { object: 'companies', group_by: 'industry', limit_per_group: 1 };
  const byIndustry = await counted(
    sql`select industry, count(*) from ${table('companies')} where deleted_at is null group by 1`,
  );
  expect((await perform(random, listRecords, board)).counts).toMatchObject(
    Object.fromEntries(byIndustry.map(([industry, count]) => [industry, Number(count)])),
  );
}

/** A sort of contacts, and the same as SQL. */
const sorts = [
  [{ field: 'created_at', direction: 'desc' }, 'c.created_at desc, c.id desc'],
  [{ field: 'birthday', direction: 'asc' }, 'c.birthday asc nulls last, c.id asc'],
  [{ field: 'updated_at', direction: 'desc' }, 'c.updated_at desc, c.id desc'],
] as const;

/** The first two pages of each list in each order, with labels: found, then read by their ids, then from their text. */
async function comparePages(random: Random): Promise<void> {
  const company = sql`left join ${table('companies')} o on o.id = c.company_id`;
  const shown = sql`c.id, c.job_title, case when o.deleted_at is null then o.name end, u.name`;
  const from = sql`from ${table('contacts')} c ${company} left join ${table('_users')} u on u.id = c.owner`;
  const fields = ['id', 'job_title', 'company_id_display', 'owner_display'];
  for (const [filter, search, condition] of lists) {
    for (const [sort, order] of sorts) {
      const asked = { ...(filter && { filters: JSON.stringify(filter) }), ...(search && { search }) };
      const input = { object: 'contacts', ...asked, sort: JSON.stringify([sort]), limit: 3 };
      const there = await counted(sql`select ${shown} ${from} where c.deleted_at is null and (${trusted(condition)})
        order by ${trusted(order)} limit 6`);
      for (let time = 1; time <= 3; time++) {
        const first = await perform(random, listRecords, input);
        const next = first.nextCursor && (await perform(random, listRecords, { ...input, cursor: first.nextCursor }));
        const rows = [...first.data, ...(next?.data ?? [])].map((record) => fields.map((field) => record[field]));
        expect(rows, `${condition} by ${sort.field}, time ${time}`).toEqual(there);
      }
    }
  }
}

const kinds = [
  ...['create', 'create', 'update', 'update', 'update nothing that counts'],
  ...['delete', 'delete', 'restore', 'purge', 'import', 'batch', 'rename a person'],
];

/** One write of any kind, on records that others may be writing too. */
async function write(
  random: Random,
  ids: Record<'contacts' | 'companies', string[]>,
  wanted = random.pick(kinds),
): Promise<void> {
  const contact = () => ({
    first_name: random.pick(names),
    job_title: random.chance(0.8) ? random.pick(titles) : null,
    do_not_contact: random.chance(0.3),
    birthday: random.pick([null, '1970-05-05', '1990-05-05']),
    owner: random.chance(0.5) ? me : null,
    company_id: ids.companies.length > 0 && random.chance(0.7) ? random.pick(ids.companies) : null,
  });
  const company = () => ({
    name: random.pick(['Acme', 'Initech']),
    industry: random.pick(industries),
    employees: random.below(100),
  });
  const object = random.chance(0.7) ? 'contacts' : 'companies';
  const values = object === 'contacts' ? contact() : company();
  const id = ids[object].length > 0 ? random.pick(ids[object]) : undefined;
  const kind = id === undefined ? 'create' : wanted;
  if (kind === 'rename a person')
    await updateUser(engines[0]!.deps, organizationId, 'ada@kith.test', { name: random.pick(names) });
  else if (kind === 'create') ids[object].push((await perform(random, createRecord, { object, values })).id);
  else if (kind === 'update') await perform(random, updateRecord, { object, id, values });
  else if (kind === 'update nothing that counts')
    await perform(random, updateRecord, { object, id, values: { owner: null } });
  else if (kind === 'delete') await perform(random, deleteRecord, { object, id });
  else if (kind === 'restore') await perform(random, restoreRecord, { object, id });
  else if (kind === 'purge') await perform(random, purgeRecord, { object, id });
  else {
    const records = Array.from({ length: 1 + random.below(5) }, contact);
    await perform(random, kind === 'import' ? importRecords : createRecords, { object: 'contacts', records });
  }
}

/** A record, or what it points to, may just have been deleted by another writer. */
const expected = ['ok', 'RECORD_NOT_FOUND', 'VALIDATION_ERROR'];

describe('what is remembered', () => {
  it.each([1, 2])('is what is there, whoever wrote it meanwhile (seed %i)', async (seed) => {
    const random = randomFrom(seed);
    const ids = { contacts: [] as string[], companies: [] as string[] };
    for (let round = 0; round < rounds; round++) {
      const writers = [0, 1, 2].map(async () => {
        for (let count = writesPerRound / 3; count > 0; count--) {
          expect(expected).toContain(await codeOf(write(random, ids)));
        }
      });
      const readers = [0, 1].map(async () => {
        for (let count = 10; count > 0; count--) {
          const [filter, search] = random.pick(lists);
          const input = {
            object: 'contacts',
            ...(filter && { filters: JSON.stringify(filter) }),
            ...(search && { search }),
          };
          await perform(random, random.chance(0.5) ? listRecords : aggregateRecords, input);
        }
      });
      await Promise.all([...writers, ...readers]);
      await compareAll(random);
      // All is remembered now: a single write of each kind must be noticed by itself.
      for (const kind of new Set(kinds)) {
        expect(expected).toContain(await codeOf(write(random, ids, kind)));
        await compareAll(random);
      }
    }
    // The writers may have deleted all that there was.
    await perform(random, createRecord, { object: 'contacts', values: {} });
    await perform(random, createRecord, { object: 'companies', values: { name: 'Acme', industry: 'retail' } });
    for (const object of ['contacts', 'companies'] as const) {
      const [[rows, count] = []] = await counted(sql`select
        (select sum(s.rows) from ${table('_state')} s join ${table('_objects')} o on o.id = s.object_id where o.name = ${object}),
        (select count(*) from ${table(object)} where deleted_at is null)`);
      expect(Number(count)).toBeGreaterThan(0);
      expect(rows, `rows of ${object}`).toBe(count);
    }
  });
});
