/** A list of JSON in parts is what it is as a whole, and what is no JSON stays none. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../src/lib/json.ts';
import { parseList } from '../../src/records/import/reading/json-list.ts';

const parts = fc.integer({ min: 1, max: 40 });

it('of any values', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue()),
      parts,
      fc.constantFrom(undefined, 1, '\t'),
      async (list, part, space) => {
        const text = ` ${JSON.stringify(list, undefined, space)}\n`;
        expect(await parseList(text, part)).toEqual(parseJson(text));
      },
    ),
  ));

it('of any text that looks like a list', () =>
  fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', ':', '1', ' ', 'true'), maxLength: 30 }),
      parts,
      async (inner, part) => {
        const text = `[${inner}]`;
        const whole = outcomeOf(() => parseJson(text));
        const inParts = await parseList(text, part).catch((error: unknown) => (error as Error).name);
        expect(inParts).toEqual(whole);
      },
    ),
    { numRuns: 2_000, examples: [[' ,true', 1]] },
  ));

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as Error).name;
  }
}
