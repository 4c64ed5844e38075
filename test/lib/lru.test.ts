import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheSizes } from '../../src/lib/caches.ts';
import { Lru } from '../../src/lib/lru.ts';
import { OwnedLru } from '../../src/lib/owned-lru.ts';

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const owners = fc.constantFrom('x', 'y', 'z');
/** Up to more than all may have together. */
const size = fc.integer({ min: 0, max: 1_200 });
const bytesOf = (_key: string, value: number) => value;

describe('a memory bounded in bytes', () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant('set' as const), key: keys, value: size }),
    fc.record({ does: fc.constantFrom('get' as const, 'delete' as const), key: keys, value: fc.constant(0) }),
  );

  it('keeps what was used last, as far as it fits, and tells what leaves it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const dropped: string[] = [];
        const lru = new Lru<string, number>({ maxBytes: 1_000, bytesOf, dropped: (key) => dropped.push(key) });
        /** The latest last. */
        let model: [key: string, value: number][] = [];
        let gone: string[] = [];
        const bytes = () => model.reduce((sum, [, value]) => sum + value + 100, 0);
        for (const { does, key, value } of steps) {
          const known = model.find(([name]) => name === key);
          if (does === 'get') {
            expect(lru.get(key)).toBe(known?.[1]);
            if (known) model = [...model.filter((entry) => entry !== known), known];
            continue;
          }
          if (known) gone.push(key);
          model = model.filter((entry) => entry !== known);
          if (does === 'delete') lru.delete(key);
          else {
            lru.set(key, value);
            if (value + 100 > 1_000) gone.push(key);
            else model.push([key, value]);
            while (bytes() > 1_000) gone.push(model.shift()![0]);
          }
          expect([lru.bytes, lru.entries]).toEqual([bytes(), model.length]);
          expect(dropped.splice(0)).toEqual(gone);
          gone = [];
        }
        for (const [key, value] of model) expect(lru.get(key)).toBe(value);
      }),
    );
  });
});

describe('a memory with owners', () => {
  const step = fc.record({
    does: fc.constantFrom('set', 'get', 'delete', 'forget'),
    owner: owners,
    key: keys,
    value: size,
  });

  it('keeps to both bounds, and counts what it has', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const lru = new OwnedLru<string, number>({ name: 'test', maxBytes: 1_500, maxOwnerBytes: 700, bytesOf });
        for (const { does, owner, key, value } of steps) {
          if (does === 'set') lru.set(owner, key, value);
          else if (does === 'get') lru.get(owner, key);
          else if (does === 'delete') lru.delete(owner, key);
          else lru.forget(owner);
          let bytes = 0;
          let entries = 0;
          for (const each of ['x', 'y', 'z']) {
            const values = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => lru.get(each, name) ?? []);
            const own = values.reduce((sum, one) => sum + one + 100, 0);
            expect(own).toBeLessThanOrEqual(700);
            bytes += own;
            entries += values.length;
          }
          expect([lru.bytes, lru.entries]).toEqual([bytes, entries]);
          expect(bytes).toBeLessThanOrEqual(1_500);
        }
      }),
    );
  });

  it('lets an owner push out its own entries only, and forgets whoever was idle for longest', () => {
    const lru = new OwnedLru<string, number>({ name: 'test', maxBytes: 1_500, maxOwnerBytes: 700, bytesOf });
    lru.set('quiet', 'a', 300);
    lru.set('next', 'a', 300);
    for (let n = 0; n < 50; n++) lru.set('loud', `${n}`, 100);
    expect([lru.get('quiet', 'a'), lru.get('loud', '49'), lru.get('loud', '0')]).toEqual([300, 100, undefined]);
    lru.set('fourth', 'a', 400);
    expect([lru.get('next', 'a'), lru.get('quiet', 'a'), lru.get('fourth', 'a')]).toEqual([undefined, 300, 400]);
  });
});

describe('what is told of caches', () => {
  it('sums those of one name', () => {
    const all = [1, 2].map((n) => {
      const lru = new Lru<string, number>({ name: 'twins', maxBytes: 1_000, bytesOf });
      for (let key = 0; key < n; key++) lru.set(`${key}`, 50);
      return lru;
    });
    expect(cacheSizes().get('twins')).toEqual({ bytes: 450, maxBytes: 2_000, entries: 3 });
    expect(all).toHaveLength(2);
  });
});
