import { expect, it } from 'vitest';
import { orAborted } from '../../src/lib/or-aborted.ts';

const never = new Promise<never>(() => {});

it('rejects with the reason of a signal that is aborted meanwhile', async () => {
  const over = new AbortController();
  const waiting = orAborted(never, over.signal);
  over.abort(new Error('late'));
  await expect(waiting).rejects.toThrow('late');
});

it('rejects at once where the signal was aborted before', async () => {
  await expect(orAborted(never, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});

it('leaves no rejection of the work unhandled', async () => {
  const failing = Promise.reject(new Error('of the work'));
  await expect(orAborted(failing, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});

it('gives the outcome of the work where nothing is aborted', async () => {
  expect(await orAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
  expect(await orAborted(Promise.resolve(2), undefined)).toBe(2);
});
