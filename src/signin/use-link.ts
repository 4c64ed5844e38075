/** Uses a link: signs the person in, after creating the organization or user that the link promises. */
import { theService, type AuditAuthor } from '../audit/event.ts';
import { whereItLies } from '../directory/where-it-lies.ts';
import { newId } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { nameProblem, refuseProblems } from '../provision/checks.ts';
import { makeOrganization } from '../provision/create-organization.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { enterUser } from '../provision/users.ts';
import type { Workplace } from './browser-sessions.ts';
import { badLink, type InvitedTo, type Link, type Links } from './links.ts';
import { workplacesOf } from './workplaces.ts';

/** The person, and where the session begins. */
export interface Entrance {
  readonly personId: string;
  /** Undefined if the person has several organizations, or none. */
  readonly place: Workplace | undefined;
  readonly next: string | undefined;
}

/** The request as the audit names it. */
export type From = Pick<AuditAuthor, 'request' | 'address'>;

/** Uses the link up. Throws UNAUTHORIZED, and VALIDATION_ERROR for an invalid `name`, under which an invitation may be accepted. */
export type UseLink = (secret: string, from: From, name?: string) => Promise<Entrance>;

interface Parts {
  readonly provision: ProvisionDeps;
  readonly links: Links;
  readonly log: Log;
}

/** Makes `UseLink`. If creating fails, the link is made valid again. */
export function linkUser({ provision, links, log }: Parts): UseLink {
  const { directory } = provision;
  return async (secret, from, name) => {
    if (name !== undefined) refuseProblems({ name: nameProblem(name.trim()) });
    const link = await links.use(secret);
    if (!link) throw badLink();
    try {
      const by: AuditAuthor = { ...theService, means: 'api', ...from };
      const place = await enter({ provision, log, by }, link, name?.trim());
      const person = await directory.personOf(link.email);
      if (!person) throw badLink();
      await links.endOthers(link);
      const places = place ? [place] : await workplacesOf(directory, person.id, log);
      return { personId: person.id, place: places.length === 1 ? places[0] : undefined, next: link.details.next };
    } catch (error) {
      await links.giveBack(link.id);
      throw error;
    }
  };
}

interface EnterParts extends Pick<Parts, 'provision' | 'log'> {
  readonly by: AuditAuthor;
}

/** Creates what the link promises; returns the new place, if any. */
async function enter(parts: EnterParts, link: Link, name: string | undefined): Promise<Workplace | undefined> {
  const { provision, log, by } = parts;
  const { email, purpose, details, invitation } = link;
  if (purpose === 'signup') {
    const person = await provision.directory.personOf(email);
    // A person who requested twice gets one organization.
    if (person && (await workplacesOf(provision.directory, person.id, log)).length > 0) return undefined;
    const adminName = details.name ?? '';
    return makeOrganization(provision, { name: details.organizationName ?? '', adminName, adminEmail: email }, by);
  }
  return invitation ? accept(parts, email, invitation, name) : undefined;
}

/** Whether the user is an active admin: an invitation is only valid while its sender may invite. */
export function mayInvite(schema: string, userId: string): Sql {
  return sql`exists (select from ${identifier(schema, '_users')} iu join ${identifier(schema, '_roles')} ir on ir.id = iu.role_id
    where iu.id = ${userId}::uuid and iu.is_active and ir.is_admin)`;
}

/**
 * Creates the invited user. Throws UNAUTHORIZED if the organization or role is gone or the inviter is no admin any more,
 * DUPLICATE_RECORD for an existing user.
 */
async function accept(
  { provision, by }: EnterParts,
  email: string,
  { organizationId, roleId, invitedBy }: InvitedTo,
  name: string | undefined,
): Promise<Workplace> {
  const { directory } = provision;
  const known = await directory.personOf(email);
  const user = { id: newId(), name: name ?? known?.name ?? email.slice(0, 200), email, roleId, isActive: true };
  const subject = { user: user.id, role_id: roleId, invited_by: invitedBy };
  const place = await whereItLies(directory, organizationId, async (database, organization) => {
    const query = sql`select from ${identifier(organization.schema, '_roles')} r
      where r.id = ${roleId}::uuid and ${mayInvite(organization.schema, invitedBy)}`;
    const { rows } = await database.run(organizationId, statement(query));
    if (rows.length === 0) return undefined;
    const event = { action: 'invitation.accepted', subject } as const;
    await enterUser(provision, organization, user, { ...by, actorId: user.id }, { event });
    return { organizationId, workspaceUserId: user.id };
  });
  if (!place) throw badLink();
  return place;
}
