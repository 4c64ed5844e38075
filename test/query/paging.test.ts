/** The pager on a real database: whatever the rows, their order and the size of pages, the pages together are the whole list. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberMember, quotedMember, reading, textMember } from '../../src/fields/members.ts';
import { newId } from '../../src/lib/id.ts';
import { whole } from '../../src/lib/long-text.ts';
import { empty, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { cursorSigners } from '../../src/query/cursor.ts';
import type { Direction, OrderKey, Ordering } from '../../src/query/order.ts';
import { planPage, type Listing, type PageRequest } from '../../src/query/plan-page.ts';
import { selectionOf } from '../../src/query/selection.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;
const seal = cursorSigners(Buffer.alloc(32, 1))('organization');

beforeAll(async () => {
  test = await testDatabase();
  await run(
    sql`create table things (id uuid primary key, batch int not null, size int, word text collate "C", amount numeric not null)`,
  );
});
afterAll(() => test.drop());

const run = (query: Sql) => test.database.run('test', statement(query));

interface Thing {
  readonly id: string;
  readonly size: number | null;
  readonly word: string | null;
  readonly amount: number;
}

let batches = 0;

/** Rows of a batch of their own, next to those of others. */
async function store(things: readonly Omit<Thing, 'id'>[]): Promise<{ batch: number; stored: readonly Thing[] }> {
  const batch = ++batches;
  const stored = things.map((thing) => ({ ...thing, id: newId() }));
  await run(sql`insert into things select t.id, ${batch}::int, t.size, t.word, t.amount
    from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) t (id uuid, size int, word text, amount numeric)`);
  return { batch, stored };
}

const key = (value: Sql, type: string, direction: Direction, nullable = false): OrderKey => ({
  value,
  type,
  nullable,
  direction,
});
const orderOf = (keys: readonly OrderKey[], direction: Direction, isCostly = false): Ordering => ({
  keys,
  direction,
  beside: empty,
  isCostly,
});

function listingOf(batch: number, order: Ordering, more: Partial<Listing> = {}): Listing {
  return {
    rows: { row: sql`t`, table: sql`things`, from: sql`things t` },
    visible: sql`t.batch = ${batch}::int`,
    filters: [],
    order,
    identity: ['things', batch],
    selection: selectionOf([reading(sql`t.id`, quotedMember('id'))]),
    ...more,
  };
}

async function pageOf(listing: Listing, request: PageRequest) {
  const plan = planPage({ model: { version: '1' }, signer: seal }, listing, request);
  const [answer] = await test.database.read('test', [plan.statement]);
  const { data, ...page } = await plan.read(answer?.rows ?? []);
  return { ...page, data: JSON.parse(whole(data)) as Record<string, unknown>[] };
}

/** The pages from the first to the last. */
async function walk(listing: Listing, limit: number) {
  const pages = [await pageOf(listing, { limit })];
  for (let { nextCursor } = pages[0] ?? {}; nextCursor !== undefined; nextCursor = pages.at(-1)?.nextCursor) {
    pages.push(await pageOf(listing, { limit, cursor: nextCursor }));
  }
  return pages;
}

describe('a walk from page to page', () => {
  const columns = { size: 'int', word: 'text', amount: 'numeric' } as const;
  type Column = keyof typeof columns;
  const direction = fc.constantFrom<Direction>('asc', 'desc');
  const sorted = fc.uniqueArray(fc.tuple(fc.constantFrom<Column>('size', 'word', 'amount'), direction), {
    selector: ([name]) => name,
  });
  // Few values, so that many rows share them.
  const thing = fc.record({
    size: fc.option(fc.constantFrom(-1, 0, 7)),
    word: fc.option(fc.constantFrom('', 'A', 'a', 'ß', 'it\'s "x"')),
    amount: fc.constantFrom(0, 0.1, 0.30000000000000004, 1e15),
  });
  const expressions: Readonly<Record<Column, Sql>> = {
    size: sql`t.size`,
    word: sql`t.word`,
    amount: sql`t.amount`,
  };

  /** Nulls last, in both directions; the id breaks ties. */
  function expected(things: readonly Thing[], keys: readonly (readonly [Column, Direction])[], last: Direction) {
    const compare = (a: string | number | null, b: string | number | null, way: Direction) => {
      if (a === b) return 0;
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b === (way === 'asc') ? -1 : 1;
    };
    return things
      .toSorted((a, b) => {
        for (const [name, way] of keys) {
          const sign = compare(a[name], b[name], way);
          if (sign !== 0) return sign;
        }
        return compare(a.id, b.id, last);
      })
      .map(({ id }) => id);
  }

  it('is the whole list, in its order, each row once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(thing, { maxLength: 24 }),
        sorted,
        direction,
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (things, keys, last, limit, isCostly) => {
          const { batch, stored } = await store(things);
          const orderKeys = keys.map(([name, way]) => key(expressions[name], columns[name], way, name !== 'amount'));
          const pages = await walk(listingOf(batch, orderOf(orderKeys, last, isCostly)), limit);
          expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(expected(stored, keys, last));
          expect(pages.map(({ total }) => total)).toEqual(pages.map(() => stored.length));
          expect(pages.slice(0, -1).map(({ data }) => data.length)).toEqual(pages.slice(1).map(() => limit));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('counts and shows what is asked for alone, of what there is for the caller', async () => {
    const things = Array.from({ length: 9 }, (_, size) => ({ size, word: null, amount: size % 3 }));
    const { batch, stored } = await store(things);
    const filters = [sql`t.size > ${1}::int`, sql`t.amount > 0`];
    const listing = listingOf(batch, orderOf([key(sql`t.amount`, 'numeric', 'desc')], 'asc'), { filters });
    const wanted = stored.filter(({ size, amount }) => Number(size) > 1 && amount > 0);
    const pages = await walk(listing, 2);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5]);
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(
      expected(wanted, [['amount', 'desc']], 'asc'),
    );
    expect(await pageOf({ ...listing, visible: sql`false` }, { limit: 2 })).toEqual({
      isTooLarge: false,
      shown: 0,
      isCounted: true,
      total: 0,
      version: null,
      data: [],
    });
  });
});

