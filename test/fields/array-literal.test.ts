import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTextArray, parseTextArray } from '../../src/fields/array-literal.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

describe('the text form of text[]', () => {
  it.each([
    ['{}', []],
    ['{a,b}', ['a', 'b']],
    ['{a b,NULL,"NULL",null}', ['a b', null, 'NULL', 'null']],
    ['{"a,b","say \\"hi\\"","back\\\\slash","{}",""}', ['a,b', 'say "hi"', 'back\\slash', '{}', '']],
    ['{日本,😀}', ['日本', '😀']],
  ])('%s', (text, items) => expect(parseTextArray(text)).toEqual(items));

  it.each(['', 'a', '{a', '{{a},{b}}', '{a,}', '{"a}'])('%s is refused', (text) =>
    expect(() => parseTextArray(text)).toThrow('PostgreSQL'),
  );

  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test.drop());

  it('goes to PostgreSQL and back', async () => {
    const item = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed());
    const lists = fc.sample(fc.array(fc.oneof(item, fc.constantFrom('NULL', '', '"', '\\', '{', ',', ' '))), 200);
    const query = sql`select v::text[]::text from unnest(${lists.map(formatTextArray)}::text[]) with ordinality u (v, at) order by at`;
    const { rows } = await test.database.run('test', statement(query));
    expect(rows.map(([text]) => parseTextArray(text ?? ''))).toEqual(lists);
  });
});
