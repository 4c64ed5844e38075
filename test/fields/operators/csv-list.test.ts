import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsvList } from '../../../src/fields/operators/csv-list.ts';

describe('a list in one text', () => {
  it.each([
    ['a', ['a']],
    ['', ['']],
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    [' "a" , " b " ', ['a', ' b ']],
    ['"say ""hi""",x', ['say "hi"', 'x']],
    ['a,,', ['a', '', '']],
    ['5" nail', ['5" nail']],
    ['"",a', ['', 'a']],
    ['"line\nbreak",b', ['line\nbreak', 'b']],
  ])('%j', (text, items) => expect(parseCsvList(text)).toEqual(items));

  it.each(['"a', 'a,"b', '"a"b', '"a" "b"', '"'])('%j has a stray quote', (text) =>
    expect(() => parseCsvList(text)).toThrow('quote'),
  );

  it('gives back what was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'ab," \n') }), { minLength: 1 }), (items) => {
        const text = items.map((item) => `"${item.replaceAll('"', '""')}"`).join(', ');
        expect(parseCsvList(text)).toEqual(items);
      }),
    );
  });

  it('reads a hostile text in time that grows with its length', () => {
    expect(() => parseCsvList(`"${'""'.repeat(200_000)}`)).toThrow('quote');
    expect(parseCsvList(' '.repeat(200_000))).toEqual(['']);
  });
});
