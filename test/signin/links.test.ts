/** Links by themselves: what ends them, and how often their pages may be opened. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createLinks, type Links } from '../../src/signin/links.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { openBrowser } from './browser.ts';

let kith: TestKith;
let links: Links;

beforeAll(async () => {
  kith = await startKith({ KITH_RATE_LIMITS: 'on' });
  links = createLinks(kith.database.database, systemClock);
});
afterAll(() => kith.stop());

const make = () => links.make({ purpose: 'sign-in', email: 'ada@acme.test' });

it('a link is good again when nothing came of it, unless another one was used meanwhile', async () => {
  const [first, second] = [await make(), await make()];
  await links.use(first.secret);
  await links.giveBack(first.link.id);
  expect(await links.look(first.secret)).toMatchObject({ id: first.link.id });
  await links.use(first.secret);
  await links.use(second.secret);
  await links.endOthers(second.link);
  await links.giveBack(first.link.id);
  expect(await links.look(first.secret)).toBeUndefined();
});

it('RL-08: a link has a budget of its own for its page, which says when it is used up', async () => {
  const [one, other] = [await make(), await make()];
  const open = (token: string) => openBrowser(kith.url).open(`/signin/link?token=${token}`);
  for (let count = 0; count < 20; count++) expect((await open(one.secret)).status).toBe(200);
  const denied = await open(one.secret);
  expect([denied.status, denied.html]).toEqual([429, expect.stringContaining('Too many attempts')]);
  expect(Number(denied.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await open(other.secret)).status).toBe(200);
});
