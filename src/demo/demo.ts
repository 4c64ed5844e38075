/** The demo organization that a first start on an empty database makes, so that there is something to look at. */
import type { Kernel } from '../kernel.ts';
import { createOrganization } from '../provision/create-organization.ts';
import { listTokens, signTokenAgain } from '../provision/tokens.ts';
import type { ObjectSize } from './demo-data.ts';
import { prepareDemo, sizeNow, type Prepared } from './demo-filling.ts';
import { day } from './demo-text.ts';

const demoName = 'Acme Demo';
const admin = { name: 'Ada Lindqvist', email: 'ada@acme.example' };

export interface Demo {
  readonly organizationName: string;
  /** Of the demo's admin; undefined when it was revoked. */
  readonly token: string | undefined;
  /** Of its objects; what they will have where records are still missing. */
  readonly size: readonly ObjectSize[];
  /**
   * Brings the records that are still missing; undefined when there are none. It takes some seconds, in small steps, beside
   * requests. Rejects when `stop` is aborted or the database goes away: the next start goes on.
   */
  readonly complete: ((stop: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Begins the demo where there is no organization yet, or finds it; undefined when there is none. There are records to look
 * at when it returns. `today` is what the dates of a new one go around.
 */
export async function openDemo(
  { provision, desk, pastDesk }: Pick<Kernel, 'provision' | 'desk' | 'pastDesk'>,
  today: Date,
): Promise<Demo | undefined> {
  const { directory } = provision;
  if ((await directory.organizations()).length === 0) {
    await createOrganization(provision, {
      name: demoName,
      adminName: admin.name,
      adminEmail: admin.email,
      demoDay: day(today),
    });
  }
  const unfilled = await directory.unfilledDemo();
  const rest =
    unfilled && (await prepareDemo({ provision, desk, pastDesk }, unfilled.organizationId, new Date(unfilled.day)));
  return findDemo({ provision, desk, pastDesk }, rest);
}

async function findDemo(
  { provision: deps, desk, pastDesk }: Pick<Kernel, 'provision' | 'desk' | 'pastDesk'>,
  rest: Prepared | undefined,
): Promise<Demo | undefined> {
  const organization = await deps.directory.demo();
  if (!organization) return undefined;
  const { tokens } = await listTokens(deps, organization.id);
  const token = tokens.find(({ email, revoked_at }) => email === admin.email && revoked_at === null);
  return {
    organizationName: organization.name,
    token: token && (await signTokenAgain(deps, organization.id, token.id)),
    size: rest?.size ?? (await sizeNow({ provision: deps, desk, pastDesk }, organization.id)),
    complete: rest?.complete,
  };
}
