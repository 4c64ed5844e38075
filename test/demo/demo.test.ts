import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { demoData } from '../../src/demo/demo-data.ts';
import { createDemo } from '../../src/demo/demo.ts';
import { openKernel, type Kernel } from '../../src/kernel.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Database } from '../../src/postgres/database.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { revokeToken } from '../../src/provision/tokens.ts';
import { testDatabase } from '../support/database.ts';

const today = new Date('2026-03-01T12:00:00Z');
const closers: (() => Promise<void>)[] = [];

async function fresh(): Promise<{ main: Database; kernel: Kernel }> {
  const { database: main, drop } = await testDatabase();
  closers.push(drop);
  const { config } = readConfig({ KITH_SECRET_KEY: 'the root secret' }, tmpdir());
  const kernel = await openKernel(config, main, createLog('silent'));
  closers.push(() => kernel.close());
  return { main, kernel };
}

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

describe('createDemo', () => {
  it('fills an empty database, once', async () => {
    const { kernel, main } = await fresh();
    const { directory } = kernel.provision;
    const demo = await createDemo(kernel, today);
    expect(demo).toEqual({ organizationName: 'Acme Demo', token: expect.stringMatching(/^svc_/) });
    const [organization] = await directory.organizations();
    const schema = organization?.schema ?? '';
    const table = (name: string) => identifier(schema, name);
    const counts = sql`select (select count(*) from ${table('companies')}), (select count(*) from ${table('contacts')}),
      (select count(*) from ${table('opportunities')}), (select count(distinct pipeline_step_id) from ${table('opportunities')}),
      (select count(*) from ${table('contacts')} where company_id is null), (select count(*) from ${table('_users')}),
      (select count(distinct owner) from ${table('contacts')}), (select string_agg(distinct means, ',') from ${table('_history')})`;
    expect((await main.run('test', statement(counts))).rows).toEqual([['40', '150', '60', '6', '0', '3', '2', 'demo']]);
    expect(await createDemo(kernel, today)).toEqual(demo);
    expect(await kernel.provision.directory.organizations()).toHaveLength(1);
  });

  it('makes nothing where there is an organization', async () => {
    const { kernel } = await fresh();
    await createOrganization(kernel.provision, { name: 'Acme', adminName: 'Ada', adminEmail: 'ada@acme.test' });
    expect(await createDemo(kernel, today)).toBeUndefined();
    expect(await kernel.provision.directory.organizations()).toHaveLength(1);
  });

  it('shows no token that was revoked', async () => {
    const { kernel } = await fresh();
    const demo = await createDemo(kernel, today);
    const { tokenId } = await kernel.provision.tokens.verify(demo?.token ?? '');
    await revokeToken(kernel.provision, tokenId);
    expect(await createDemo(kernel, today)).toBeUndefined();
  });
});

describe('demoData', () => {
  const all = () => {
    const data = demoData({ today, owners: ['o1', 'o2'] });
    const companyIds = data.companies.map((_, at) => `c${at}`);
    const contacts = data.contacts(companyIds);
    return {
      companies: data.companies,
      contacts,
      opportunities: data.opportunities(
        companyIds,
        contacts.map((_, at) => `p${at}`),
      ),
    };
  };

  it('gives the same each time', () => expect(all()).toEqual(all()));

  it('has addresses that belong to no one, each once', () => {
    const { companies, contacts } = all();
    const addresses = contacts.map(({ emails }) => JSON.stringify(emails));
    expect(new Set(addresses).size).toBe(contacts.length);
    for (const address of addresses) expect(address).toMatch(/"email":"[a-z-]+\.[a-z-]+@[a-z0-9-]+\.example"/);
    expect(new Set(companies.map(({ name }) => name)).size).toBe(companies.length);
  });

  it('has dates around today: finished deals lie behind, most open ones ahead', () => {
    const { opportunities } = all();
    const dates = (names: string[]) =>
      opportunities
        .filter((row) => names.includes(String(row['pipeline_step_id'])))
        .map((row) => String(row['close_date']));
    for (const date of dates(['Won', 'Lost'])) expect(date < '2026-03-01' && date > '2025-08-01').toBe(true);
    const open = dates(['Lead', 'Qualified', 'Proposal', 'Negotiation']);
    expect(open.filter((date) => date >= '2026-03-01' && date < '2026-07-15').length).toBeGreaterThan(
      open.length * 0.8,
    );
  });
});
