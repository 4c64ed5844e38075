/** Which row of a table is drawn in whose place while one scrolls. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowKeysOf } from '../../web/src/records/use-row-keys.ts';

const windows = fc.array(fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 20 }), { minLength: 2, maxLength: 8 });

it('rows that stay keep their place, those that come take free ones, and no two have the same', () => {
  fc.assert(
    fc.property(windows, (drawn) => {
      let last: ReadonlyMap<number, number> = new Map();
      let most = 0;
      for (const indexes of drawn.map((one) => one.toSorted((a, b) => a - b))) {
        const keys = rowKeysOf(indexes, last);
        most = Math.max(most, indexes.length);
        expect([...keys.keys()]).toEqual(indexes);
        expect(new Set(keys.values()).size).toBe(indexes.length);
        for (const index of indexes) if (last.has(index)) expect(keys.get(index)).toBe(last.get(index));
        // Nothing is made anew while there is a row to write over.
        expect(Math.max(-1, ...keys.values())).toBeLessThan(most);
        last = keys;
      }
    }),
  );
});
