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
