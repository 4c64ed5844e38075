/** The OrganizationGateway over the control schema. */
import type { Caller } from '../../access/caller.ts';
import type { OrganizationGateway, PendingInvitation } from '../../access/organization-gateway.ts';
import { KithError } from '../../errors.ts';
import { hookPath } from '../../lib/url-paths.ts';
import { bucketOf } from '../../limits/buckets.ts';
import { count, RateLimited, type Limiter } from '../../limits/limiter.ts';
import { signRow } from '../../provision/token-row.ts';
import type { Link } from '../../signin/links.ts';
import type { SignIn } from '../../signin/sign-in.ts';
import { soMany } from '../../lib/so-many.ts';

export interface GatewayParts {
  readonly limiter: Limiter | undefined;
  /** Absent in processes without sign-in. */
  readonly signIn?: SignIn;
  /** The public address of the service, if configured. */
  readonly publicUrl?: string | undefined;
}

/** The gateway of the caller's organization. Its methods throw an Error in a process without sign-in. */
export function gatewayOf({ limiter, signIn, publicUrl }: GatewayParts, caller: Caller): OrganizationGateway {
  const { organizationId, workspaceUserId: invitedBy } = caller;
  const requireSignIn = () => {
    if (!signIn) throw new Error('This process has no sign-in');
    return signIn;
  };
  return {
    enterToken: (tokenId) => requireSignIn().provision.directory.addToken(tokenId, organizationId),
    signToken: (row) => signRow(requireSignIn().provision, organizationId, row),
    async enterHook(integrationId, owner) {
      await requireSignIn().provision.directory.enterHooks(organizationId, [{ integrationId, workspaceUserId: owner }]);
    },
    removeHook: (integrationId) => requireSignIn().provision.directory.removeHook(organizationId, integrationId),
    hookUrl: (provider, integrationId) =>
      publicUrl === undefined ? undefined : `${publicUrl}${hookPath(provider, integrationId)}`,
    invitations: async () => (await requireSignIn().links.invitations(organizationId)).flatMap(pendingOf),
    async invite({ email, roleId, roleName, organizationName, inviter }) {
      const { links, outbox } = requireSignIn();
      await links.withdrawAll(organizationId, email);
      const invitation = { organizationId, roleId, invitedBy };
      const { link, secret } = await links.make({ purpose: 'invitation', email, invitation });
      await outbox.add({ kind: 'invitation', email, secret, organizationName, inviter, roleName });
      const [made] = pendingOf(link);
      if (!made) throw new Error('The invitation link has no invitation');
      return made;
    },
    withdrawInvitation: (id) => requireSignIn().links.withdraw(organizationId, id),
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
