/** Numbers of JSON keep every digit, however they are written and wherever they stand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Digits, parseJson } from '../../src/lib/json.ts';

describe('a number', () => {
  it.each(['0', '-1', '7', '123456789012345', '-999999999999999'])(
    'that a float prints as it was written is one: %s',
    (text) => {
      expect(parseJson(text)).toBe(Number(text));
    },
  );

  it.each(['-0', '0.10', '1.0', '1e2', '1E+2', '12345678901234567890', '-9007199254740993', '0.1e-7'])(
    'keeps its digits: %s',
    (text) => {
      for (const around of ['#', '[#]', '[1,#]', '{"a":#}', ' # ', '{"a" :\n#\t}', '[[{"a":[2, #]}]]'])
        expect(JSON.stringify(parseJson(around.replace('#', text)))).toContain(text);
    },
  );

  it('keeps its digits beside texts of any kind', () => {
    const digits = fc.tuple(
      fc.constantFrom('', '-'),
      fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,20}$/)),
      fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,20}$/)),
      fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,2}$/)),
    );
    const number = digits.map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom(...'0159.eE-+:,[]{}" \\ab') }).map((value) => JSON.stringify(value));
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        number,
        text,
        fc.array(tie('tree'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
        fc
          .array(fc.tuple(text, tie('tree')), { maxLength: 4 })
          .map((pairs) => `{${pairs.map((pair) => pair.join(' : ')).join(', ')}}`),
      ),
    }));
    const valueByValue = (_key: string, value: unknown, { source }: { source: string }) =>
      typeof value === 'number' && String(value) !== source ? new Digits(source) : value;
    fc.assert(
      fc.property(tree, (json) => {
        expect(parseJson(json)).toEqual(JSON.parse(json, valueByValue));
      }),
      { numRuns: process.env['KITH_DEEP'] ? 20_000 : 1_000 },
    );
  });
});
