/** The nearest name, and that a request looks for few of them. */
import { describe, expect, it } from 'vitest';
import { didYouMean, forOneRequest } from '../../src/lib/nearest.ts';

describe('the nearest name', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['lmit', ['limit', 'cursor'], 'limit'],
    ['First_Nmae', ['last_name', 'first_name'], 'first_name'],
    ['nmae', ['date', 'name'], 'name'],
    ['eq', ['contains', 'equals'], 'equals'],
    ['first', ['last_name', 'first_name'], 'first_name'],
    ['name', ['names', 'name_of_company'], 'names'],
    ['limit', ['limit'], 'limit'],
    ['x', ['xylophone'], undefined],
    ['quite_other', ['first_name'], undefined],
    ['', ['a', 'bcd'], 'a'],
    ['x'.repeat(65), ['x'.repeat(64)], undefined],
  ])('of %s', (name, candidates, found) => {
    expect(didYouMean(name, candidates)).toBe(found === undefined ? '' : ` (did you mean "${found}"?)`);
  });

  it('is the one that all edits lead to, as far as it goes', () => {
    const letters = 'abc';
    const words = Array.from({ length: 300 }, (_, at) =>
      Array.from({ length: 3 + (at % 7) }, (_, i) => letters[(at * 7 + i * i + at * i) % 3]).join(''),
    );
    for (const word of words.slice(0, 60)) {
      const told = /"(.*)"/.exec(didYouMean(`${word}q`, words))?.[1] ?? '';
      const nearest = Math.min(...words.map((other) => distance(`${word}q`, other)));
      expect(distance(`${word}q`, told), word).toBe(nearest);
    }
  });

  it('is looked for five times a request, whoever asks', async () => {
    const asked = await forOneRequest(async () => {
      const first = ['a1', 'a2', 'a3'].map((name) => didYouMean(name, ['aa']));
      await Promise.resolve();
      return [...first, ...['a4', 'a5', 'a6', 'a7'].map((name) => didYouMean(name, ['aa']))];
    });
    expect(asked.map((text) => text !== '')).toEqual([true, true, true, true, true, false, false]);
    expect(forOneRequest(() => didYouMean('a8', ['aa']))).not.toBe('');
  });
});

/** Edits, counted as they are defined. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const substitution = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      rows[i]?.push(Math.min(substitution, at(i - 1, j) + 1, at(i, j - 1) + 1, swap));
    }
  }
  return at(a.length, b.length);
}
