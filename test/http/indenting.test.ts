/** Indented text is what the platform makes of the same value, digits aside: those stay as they were. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indented, indentedPieces, isLongToIndent } from '../../src/http/indenting.ts';

describe('indented JSON', () => {
  it('is what JSON.stringify makes with two spaces, and a line end', () => {
    const spaces = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), spaces, (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(indented(text)).toBe(`${JSON.stringify(value, null, 2)}\n`);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['{"a":0.10,"b":12345678901234567890.00}', '{\n  "a": 0.10,\n  "b": 12345678901234567890.00\n}\n'],
    [String.raw`["\u00e9","\\",{"a\"[":"]}"}]`, '[\n  "\\u00e9",\n  "\\\\",\n  {\n    "a\\"[": "]}"\n  }\n]\n'],
    ['[[],{},[{}]]', '[\n  [],\n  {},\n  [\n    {}\n  ]\n]\n'],
    ['null', 'null\n'],
  ])('keeps what stands in %s', (text, expected) => {
    expect(indented(text)).toBe(expected);
  });

  it('is the same wherever a piece of a long text ends', () => {
    const parts = ['"', '\\', 'x\\"', '😀', ' ', '[', ','];
    const value = Array.from({ length: 9_000 }, (_, at) => ({
      [parts[at % 7]!]: [parts[at % 5]!.repeat(at % 11), []],
    }));
    const text = JSON.stringify(value);
    expect(isLongToIndent(text)).toBe(true);
    const pieces = [...indentedPieces(text)];
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join('')).toBe(`${JSON.stringify(value, null, 2)}\n`);
  });
});
