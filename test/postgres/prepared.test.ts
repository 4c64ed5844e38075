/** What connections keep of statements, and what this process does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell, Database } from '../../src/postgres/database.ts';
import { Prepared } from '../../src/postgres/prepared.ts';
import { sql, statement, trusted, type Sql } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { heapUsed } from '../support/heap.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
});
afterAll(() => test.drop());

async function readOne(wanted: Sql, affinity: string): Promise<Cell> {
  const [answer] = await database.read(affinity, [statement(wanted)]);
  return answer?.rows[0]?.[0] ?? null;
}

const backend = sql`select pg_backend_pid()`;

describe('prepared statements', () => {
  /** Those that the client of `many` has prepared. */
  const prepared = sql`select json_agg(name) from pg_prepared_statements where name like 'n%'`;
  const numbered = (i: number) => ({ text: `select ${i}`, values: [], name: `n${i}` });
  const namesOfMany = async () => JSON.parse((await readOne(prepared, 'many')) ?? '[]');

  it('are prepared when they are asked for again, and the latest 500 are kept', async () => {
    await database.read('many', [numbered(0)]);
    expect(await namesOfMany()).toEqual([]);
    for (let i = 0; i < 600; i++) {
      for (let time = 0; time < 2; time++)
        expect((await database.read('many', [numbered(i)]))[0]?.rows).toEqual([[`${i}`]]);
      await database.read('many', [numbered(0)]);
    }
    const names = await namesOfMany();
    expect(names.length).toBeGreaterThan(490);
    expect(names.length).toBeLessThanOrEqual(500);
    expect(names).toEqual(expect.arrayContaining(['n0', 'n599', 'n150']));
    expect(names).not.toContain('n50');
    expect((await database.read('many', [numbered(50)]))[0]?.rows).toEqual([['50']]);
  });

  it('are of together 512 KiB of text at most, none of them longer than 32 KiB', async () => {
    const long = (i: number, length: number) => ({
      text: `select ${i} --${'x'.repeat(length)}`,
      values: [],
      name: `l${i}`,
    });
    const read = async (wanted: ReturnType<typeof long>) => (await database.read('long', [wanted]))[0]?.rows[0]?.[0];
    for (let i = 0; i < 40; i++) for (let time = 0; time < 3; time++) expect(await read(long(i, 20_000))).toBe(`${i}`);
    for (let time = 0; time < 3; time++) expect(await read(long(99, 40_000))).toBe('99');
    const kept = sql`select json_build_array(sum(length(statement)), json_agg(name)) from pg_prepared_statements
      where name like 'l%'`;
    const [text, names] = JSON.parse((await readOne(kept, 'long')) ?? '[]');
    expect(text).toBeGreaterThan(400_000);
    expect(text).toBeLessThanOrEqual(512 * 1024);
    expect(names).toEqual(expect.arrayContaining(['l39', 'l20']));
    expect(names).not.toContain('l0');
    expect(names).not.toContain('l99');
  });

  it('that are long leave nothing of their plan behind', async () => {
    const conditions = Array.from({ length: 3_000 }, (_, i) => `relname <> 'n${i}'`).join(' and ');
    const huge = { text: `select count(*) > 0 from pg_class where ${conditions}`, values: [] };
    const planned = sql`select sum(total_bytes) from pg_backend_memory_contexts where name like 'CachedPlan%'`;
    const pid = await readOne(backend, 'huge');
    const before = Number(await readOne(planned, 'huge'));
    const [answer] = await database.read('huge', [huge]);
    expect(answer?.rows).toEqual([['t']]);
    // In one batch, so that no other unnamed statement takes its place before it is looked at.
    const named = { ...statement(planned), name: 'planned' };
    await database.read('huge', [named]);
    const [, left] = await database.read('huge', [huge, named]);
    expect(Number(left?.rows[0]?.[0]) - before).toBeLessThan(200_000);
    expect(await readOne(backend, 'huge')).toBe(pid);
  });

  it('end with their connection, which is replaced when it has prepared thousands', async () => {
    const first = await readOne(backend, 'many');
    for (let i = 0; i < 5_000; i += 100) {
      await database.read(
        'many',
        Array.from({ length: 100 }, (_, k) => numbered(1_000 + i + k)),
      );
    }
    await expect.poll(() => readOne(backend, 'many')).not.toBe(first);
    await database.ping();
  });
});

it('the names of a thousand long texts keep none of them', async () => {
  const textOf = (i: number) => `select ${i} --${'x'.repeat(50_000)}`;
  const name = (i: number) => statement(sql`${trusted(textOf(i))}`, '1').name;
  for (let i = 0; i < 100; i++) name(i);
  const before = await heapUsed();
  const names = Array.from({ length: 1_000 }, (_, i) => name(i));
  expect(new Set(names).size).toBe(1_000);
  expect(names[7]).toBe(name(7));
  expect((await heapUsed()) - before).toBeLessThan(10_000_000);
});

it('names that were seen once are counted as memory', () => {
  const prepared = new Prepared();
  for (let i = 0; i < 10_000; i++) prepared.admit({ text: `select ${i}`, values: [], name: `n${i}` });
  expect(prepared.bytes).toBeGreaterThan(400_000);
  expect(prepared.bytes).toBeLessThan(prepared.maxBytes);
  prepared.clear();
  expect(prepared.bytes).toBe(0);
});
