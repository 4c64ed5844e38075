import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sharedAnswer } from '../../src/lib/shared-answer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when it is told to. */
function work() {
  const begun: PromiseWithResolvers<number>[] = [];
  return {
    begun,
    do: () => {
      const one = Promise.withResolvers<number>();
      begun.push(one);
      return one.promise;
    },
  };
}

it('is worked out once for all who ask meanwhile, and until it is too old', async () => {
  const { begun, do: begin } = work();
  const ask = sharedAnswer(begin, 1_000);
  const asked = Array.from({ length: 1_000 }, ask);
  await vi.advanceTimersByTimeAsync(600);
  asked.push(ask());
  begun[0]!.resolve(1);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([1]));
  await vi.advanceTimersByTimeAsync(399);
  expect([await ask(), begun.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1);
  const next = ask();
  begun[1]!.resolve(2);
  expect([await next, begun.length]).toEqual([2, 2]);
});

it('is never worked out twice at once, however long it takes', async () => {
  const { begun, do: begin } = work();
  const ask = sharedAnswer(begin, 1_000);
  const first = ask();
  await vi.advanceTimersByTimeAsync(60_000);
  const second = ask();
  begun[0]!.resolve(1);
  expect([await first, await second, begun.length]).toEqual([1, 1, 1]);
});

it('tells a failure to those who wait for it, and begins anew', async () => {
  const { begun, do: begin } = work();
  const ask = sharedAnswer(begin, 1_000);
  const waiting = Promise.allSettled([ask(), ask()]);
  begun[0]!.reject(new Error('gone'));
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = ask();
  begun[1]!.resolve(2);
  expect(await next).toBe(2);
});
