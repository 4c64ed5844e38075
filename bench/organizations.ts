/**
 * What many organizations cost: `node bench/organizations.ts [1000]` makes so many, and compares requests that all go to one
 * with the same requests spread over all of them, most to few and few to most; then prints the memory of the connections.
 */
import path from 'node:path';
import { readConfig } from '../src/config.ts';
import { openKernel } from '../src/kernel.ts';
import { connectDatabase } from '../src/postgres/connect.ts';
import { createOrganization } from '../src/provision/create-organization.ts';
import { contact } from './dataset.ts';
import { ask, startKith, type KithService } from './kith-service.ts';
import type { Ask } from './load-generator.ts';
import { measure, type Cost } from './measure.ts';
import { withPostgres, type Postgres } from './postgres.ts';
import { privateMiBOfChildren, residentMiB } from './processes.ts';

const count = Number(process.argv[2] ?? 1_000);
const contactsOfEach = 50;
const asksInAll = 20_000;
const load = { connections: 16, measuredMs: 10_000, warmupMs: 15_000 };

/** An organization, by what a request to it needs. */
interface Tenant {
  readonly authorization: string;
  readonly contacts: readonly string[];
}

async function makeOrganizations({ url, directory }: Postgres): Promise<readonly string[]> {
  const { config } = readConfig({ DATABASE_URL: url, KITH_DATA_DIR: path.join(directory, 'kith') }, directory);
  const log = { debug() {}, info() {}, warn: console.error, error: console.error };
  const main = await connectDatabase({ connection: url, log });
  const kernel = await openKernel(config, main, log);
  const tokens: string[] = [];
  const began = performance.now();
  while (tokens.length < count) {
    const [name, adminName, adminEmail] = [`Org ${tokens.length}`, 'Ada', `ada${tokens.length}@kith.test`];
    const { token } = await createOrganization(kernel.provision, { name, adminName, adminEmail });
    tokens.push(`Bearer ${token}`);
  }
  console.log(`${count} organizations made, ${((performance.now() - began) / count).toFixed(1)} ms each`);
  await kernel.close();
  await main.close();
  return tokens;
}

async function fill(kith: KithService, authorization: string): Promise<Tenant> {
  const records = Array.from({ length: contactsOfEach }, (_, row) => contact(row, []));
  const { created_ids: contacts } = await ask<{ created_ids: string[] }>(
    { ...kith, authorization },
    'POST',
    '/import/contacts',
    { records },
  );
  return { authorization, contacts };
}

/** Gets and pages in turn. The n-th organization is asked 1/n times as often as the first. */
function spread(tenants: readonly Tenant[]): readonly Ask[] {
  const sums: number[] = [];
  for (const rank of tenants.keys()) sums.push((sums.at(-1) ?? 0) + 1 / (rank + 1));
  return Array.from({ length: asksInAll }, (_, index) => {
    // Steps of the golden ratio fall evenly, and the same in each run.
    const drawn = ((index * 0.618_033_988_749_895) % 1) * (sums.at(-1) ?? 0);
    const { authorization, contacts } = tenants[sums.findIndex((sum) => sum > drawn)]!;
    const record = `/api/v1/records/contacts/${contacts[index % contacts.length]}`;
    return { method: 'GET', path: index % 2 === 0 ? record : '/api/v1/records/contacts?limit=20', authorization };
  });
}

function told({ service, postgres, medianMs }: Cost): string {
  return `${(service + postgres).toFixed(3)} ms of processor time (service ${service.toFixed(3)}, PostgreSQL ${postgres.toFixed(3)}), median ${medianMs.toFixed(1)} ms`;
}

await withPostgres(async (postgres) => {
  const kith = await startKith(postgres.url, path.join(postgres.directory, 'kith'), 7991);
  try {
    const tenants: Tenant[] = [];
    for (const token of await makeOrganizations(postgres)) tenants.push(await fill(kith, token));
    const [one, all] = [spread(tenants.slice(0, 1)), spread(tenants)];
    const costOfOne = await measure(kith, postgres.pid, one, load);
    const costOfAll = await measure(kith, postgres.pid, all, load);
    const ratio = (costOfAll.service + costOfAll.postgres) / (costOfOne.service + costOfOne.postgres);
    console.log(`one organization: ${told(costOfOne)}\n${count} organizations: ${told(costOfAll)}`);
    console.log(`${count} : 1 = ${ratio.toFixed(2)}; service ${Math.round(residentMiB(kith.pid))} MiB`);
    const backends = privateMiBOfChildren(postgres.pid).map((size) => size.toFixed(0));
    console.log(`largest processes of PostgreSQL, MiB of their own: ${backends.slice(0, 8).join(', ')}`);
  } finally {
    await kith.stop();
  }
});
