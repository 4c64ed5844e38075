/** When the service sweeps: a minute after its start, then every hour, until it stops; and what its upkeep, every five minutes, leaves behind. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { keepSweeping } from '../../src/operations/background/sweep.ts';
import { keepUp } from '../../src/operations/background/upkeep.ts';

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([
  ['works', (): Promise<[]> => Promise.resolve([])],
  ['fails', (): Promise<[]> => Promise.reject(new Error('The database is away'))],
])('goes on when a sweep %s', async (what, organizations) => {
  const asked = vi.fn<() => Promise<[]>>(organizations);
  const warned = vi.fn<() => void>();
  const databaseOf = () => Promise.reject(new Error('There is no organization'));
  const directory = { organizations: asked, databaseOf };
  const stop = keepSweeping({ directory, clock: systemClock, log: { warn: warned } });
  await vi.advanceTimersByTimeAsync(minute - 1);
  expect(asked).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60 * minute);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(warned).toHaveBeenCalledTimes(what === 'fails' ? 2 : 0);
  await stop();
  await vi.advanceTimersByTimeAsync(120 * minute);
  expect(asked).toHaveBeenCalledTimes(2);
});

it('stops when the sweep at hand is over', async () => {
  const listed = Promise.withResolvers<[]>();
  const directory = {
    organizations: () => listed.promise,
    databaseOf: () => Promise.reject(new Error('There is no organization')),
  };
  const stop = keepSweeping({ directory, clock: systemClock, log: { warn: () => {} } });
  await vi.advanceTimersByTimeAsync(minute);
  let stopped = false;
  const stopping = stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(minute);
  expect(stopped).toBe(false);
  listed.resolve([]);
  await stopping;
  await vi.advanceTimersByTimeAsync(120 * minute);
  expect(vi.getTimerCount()).toBe(0);
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
