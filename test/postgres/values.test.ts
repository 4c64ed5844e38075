import { afterAll, beforeAll, expect, it } from 'vitest';
import { join, sql, statement } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

it('values of any length come through, at once with others', async () => {
  const values = ['', '€'.repeat(80_000), 'a😀é', null, 'x'.repeat(200_000), '\\"{},'];
  const wanted = values.map((value) =>
    statement(sql`select ${value}::text, ${value === null ? [] : [value, null]}::text[]`, '1'),
  );
  const many = Array.from({ length: 40_000 }, () => null);
  wanted.push(
    statement(
      sql`select 'many' where ${join(
        many.map((value) => sql`${value}::int is null`),
        ' and ',
      )}`,
    ),
  );
  for (let round = 0; round < 3; round++) {
    const answers = await test.database.read('a', wanted);
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual([...values, 'many']);
  }
});

/** A statement with so many values, and one of this length before them. */
const withValues = (count: number, first: string) =>
  statement(
    sql`select 'many' where ${first}::text is not null and ${join(
      Array.from({ length: count - 1 }, () => sql`${null}::int is null`),
      ' and ',
    )}`,
  );

it('as many values as the protocol has come through, short and long', async () => {
  for (const first of ['x', 'x'.repeat(300_000)]) {
    const { rows } = await test.database.run('a', withValues(65_535, first));
    expect(rows[0]?.[0]).toBe('many');
  }
});

it.each(['x', 'x'.repeat(300_000)])('one more is refused, and the connection serves on', async (first) => {
  const ahead = statement(sql`select ${'ahead'}::text`, '1');
  const tooMany = withValues(65_536, first);
  const ways: (() => Promise<unknown>)[] = [
    () => test.database.read('a', [ahead, tooMany]),
    () => test.database.run('a', tooMany),
    () => test.database.write('a', tooMany),
    () => test.database.transaction('a', (transaction) => transaction.run(tooMany)),
  ];
  for (const way of ways) {
    for (let time = 0; time < 6; time++) await expect(way()).rejects.toThrow('A statement has too many values');
    expect((await test.database.run('a', ahead)).rows[0]?.[0]).toBe('ahead');
  }
});
