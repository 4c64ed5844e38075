/** The demo organization that a first start on an empty database makes, so that there is something to look at. */
import type { Desk, Kernel } from '../kernel.ts';
import type { JsonObject } from '../lib/json.ts';
import { importRecords } from '../operations/import.ts';
import { createOrganization } from '../provision/create-organization.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { listTokens, signTokenAgain } from '../provision/tokens.ts';
import { createUser } from '../provision/users.ts';

const demoName = 'Acme Demo';
const adminEmail = 'ada@acme.example';
const people = [
  { name: 'Ben Okafor', email: 'ben@acme.example', role: 'Member' },
  { name: 'Clara Weiss', email: 'clara@acme.example', role: 'Viewer' },
] as const;

export interface Demo {
  readonly organizationName: string;
  /** Of the demo's admin. */
  readonly token: string;
}

/** Makes the demo where there is no organization yet; else finds it, undefined when there is none or its token is revoked. */
export async function createDemo(kernel: Kernel, today: Date): Promise<Demo | undefined> {
  const deps = kernel.provision;
  if ((await deps.directory.organizations()).length > 0) return findDemo(deps);
  const { organizationId, workspaceUserId, token } = await createOrganization(deps, {
    name: demoName,
    adminName: 'Ada Lindqvist',
    adminEmail,
  });
  const [member] = await Promise.all(people.map((person) => createUser(deps, organizationId, person)));
  const owners = [workspaceUserId, ...(member ? [member.workspaceUserId] : [])];
  await fill(await kernel.desk(organizationId, 'demo', () => {}), owners, today);
  return { organizationName: demoName, token };
}

async function findDemo(deps: ProvisionDeps): Promise<Demo | undefined> {
  const organization = (await deps.directory.organizations()).find(({ name }) => name === demoName);
  if (!organization) return undefined;
  const { tokens } = await listTokens(deps, organization.id);
  const token = tokens.find(({ email, revoked_at }) => email === adminEmail && revoked_at === null);
  return token && { organizationName: demoName, token: await signTokenAgain(deps, organization.id, token.id) };
}

async function fill(desk: Desk, owners: readonly string[], today: Date): Promise<void> {
  // The names and words of three languages are loaded for this one time only.
  const { demoData } = await import('./demo-data.ts');
  const data = demoData({ today, owners });
  const companyIds = await bring(desk, 'companies', data.companies);
  const contactIds = await bring(desk, 'contacts', data.contacts(companyIds));
  await bring(desk, 'opportunities', data.opportunities(companyIds, contactIds));
}

async function bring(desk: Desk, object: string, records: readonly JsonObject[]): Promise<readonly string[]> {
  const outcome = await desk.perform(importRecords, { object, records });
  if (outcome.failed > 0)
    throw new Error(`A demo record of ${object} was refused: ${JSON.stringify(outcome.errors[0])}`);
  return outcome.created_ids;
}
