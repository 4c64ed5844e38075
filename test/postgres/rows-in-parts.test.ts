/** Long reads hold some megabytes of their rows at most, however large a row is and however slow the reader. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

const million = 1_000_000;
/** Small rows first, so that many are fetched at a time when the large ones come. */
const growing = (count: number) =>
  statement(sql`select n::text, case when n > 400 then repeat('x', ${million}::int) else 'x' end
  from generate_series(1, ${count}::int) n`);

describe('a stream', () => {
  it('hands out the rows in their order, a few megabytes at a time', { timeout: 60_000 }, async () => {
    const numbers: number[] = [];
    let largest = 0;
    for await (const rows of test.database.stream('test', growing(500), 500)) {
      numbers.push(...rows.map(([number]) => Number(number)));
      largest = Math.max(
        largest,
        rows.reduce((sum, [, text]) => sum + (text?.length ?? 0), 0),
      );
    }
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
    expect(largest).toBeLessThan(8 * million);
  });

  it('gives its connection back wherever the reader stops', { timeout: 60_000 }, async () => {
    // The last rows of a part may be the last of all, or come together with the server's end of them.
    for (const [count, stop] of [
      ...Array.from({ length: 12 }, (_, at) => [500, 401 + at] as const),
      ...Array.from({ length: 12 }, (_, at) => [401 + at, 401 + at] as const),
    ]) {
      for await (const rows of test.database.stream('test', growing(count), 500)) {
        if (rows.some(([number]) => Number(number) >= stop)) break;
      }
    }
    const { rows } = await test.database.run('test', statement(sql`select 1`));
    expect(rows).toEqual([['1']]);
  });

  it('fails with what the statement fails with, in whatever row', async () => {
    const failing = statement(sql`select 1 / (450 - n), repeat('x', 100000) from generate_series(1, 500) n`);
    const read = async () => {
      for await (const rows of test.database.stream('test', failing, 500)) expect(rows.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow('division by zero');
    expect((await test.database.run('test', statement(sql`select 1`))).rows).toEqual([['1']]);
  });
});
