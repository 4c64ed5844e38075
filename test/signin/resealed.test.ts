/** Mails that wait while the root secret is changed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyring } from '../../src/auth/keys.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createOutbox } from '../../src/signin/outbox.ts';
import { startKith, type TestKith } from '../support/kith.ts';

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

it('are sealed with the newest secret, and can be read without the one before', async () => {
  const [earlier, newest] = ['an earlier secret'.padEnd(32, '.'), 'the newest secret'.padEnd(32, '.')];
  const outboxWith = (...[current, ...old]: [string, ...string[]]) =>
    createOutbox(kith.database.database, createKeyring(current, old), systemClock, () => {});
  const order = { kind: 'sign-in', email: 'ada@acme.test' } as const;
  await outboxWith(earlier).add(order);
  const both = outboxWith(newest, earlier);
  expect([await both.reseal(), await both.reseal()]).toEqual([1, 0]);
  expect(await outboxWith(newest).take(10)).toMatchObject([{ order }]);
});