it.each([false, true])('relevance is an order: what fits best is first, then the newest (%s)', async (isCostly) => {
  const texts = ['acme', 'acme acme', 'nothing', 'an acme of ten other words', 'acme', 'acme acme', 'acme ten'];
  const { batch, stored } = await store(texts.map((word) => ({ size: null, word, amount: 0 })));
  const fits = sql`ts_rank(to_tsvector('simple', t.word), to_tsquery('simple', ${'acme'}))`;
  const listing = listingOf(batch, orderOf([key(fits, 'real', 'desc')], 'desc', isCostly), {
    filters: [sql`t.word like '%acme%'`],
  });
  const best = [5, 1, 6, 4, 3, 0].map((at) => stored[at]?.id);
  for (const limit of [1, 2, 3, 10]) {
    const pages = await walk(listing, limit);
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(best);
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => 6));
  }
});

it('cells can be masked row by row', async () => {
  const { batch } = await store([1, 2, 3].map((size) => ({ size, word: `word ${size}`, amount: size })));
  const mine = sql`t.size <> ${2}::int`;
  const selection = selectionOf([
    reading(sql`t.size`, numberMember('size')),
    reading(sql`case when ${mine} then t.word end`, textMember('word')),
  ]);
  const pages = await walk(listingOf(batch, orderOf([key(sql`t.amount`, 'numeric', 'asc')], 'asc'), { selection }), 2);
  expect(pages.flatMap(({ data }) => data)).toEqual([
    { size: 1, word: 'word 1' },
    { size: 2, word: null },
    { size: 3, word: 'word 3' },
  ]);
});

it('what stands beside a row is shown of it, and a page without rows has none', async () => {
  const { batch } = await store([1, 2, 3].map((size) => ({ size, word: null, amount: size })));
  const listing = listingOf(batch, orderOf([key(sql`t.amount`, 'numeric', 'asc')], 'asc'), {
    beside: sql` left join lateral (select n.word from (values (2, 'two')) n (size, word) where n.size = t.size) n on true`,
    selection: selectionOf([reading(sql`n.word`, textMember('word'))]),
  });
  expect((await walk(listing, 2)).flatMap(({ data }) => data)).toEqual([
    { word: null },
    { word: 'two' },
    { word: null },
  ]);
  expect((await pageOf({ ...listing, visible: sql`false` }, { limit: 2 })).data).toEqual([]);
});

it('a page that would be too large ends early, with its cursor; a row that is too large comes alone', async () => {
  const mib = 1024 * 1024;
  const sizes = [9, 17, 1].map((size) => size * mib);
  const { batch } = await store(sizes.map((size, amount) => ({ size, word: null, amount })));
  const text = reading(sql`repeat('x', t.size)`, { ...textMember('text'), mostBytes: Infinity });
  const listing = listingOf(batch, orderOf([key(sql`t.amount`, 'numeric', 'asc')], 'asc'), {
    selection: selectionOf([text]),
  });
  const pages = await walk(listing, 4);
  expect(pages.map(({ data }) => data.map((row) => String(row['text']).length))).toEqual([
    [9 * mib],
    [17 * mib],
    [mib],
  ]);
  expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
});
