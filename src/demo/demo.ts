/** The demo organization, which a first start on an empty database creates. */
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
  /** The demo admin's token; undefined if it was revoked. */
  readonly token: string | undefined;
  /** The sizes of its objects when complete. */
  readonly size: readonly ObjectSize[];
  /**
   * Creates the missing records; undefined if there are none. It takes some seconds, in small steps between requests.
   * Rejects if `stop` is aborted or the database fails: the next start continues.
   */
  readonly complete: ((stop: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Creates the demo if there is no organization yet, or finds it; undefined if there is none. Some records exist when it
 * returns. `today` is the centre of a new demo's dates.
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
