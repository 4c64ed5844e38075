/** Long HTML is cleaned in one thread: in turns, for those who still wait, and without a word of it in logs. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, it, vi } from 'vitest';
import { cleanAside } from '../../src/fields/html-aside.ts';

const workers: Worker[] = [];
process.on('worker', (worker) => workers.push(worker));
afterEach(() => vi.useRealTimers());

const stays = new AbortController().signal;
const of = (organizationId: string, signal = stays) => ({ organizationId, signal });
const long = '<p>a</p>'.repeat(5_000);

it('organizations take turns', async () => {
  const order: string[] = [];
  const ask = async (organization: string, at: number) => {
    await cleanAside(long, of(organization));
    order.push(`${organization}${at}`);
  };
  await Promise.all([ask('a', 1), ask('a', 2), ask('a', 3), ask('b', 1), ask('a', 4), ask('b', 2), ask('c', 1)]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('a text that nobody waits for any more is not cleaned', async () => {
  await cleanAside(long, of('a'));
  const sent = vi.spyOn(workers[0]!, 'postMessage');
  const leaving = new AbortController();
  const left = Array.from({ length: 5 }, () => cleanAside(long, of('a', leaving.signal)));
  const other = cleanAside('<p>b</p>', of('b'));
  leaving.abort(new Error('left'));
  for (const { reason } of (await Promise.allSettled(left)) as PromiseRejectedResult[]) {
    expect(reason.message).toBe('left');
  }
  expect(await other).toEqual({ html: '<p>b</p>', text: 'b' });
  expect(sent).toHaveBeenCalledTimes(2);
  await expect(cleanAside(long, of('a', leaving.signal))).rejects.toThrow('left');
  expect(sent).toHaveBeenCalledTimes(2);
});

it('a failure of the cleaner does not quote the text', async () => {
  await expect(cleanAside(null as unknown as string, of('a'))).rejects.toThrow(
    /^TypeError \(its text may quote a value\)$/,
  );
});

it('a thread that has ended ends no other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await cleanAside(long, of('a'));
  const [first] = workers.splice(0);
  vi.advanceTimersByTime(60_000);
  const [exit] = [once(first!, 'exit')];
  await cleanAside(long, of('a'));
  await exit;
  await cleanAside(long, of('a'));
  expect(workers).toHaveLength(1);
});
