import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openDemo, type Demo } from '../../src/demo/demo.ts';
import { openKernel, type Kernel } from '../../src/kernel.ts';
import { createLog } from '../../src/lib/log.ts';
import { createLimiter } from '../../src/limits/in-process.ts';
import type { Database } from '../../src/postgres/database.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { revokeToken } from '../../src/provision/tokens.ts';
import { testDatabase } from '../support/database.ts';
import { demoCounts, whole } from './demo-counts.ts';

const today = new Date('2026-03-01T12:00:00Z');
const closers: (() => Promise<void>)[] = [];

async function fresh(): Promise<{ main: Database; kernel: Kernel }> {
  const { database: main, drop } = await testDatabase();
  closers.push(drop);
  const { config } = readConfig({ KITH_SECRET_KEY: 'the root secret'.padEnd(32, '.') }, tmpdir());
  const limiter = config.rateLimits === 'off' ? undefined : createLimiter(config.rateLimits);
  const kernel = await openKernel(config, main, createLog('silent'), () => limiter);
  closers.push(() => kernel.close());
  return { main, kernel };
}

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const never = () => new AbortController().signal;
const known = ({ organizationName, token }: Demo) => ({ organizationName, token });

describe('openDemo', () => {
  it('fills an empty database, once, within the limits of everybody', { timeout: 240_000 }, async () => {
    const { kernel, main } = await fresh();
    const { directory } = kernel.provision;
    const demo = await openDemo(kernel, today);
    expect(demo).toMatchObject({ organizationName: 'Acme Demo', token: expect.stringMatching(/^svc_/) });
    expect(await demoCounts(main)).toMatchObject({ companies: 335, contacts: 100, opportunities: 0, subscriptions: 0 });

    await demo?.complete?.(never());
    expect(await demoCounts(main)).toEqual(whole);
    const again = await openDemo(kernel, today);
    expect(again?.complete).toBeUndefined();
    expect(again && known(again)).toEqual(demo && known(demo));
    expect(await directory.organizations()).toHaveLength(1);
  });

  it('goes on where it was stopped, with the dates of the day on which it began', { timeout: 240_000 }, async () => {
    const { kernel, main } = await fresh();
    const demo = await openDemo(kernel, today);
    const stop = new AbortController();
    const stopped = demo?.complete?.(stop.signal);
    await expect.poll(async () => (await demoCounts(main)).contacts, { timeout: 20_000 }).toBeGreaterThan(300);
    stop.abort();
    await expect(stopped).rejects.toThrow('aborted');
    const { contacts } = await demoCounts(main);
    expect(contacts).toBeLessThan(5000);

    const next = await openDemo(kernel, new Date('2026-05-05T00:00:00Z'));
    expect(next && known(next)).toEqual(demo && known(demo));
    await next?.complete?.(never());
    expect(await demoCounts(main)).toEqual(whole);
  });

  it('makes nothing where there is an organization', async () => {
    const { kernel } = await fresh();
    await createOrganization(kernel.provision, { name: 'Acme', adminName: 'Ada', adminEmail: 'ada@acme.test' });
    expect(await openDemo(kernel, today)).toBeUndefined();
    expect(await kernel.provision.directory.organizations()).toHaveLength(1);
  });

  it('is found by its mark, and by nobody who is called like it', async () => {
    const { kernel } = await fresh();
    const ada = { adminName: 'Ada', adminEmail: 'ada@acme.example' };
    const { organizationId } = await createOrganization(kernel.provision, { name: 'Acme Demo', ...ada });
    expect(await openDemo(kernel, today)).toBeUndefined();
    await kernel.provision.directory.demoIsFilled(organizationId);
    expect(await openDemo(kernel, today)).toMatchObject({ complete: undefined });
  });

  it('shows no token that was revoked', async () => {
    const { kernel } = await fresh();
    const demo = await openDemo(kernel, today);
    const { tokenId } = await kernel.provision.tokens.verify(demo?.token ?? '');
    await revokeToken(kernel.provision, tokenId);
    expect(await openDemo(kernel, today)).toMatchObject({ organizationName: 'Acme Demo', token: undefined });
  });
});
