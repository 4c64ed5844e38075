/** A large body taken apart is what it is as a whole. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInSlices } from '../../src/http/json-in-slices.ts';
import { parseJson } from '../../src/lib/json.ts';

const stays = new AbortController().signal;
const parse = (text: string, pieceLength?: number, signal = stays) =>
  parseInSlices(Buffer.from(text), signal, pieceLength === undefined ? {} : { pieceLength });

/** What was parsed, and the order of keys. */
const shown = (value: unknown) => [JSON.stringify(value), value];

const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\\', '"', ',', ']', '}', 'a"b'));
// Of keys with escapes, the platform's own parser loses one at times.
const keys = fc.oneof(
  fc.stringMatching(/^[\p{L}\p{N} ,:[\]{}]{0,8}$/u),
  fc.constantFrom('__proto__', 'constructor', '1', '0', ',', ']', '}'),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    texts.filter((text) => !text.includes('\0')),
    fc.constantFrom(null, true, 0, -1.5, 1e21),
    fc.array(tie('value')),
    fc.array(fc.tuple(keys, tie('value'))).map((entries) => Object.fromEntries(entries)),
  ),
}));

describe('JSON in pieces', () => {
  it('is the same value, with its keys in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.nat(40), fc.constantFrom(undefined, 1, '\t'), async (value, pieceLength, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(shown(await parse(text, pieceLength))).toEqual(shown(parseJson(text)));
      }),
      { numRuns: 300 },
    );
  });

  it('is refused where the whole is', async () => {
    const signs = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      ' ',
      '1',
      'null',
      '"a"',
      '"a":',
      '\u{1F600}',
      '\t',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(signs, { maxLength: 25 }), fc.nat(6), async (parts, pieceLength) => {
        const text = parts.join('');
        const whole = attempt(() => parseJson(text));
        const taken = await parse(text, pieceLength).then(
          (value) => ({ value }),
          (error: Error) => ({ code: (error as { code?: string }).code }),
        );
        expect(taken).toEqual(whole === undefined ? { code: 'VALIDATION_ERROR' } : whole);
      }),
      {
        numRuns: 5_000,
        examples: [
          [['[', '1', ',', ']'], 0],
          [['{', '"a":', '1', ',', '}'], 1],
          [['[', '"a"', '"a"', ']'], 2],
          [['[', ',', '"a"', ']'], 1],
          [['{', ',', '"a":', '[', '1', ']', '}'], 1],
        ],
      },
    );
  });

  it('keeps the digits of numbers and the last of two keys', async () => {
    const text = `{"a":[${'1.50,'.repeat(20_000)}0.10],"a":[${'1,'.repeat(20_000)}12345678901234567890],"b":2.0}`;
    expect(JSON.stringify(await parse(text))).toBe(`{"a":[${'1,'.repeat(20_000)}12345678901234567890],"b":2.0}`);
  });

  it.each([
    ['a NUL', `["${'x'.repeat(50_000)}","\\u0000"]`, 'A value in the body contains a NUL character'],
    ['half a pair', `["${'x'.repeat(50_000)}\\ud83d"]`, 'A value in the body contains half of a surrogate pair'],
    ['what is cut off', `["${'x'.repeat(50_000)}`, 'The body is not valid JSON: Unexpected end of JSON input'],
    [
      'a missing comma',
      `[${'1,'.repeat(50_000)}1 1]`,
      /^The body is not valid JSON: Expected ',' or '\]' after array element near byte \d+$/,
    ],
    ['two values', `[${'1,'.repeat(50_000)}1][]`, 'The body is not valid JSON: Unexpected token near byte 100003'],
    [
      'a depth',
      `${'['.repeat(65)}${'1,'.repeat(50_000)}1${']'.repeat(65)}`,
      'A value in the body is nested deeper than 64 levels',
    ],
    [
      'keys',
      `{${Array.from({ length: 10_001 }, (_, at) => `"${at}":1`).join(',')}}`,
      'An object in the body has more than 10,000 keys',
    ],
    ['items', `[${'1,'.repeat(200_000)}1]`, 'A list in the body has more than 200,000 items'],
    ['white space', `[${' '.repeat(70_000)}1]`, /more than 65,536 bytes of white space or of a number/],
    ['digits', `[${'1'.repeat(70_000)}]`, /more than 65,536 bytes of white space or of a number/],
    ['the length of a key', `{"${'k'.repeat(40_000)}":1}`, 'The body has a key of more than 10,000 bytes'],
    ['the length of a text', `{"a":"${'k'.repeat(12_100_000)}"}`, /^A text in the body is longer than any field takes/],
  ])('says what is wrong with %s', async (_what, text, message) => {
    await expect(parse(text)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
  });

  it('takes a byte order mark, and no broken UTF-8', async () => {
    expect(await parse('\uFEFF[1]')).toEqual([1]);
    const broken = Buffer.concat([
      Buffer.from(`["${'x'.repeat(50_000)}"`),
      Buffer.from([0xc3, 0x28]),
      Buffer.from(']'),
    ]);
    await expect(parseInSlices(broken, stays)).rejects.toMatchObject({ message: 'The body is not valid UTF-8' });
  });

  it('ends when nobody waits for it any more', async () => {
    const leaving = new AbortController();
    const parsing = parse(`[${'[[1],"x"],'.repeat(200_000)}1]`, undefined, leaving.signal);
    leaving.abort(new Error('left'));
    await expect(parsing).rejects.toThrow('left');
  });
});

function attempt(work: () => unknown) {
  try {
    return { value: work() };
  } catch {
    return undefined;
  }
}
