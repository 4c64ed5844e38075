/** The demo users offered to visitors of this machine: three roles, and what each of them sees. */
import type { TSchema } from 'typebox';
import type { Kernel } from '../kernel.ts';
import { newId } from '../lib/id.ts';
import { sharedAnswer } from '../lib/shared-answer.ts';
import { getMyPermissions } from '../operations/people/me.ts';
import { listRecords } from '../operations/records/records.ts';
import type { Answer, Operation } from '../operations/door/operation.ts';
import type { DemoVisitor, DemoVisitors } from './demo-visitor.ts';

const eyes = [
  { email: 'ada@acme.example', sees: 'Sees and may do everything.' },
  { email: 'diego@acme.example', sees: 'Sees all contacts and companies, and only his own deals.' },
  { email: 'hana@partner.example', sees: 'Sees one industry and no amounts: the fields are not there for her.' },
] as const;

/** How long counts are cached. */
const freshMs = 5_000;

/** The demo users on this database, looked up on demand. */
export function demoVisitors(kernel: Pick<Kernel, 'provision' | 'signIn' | 'sessions' | 'perform'>): DemoVisitors {
  return { people: sharedAnswer(() => findVisitors(kernel), freshMs) };
}

type Deps = Parameters<typeof demoVisitors>[0];

async function findVisitors(deps: Deps): Promise<readonly DemoVisitor[]> {
  const { directory } = deps.provision;
  const organization = await directory.demo();
  if (!organization) return [];
  const found = eyes.map(async ({ email, sees }): Promise<DemoVisitor[]> => {
    const person = await directory.personOf(email);
    if (!person) return [];
    const places = await deps.signIn.workplacesOf(person.id);
    const place = places.find(({ organizationId }) => organizationId === organization.id);
    if (!place) return [];
    const { workspaceUserId, userName: name, roleName: role, organizationName } = place;
    const facts = await factsOf(deps, organization.id, workspaceUserId);
    const at = { organizationId: organization.id, workspaceUserId };
    return [{ personId: person.id, place: at, name, role, organizationName, sees, facts }];
  });
  return (await Promise.all(found)).flat();
}

/** Counts in the person's own name, as the person sees them. */
async function factsOf(
  { sessions, perform }: Deps,
  organizationId: string,
  workspaceUserId: string,
): Promise<DemoVisitor['facts']> {
  const session = await sessions.ofUser(organizationId, { workspaceUserId, tokenId: null });
  const context = { source: 'demo', limitDecisions: [], warnings: [], report: () => {} } as const;
  const performed = <Result extends Answer>(operation: Operation<TSchema, Result>, input: object) =>
    perform(operation, session, () => input, { ...context, changeSet: newId(), warnings: [], limitDecisions: [] });
  const { objects } = await performed(getMyPermissions, {});
  const counted = (['contacts', 'companies', 'opportunities'] as const).map(async (object) => {
    if (!objects[object]) return [];
    const { page } = await performed(listRecords, { object, fields: 'id', limit: 1 });
    return [[label[object], (page?.total ?? 0).toLocaleString('en')] as const];
  });
  const { view, fields = {} } = objects['opportunities'] ?? {};
  const amounts = fields['amount'] === undefined ? 'none' : view === 'all' ? 'all' : 'of the deals seen';
  return [...(await Promise.all(counted)).flat(), ['Amounts', amounts]];
}

const label = { contacts: 'Contacts', companies: 'Companies', opportunities: 'Opportunities' };
