/** What the upkeep of the service, every five minutes, leaves behind. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { keepUp } from '../../src/operations/background/upkeep.ts';

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('leaves no listener behind with an upkeep, and ends one without a warning', async () => {
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  const warned = vi.fn<() => void>();
  let listed = Promise.resolve<[]>([]);
  const directory = {
    organizations: () => listed,
    databaseOf: () => Promise.reject(new Error('There is no organization')),
  };
  const stop = keepUp({ directory, clock: systemClock, log: { warn: warned, info: () => {} } });
  await vi.advanceTimersByTimeAsync(20 * minute);
  expect(added.mock.calls.length).toBeGreaterThan(2);
  expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  listed = new Promise(() => {});
  await vi.advanceTimersByTimeAsync(10 * minute);
  await stop();
  expect(warned).toHaveBeenCalledTimes(0);
  vi.restoreAllMocks();
});
