import { expect, it } from 'vitest';
import { whenAborted } from '../../src/lib/when-aborted.ts';

it('all who wait are called once, but for those who do not any more', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const forget = whenAborted(controller.signal, () => called.push('forgotten'));
  whenAborted(controller.signal, () => called.push('first'));
  whenAborted(controller.signal, () => called.push('second'));
  forget();
  controller.abort();
  expect(called).toEqual(['first', 'second']);
});

it('who comes when it is aborted already is called at once', () => {
  const called: string[] = [];
  whenAborted(AbortSignal.abort(), () => called.push('late'));
  expect(called).toEqual(['late']);
});
