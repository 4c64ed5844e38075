import { expect, it } from 'vitest';
import { writeJson } from '../../src/lib/json-writer.ts';
import { Digits } from '../../src/lib/json.ts';
import { isLong, whole } from '../../src/lib/long-text.ts';

const deep = (levels: number): object => (levels === 0 ? { end: [] } : { a: [deep(levels - 1), {}], b: { c: levels } });

it.each([
  {},
  [],
  [[], {}, [[]]],
  { a: undefined, b: null, c: [undefined, null], d: '"\\\u0001ж😀', e: undefined },
  { 'a "quoted" key': 1, __proto__: 2, f: () => 1, g: [() => 1] },
  { amount: new Digits('0.10'), in: [new Digits('12345678901234567890')] },
  { toJSON: 'a key like any other', at: new Date(0) },
  deep(9),
])('writes what the platform writes: %j', async (value) => {
  expect(whole(await writeJson(value))).toBe(JSON.stringify(value));
});

it('writes what is long', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ id: at, tags: ['a', { b: [at] }] }));
  const text = await writeJson({ rows });
  expect(whole(text) === JSON.stringify({ rows })).toBe(true);
  expect(isLong(text)).toBe(true);
});
