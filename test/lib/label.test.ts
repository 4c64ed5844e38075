import { describe, expect, it } from 'vitest';
import { labelProblem } from '../../src/lib/label.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const named = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

describe('a label', () => {
  it('has no control characters, no overrides of direction, no half characters and none that nobody sees', () => {
    const refused = [
      ...range(0x00, 0x1f),
      ...range(0x7f, 0x9f),
      ...range(0x200b, 0x200f),
      ...range(0x2028, 0x202e),
      ...range(0x2060, 0x2069),
      ...range(0xfff9, 0xfffb),
      ...range(0xe0001, 0xe007f),
      ...[0xad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x2800, 0x3164, 0xd800, 0xdfff, 0xfeff, 0xfe0f, 0xffa0],
      ...[0xffff, 0x1d159, 0x1d173, 0xe0100],
    ];
    for (const code of refused) {
      for (const text of [`a${String.fromCodePoint(code)}b`, String.fromCodePoint(code)]) {
        expect([named(code), labelProblem(text)]).toEqual([
          named(code),
          `must have visible characters only: ${named(code)} is none`,
        ]);
      }
    }
  });

  it('has plain spaces only, one at a time and between words', () => {
    for (const code of [0xa0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f]) {
      const problem = labelProblem(`a${String.fromCodePoint(code)}b`);
      expect(problem).toBe(`must have plain spaces only: ${named(code)} is none`);
    }
    for (const text of ['a  b', 'a   b', 'a \u3000b', '山\u3000\u3000田']) {
      expect(labelProblem(text)).toBe('must not have two spaces in a row');
    }
    for (const text of [' a', 'a ', '\u3000a', ' '])
      expect(labelProblem(text)).toBe('must not begin or end with a space');
  });

  it.each([
    'Deals',
    'Open deals of the year',
    '山田\u3000太郎',
    'Größe in m²',
    'Ελλάδα & Кириллица',
    '山田 太郎',
    'مبيعات',
    'שם',
    'می‌خواهم',
    'क्‍ष',
    '👩‍💻 Team',
    '❤️‍🔥',
    '👩🏽‍🚀',
    '1️⃣ First',
    '✔︎ done',
    'a — b … “c”',
    '<b>&amp;"\\',
    'e\u0301',
  ])('may be %j', (text) => {
    expect(labelProblem(text)).toBe(undefined);
  });

  it.each(['Sales\u200d', 'Sa\u200cles', '山\u200d田', '\u200dمبيعات', 'می\u200c', '1\ufe0f', '👩\u200d'])(
    'that looks like another is refused: %j',
    (text) => {
      expect(labelProblem(text)).toMatch(/^must have visible characters only/);
    },
  );
});
