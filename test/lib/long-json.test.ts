/** JSON of the database taken apart is what it is as a whole. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../src/lib/json.ts';
import { parseLongJson } from '../../src/lib/long-json.ts';

const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\\', '"', ',', ']', '}', 'a"b', '\\"'));
// Of keys with escapes, the platform's own parser loses one at times.
const keys = fc.oneof(
  fc.stringMatching(/^[\p{L}\p{N} ,:[\]{}]{0,8}$/u),
  fc.constantFrom('__proto__', 'constructor', '1', '0', ',', ']', '}'),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    texts,
    fc.constantFrom(null, true, 0, -1.5, 1e21),
    fc.array(tie('value')),
    fc.array(fc.tuple(keys, tie('value'))).map((entries) => Object.fromEntries(entries)),
  ),
}));

const shown = (value: unknown) => [JSON.stringify(value), value];

it('is the same value, with its keys in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(values, fc.nat(40), fc.constantFrom(undefined, 1, '\t'), async (value, pieceLength, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(shown(await parseLongJson(text, pieceLength))).toEqual(shown(parseJson(text)));
    }),
    { numRuns: 200 },
  );
});

it('keeps every digit of numbers', async () => {
  const text = `{"a" : [${'1.10, '.repeat(20)}12345678901234567890], "b" : {"c" : 0.50}}`;
  expect(JSON.stringify(await parseLongJson(text, 8))).toBe(text.replaceAll(' ', ''));
});
