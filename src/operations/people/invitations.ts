/** Invitations of new users. The link is only sent by mail and never shown. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { PendingInvitation } from '../../access/organization-gateway.ts';
import { errors, quoted } from '../../errors.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { emailProblem, refuseProblems } from '../../provision/checks.ts';
import { defineOperation } from '../door/operation.ts';
import { Id, Time } from '../outputs.ts';
import { RoleName, roleNamed } from './role-named.ts';

const InvitationOut = Type.Object({
  id: Id,
  email: Type.String(),
  role: Type.String(),
  invited_by: Id,
  created_at: Time,
  expires_at: Time,
});

export const listInvitations = defineOperation({
  id: 'invitations.list',
  summary: 'Invitations that were not accepted, oldest first, including expired ones for a week',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ data: Type.Array(InvitationOut), total: Type.Integer() }),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Seeing invitations',
  personOnly: 'Seeing invitations',
  async run(call) {
    await call.workspace.read();
    const data = (await call.gateway.invitations()).map((one) => invitationOut(call, one));
    return { data, total: data.length };
  },
});

export const createInvitation = defineOperation({
  id: 'invitation.create',
  summary: 'Invite a user by mail; the link works once, for 7 days',
  input: Type.Object({ email: Type.String({ maxLength: 320 }), role: RoleName }, { additionalProperties: false }),
  output: InvitationOut,
  effect: 'external',
  cost: 'global',
  status: 201,
  adminOnly: 'Inviting somebody',
  personOnly: 'Inviting somebody',
  async run(call, { email: given, role: roleName }) {
    const { workspace, model, gateway, me } = call;
    const email = given.trim();
    refuseProblems({ email: emailProblem(email) });
    const role = roleNamed(call, roleName);
    const query = sql`select (select u.name from ${workspace.table('_users')} u where u.id = ${me}::uuid),
      exists (select from ${workspace.table('_users')} u where lower(u.email) = lower(${email}))`;
    const [found] = await workspace.read(statement(query));
    const [inviter, isUser] = found?.rows[0] ?? [];
    if (isUser === 't') {
      const message = `${quoted(email)} is a user here already`;
      throw errors.duplicateRecord(message, [{ field: 'email', message }]);
    }
    await gateway.countInvitation();
    const organizationName = model.organizationName;
    const invitation = { email, roleId: role.id, roleName: role.name, organizationName, inviter: inviter ?? '' };
    // Audited before the mail is sent: a sent mail without an entry would be worse than an entry without a mail.
    const subject = { role_id: role.id };
    await workspace.transaction(async (tx) => call.audit(tx, 'invitation.created', subject));
    return invitationOut(call, await call.sendOut(() => gateway.invite(invitation)));
  },
});

export const withdrawInvitation = defineOperation({
  id: 'invitation.withdraw',
  summary: 'Withdraw an invitation: its link stops working',
  input: Type.Object({ id: Type.String() }, { additionalProperties: false }),
  output: Type.Object({ withdrawn: Type.Boolean() }),
  effect: 'external',
  cost: 'global',
  adminOnly: 'Taking an invitation back',
  personOnly: 'Taking an invitation back',
  async run(call, { id }) {
    await call.workspace.read();
    const found = (await call.gateway.invitations()).find((one) => one.id === id);
    if (!found) throw errors.invitationNotFound(id);
    // Audited first, as above.
    const subject = { role_id: found.roleId, invited_by: found.invitedBy };
    await call.workspace.transaction(async (tx) => call.audit(tx, 'invitation.withdrawn', subject));
    const isGone = await call.sendOut(() => call.gateway.withdrawInvitation(id));
    if (!isGone) throw errors.invitationNotFound(id);
    return { withdrawn: true };
  },
});

function invitationOut({ model }: Pick<Call, 'model'>, invitation: PendingInvitation) {
  const { id, email, roleId, invitedBy, createdAt, expiresAt } = invitation;
  return {
    id,
    email,
    role: model.roles.get(roleId)?.name ?? '',
    invited_by: invitedBy,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  };
}
