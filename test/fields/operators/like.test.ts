import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkedPattern, escapeLike, matcher } from '../../../src/fields/operators/like.ts';
import { sql, statement } from '../../../src/postgres/sql.ts';
import { testDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

describe('patterns of LIKE', () => {
  it('escape what stands for itself', () => {
    expect(escapeLike('100%_\\')).toBe('100\\%\\_\\\\');
    expect(matcher(escapeLike('a.*[b]%_\\'), false)('a.*[b]%_\\')).toBe(true);
  });

  it.each([
    ['a\\', false],
    ['a\\\\', true],
    ['\\\\\\', false],
    ['', true],
  ])('%j is well formed: %s', (pattern, fine) => {
    if (fine) expect(checkedPattern(pattern)).toBe(pattern);
    else expect(() => checkedPattern(pattern)).toThrow('backslash');
  });

  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test.drop());

  it.each([true, false])('match here as they do in PostgreSQL (any case: %s)', async (anyCase) => {
    const unit = fc.constantFrom(...'aAbB%_\\.*äÄ😀(');
    const text = fc.string({ unit, maxLength: 6 });
    const pattern = text.filter((candidate) => (/\\*$/.exec(candidate)?.[0].length ?? 0) % 2 === 0);
    const pairs = fc.sample(
      fc.tuple(
        text,
        fc.oneof(
          pattern,
          text.map((part) => `%${escapeLike(part.slice(0, 1))}%`),
        ),
      ),
      1_000,
    );
    const condition = anyCase ? sql`t collate "und-x-icu" ilike p` : sql`t like p`;
    const query = sql`select (${condition})::text from unnest(${pairs.map(([value]) => value)}::text[], ${pairs.map(([, like]) => like)}::text[])
      with ordinality u (t, p, at) order by at`;
    const { rows } = await test.database.run('test', statement(query));
    const answers = pairs.map(([value, like]) => [value, like, String(matcher(like, anyCase)(value))]);
    expect(answers).toEqual(pairs.map(([value, like], at) => [value, like, rows[at]?.[0]]));
    expect(new Set(rows.map(([answer]) => answer)).size).toBe(2);
  });
});

it('takes no longer for a pattern of many runs', () => {
  const matches = matcher('%a'.repeat(200) + '%b'.repeat(200), false);
  expect(matches('ba'.repeat(5_000))).toBe(false);
  expect(matches('a'.repeat(200) + 'b'.repeat(200))).toBe(true);
});
