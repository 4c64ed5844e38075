import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalNumber, numberFromCell } from '../../src/fields/digits.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

describe('digits', () => {
  it.each(['', '.', '-', 'e5', '1e', '0x10', '1_000', ' 1', '1 2', 'NaN', 'Infinity', '1e1234567', '--1'])(
    '%j is no number',
    (text) => expect(() => canonicalNumber(text)).toThrow('must be a number'),
  );

  it.each(['1,23', '1,2345', '1.234,5', ',5', '1,,000'])('the cell %j is none', (cell) =>
    expect(() => numberFromCell(cell)).toThrow('must be a number'),
  );

  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test.drop());

  it('are written as PostgreSQL prints them', async () => {
    const digit = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 });
    const parts = fc.record({
      sign: fc.constantFrom('', '-', '+'),
      whole: digit,
      fraction: fc.option(digit),
      exponent: fc.option(fc.integer({ min: -30, max: 30 })),
    });
    const texts = fc
      .sample(parts, 500)
      .map(
        ({ sign, whole, fraction, exponent }) =>
          `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
      );
    const query = sql`select v::numeric::text from unnest(${texts}::text[]) with ordinality u (v, at) order by at`;
    const { rows } = await test.database.run('test', statement(query));
    expect(texts.map((text) => [text, canonicalNumber(text)])).toEqual(
      rows.map(([printed], at) => [texts[at], printed]),
    );
  });
});
