/** The doors of a caller's organization, over the control schema. */
import type { Caller } from '../../access/caller.ts';
import type { Doors, PendingInvitation } from '../../access/doors.ts';
import { KithError } from '../../errors.ts';
import { hookPath } from '../../lib/rest-prefix.ts';
import { bucketOf } from '../../limits/buckets.ts';
import { count, RateLimited, type Limiter } from '../../limits/limiter.ts';
import { signRow } from '../../provision/token-row.ts';
import type { Link } from '../../signin/links.ts';
import type { SignIn } from '../../signin/sign-in.ts';
import { soMany } from '../../lib/so-many.ts';

export interface DoorParts {
  readonly limiter: Limiter | undefined;
  /** Absent where nobody signs in: nothing is made there either. */
  readonly signIn?: SignIn;
  /** The service's address as others see it; absent where the operator has told none. */
  readonly publicUrl?: string | undefined;
}

/** Throws an Error where the process has none. */
export function doorsOf({ limiter, signIn, publicUrl }: DoorParts, caller: Caller): Doors {
  const { organizationId, workspaceUserId: invitedBy } = caller;
  const given = () => {
    if (!signIn) throw new Error('There are no doors here');
    return signIn;
  };
  return {
    enterToken: (tokenId) => given().provision.directory.addToken(tokenId, organizationId),
    signToken: (row) => signRow(given().provision, organizationId, row),
    async enterHook(integrationId, owner) {
      await given().provision.directory.enterHooks(organizationId, [{ integrationId, workspaceUserId: owner }]);
    },
    removeHook: (integrationId) => given().provision.directory.removeHook(organizationId, integrationId),
    hookUrl: (provider, integrationId) =>
      publicUrl === undefined ? undefined : `${publicUrl}${hookPath(provider, integrationId)}`,
    invitations: async () => (await given().links.invitations(organizationId)).flatMap(pendingOf),
    async invite({ email, roleId, roleName, organizationName, inviter }) {
      const { links, outbox } = given();
      await links.withdrawAll(organizationId, email);
      const invitation = { organizationId, roleId, invitedBy };
      const { link, secret } = await links.make({ purpose: 'invitation', email, invitation });
      await outbox.add({ kind: 'invitation', email, secret, organizationName, inviter, roleName });
      const [made] = pendingOf(link);
      if (!made) throw new Error('An invitation leads nowhere');
      return made;
    },
    withdrawInvitation: (id) => given().links.withdraw(organizationId, id),
    async countInvitation() {
      try {
        await count(limiter, [bucketOf('auth:invite-send', caller)], []);
      } catch (error) {
        if (!(error instanceof RateLimited)) throw error;
        const { limit, retryAfterSeconds } = error.decision;
        throw new KithError(
          'RATE_LIMITED',
          `The organization has sent ${soMany(limit, 'invitation')} within the hour: send the next one in ${soMany(Math.ceil(retryAfterSeconds / 60), 'minute')}`,
        );
      }
    },
  };
}

function pendingOf({ id, email, invitation, createdAt, expiresAt }: Link): PendingInvitation[] {
  return invitation
    ? [{ id, email, roleId: invitation.roleId, invitedBy: invitation.invitedBy, createdAt, expiresAt }]
    : [];
}
