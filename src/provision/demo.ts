/** The demo organization that a first start on an empty database makes, so that there is something to look at. */
import type { Call } from '../access/call.ts';
import { newId } from '../lib/id.ts';
import type { JsonObject } from '../lib/json.ts';
import type { ObjectDef } from '../model/model.ts';
import { createOrganization } from './create-organization.ts';
import type { ProvisionDeps } from './deps.ts';
import { localCall } from './local-call.ts';
import { listTokens, signTokenAgain } from './tokens.ts';
import { createUser } from './users.ts';

export const demoName = 'Acme Demo';
const adminEmail = 'ada@acme.example';
const people = [
  { name: 'Ben Okafor', email: 'ben@acme.example', role: 'Member' },
  { name: 'Clara Weiss', email: 'clara@acme.example', role: 'Viewer' },
] as const;

/** The engine's import. */
export type ImportRows = (
  call: Call,
  object: ObjectDef,
  rows: readonly JsonObject[],
  options: { readonly values: 'import'; readonly changeSet: string },
) => Promise<{ readonly createdIds: readonly string[]; readonly failures: readonly { readonly message: string }[] }>;

export interface Demo {
  readonly organizationName: string;
  /** Of the demo's admin. */
  readonly token: string;
}

/** Makes the demo where there is no organization yet; else the same as `findDemo`. */
export async function createDemo(deps: ProvisionDeps, importRows: ImportRows): Promise<Demo | undefined> {
  if ((await deps.directory.organizations()).length > 0) return findDemo(deps);
  const organization = await createOrganization(deps, { name: demoName, adminName: 'Ada Lindqvist', adminEmail });
  const [member] = await Promise.all(people.map((person) => createUser(deps, organization.organizationId, person)));
  const owners = [organization.workspaceUserId, ...(member ? [member.workspaceUserId] : [])];
  await fill(deps, importRows, organization.organizationId, owners);
  return { organizationName: demoName, token: organization.token };
}

/** The demo organization with its admin's token signed anew; undefined when there is none, or the token is revoked. */
export async function findDemo(deps: ProvisionDeps): Promise<Demo | undefined> {
  const organization = (await deps.directory.organizations()).find(({ name }) => name === demoName);
  if (!organization) return undefined;
  const { tokens } = await listTokens(deps, organization.id);
  const token = tokens.find(({ email, revoked_at }) => email === adminEmail && revoked_at === null);
  return token && { organizationName: demoName, token: await signTokenAgain(deps, organization.id, token.id) };
}

async function fill(deps: ProvisionDeps, importRows: ImportRows, organizationId: string, owners: readonly string[]): Promise<void> {
  // The names and words of three languages are loaded for this one time only.
  const { demoData } = await import('./demo-data.ts');
  const call = await localCall(deps, organizationId, 'demo', () => {});
  const changeSet = newId();
  const bring = async (objectName: string, rows: readonly JsonObject[]) => {
    const object = call.model.objects.get(objectName);
    if (!object) throw new Error(`The demo needs the object ${objectName}`);
    const { createdIds, failures } = await importRows(call, object, rows, { values: 'import', changeSet });
    const [failure] = failures;
    if (failure) throw new Error(`A demo record of ${objectName} was refused: ${failure.message}`);
    return createdIds;
  };
  const data = demoData({ today: new Date(call.now), owners });
  const companyIds = await bring('companies', data.companies);
  const contactIds = await bring('contacts', data.contacts(companyIds));
  await bring('opportunities', data.opportunities(companyIds, contactIds));
}
