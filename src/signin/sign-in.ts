/**
 * Signing in: people request a link by mail and use it. Requests do not reveal whether an address is known, as that is
 * looked up at delivery.
 */
import { theService } from '../audit/event.ts';
import type { Keyring } from '../auth/keys.ts';
import type { Directory } from '../directory/directory.ts';
import { whereItLies } from '../directory/where-it-lies.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql } from '../postgres/sql.ts';
import { leaveAudit } from '../provision/audit.ts';
import { emailProblem, nameProblem, refuseProblems } from '../provision/checks.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { createBrowserSessions, type BrowserSessions, type Workplace } from './browser-sessions.ts';
import { mailComposer } from './compose-mail.ts';
import { createBell, deliver, type SendMail } from './delivery.ts';
import { badLink, createLinks, type InvitedTo, type Link, type Links } from './links.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { linkUser, mayInvite, type From, type UseLink } from './use-link.ts';
import { rowsIn, workplacesOf, type NamedWorkplace } from './workplaces.ts';

/** A valid link, as shown to its owner. */
export interface GoodLink extends Pick<Link, 'purpose' | 'email' | 'expiresAt'> {
  /** For an invitation. */
  readonly organization?: string;
  readonly role?: string;
  readonly inviter?: string;
  /** The person's name, if known. */
  readonly name?: string;
}

export interface SignIn {
  /** Requests a sign-in link. Throws VALIDATION_ERROR for an invalid address. */
  askForLink(email: string, next?: string): Promise<void>;
  /** Requests a signup link. Throws VALIDATION_ERROR for an invalid name or address. */
  askForSignup(given: {
    readonly name: string;
    readonly email: string;
    readonly organizationName: string;
  }): Promise<void>;
  /** The link, which stays usable. Throws UNAUTHORIZED if it is not valid. */
  look(secret: string): Promise<GoodLink>;
  readonly use: UseLink;
  workplacesOf(personId: string): Promise<readonly NamedWorkplace[]>;
  /** Audits that the person signed in or out. Throws UNAUTHORIZED if the organization is gone. */
  audit(place: Workplace, action: 'signin' | 'signout', from: From): Promise<void>;
  readonly sessions: BrowserSessions;
  readonly links: Links;
  readonly outbox: Outbox;
  /** For making tokens and organizations. */
  readonly provision: ProvisionDeps;
  /** Sets the address for links, if only the listening server knows it. */
  servesAt(url: string): void;
  /** The address for links. */
  address(): string;
  /** Delivers mails until stopped. */
  deliver(send: SendMail): () => Promise<void>;
}

interface Parts {
  readonly main: Database;
  readonly provision: ProvisionDeps;
  readonly keyring: Keyring;
  readonly log: Log;
  /** The default address for links. */
  readonly url: string;
  /** Further cleaning up, called now and then. */
  tidy?(): Promise<void>;
}

/** Makes the sign-in of a process. */
export function createSignIn({ main, provision, keyring, log, url, tidy: more }: Parts): SignIn {
  const { directory, clock } = provision;
  const links = createLinks(main, clock);
  const sessions = createBrowserSessions(main, clock, log);
  let base = url;
  const bell = createBell();
  const outbox = createOutbox(main, keyring, clock, bell.ring);
  const compose = mailComposer({ directory, links, log, clock, linkTo: (path) => `${base}${path}` });
  const tidy = async () => void (await Promise.all([links.forget(), sessions.forget(), more?.()]));
  return {
    sessions,
    links,
    outbox,
    provision,
    async askForLink(email, next) {
      const address = email.trim();
      refuseProblems({ email: emailProblem(address) });
      await outbox.add({ kind: 'sign-in', email: address, ...(next !== undefined && { next }) });
    },
    async askForSignup(given) {
      const [name, email, organizationName] = [given.name.trim(), given.email.trim(), given.organizationName.trim()];
      refuseProblems({
        name: nameProblem(name),
        email: emailProblem(email),
        organization_name: nameProblem(organizationName),
      });
      await outbox.add({ kind: 'signup', name, email, organizationName });
    },
    async look(secret) {
      const link = await links.look(secret);
      if (!link) throw badLink();
      const { purpose, email, expiresAt, invitation, details } = link;
      const known = await directory.personOf(email);
      const name = details.name ?? known?.name;
      const told = { purpose, email, expiresAt, ...(name !== undefined && { name }) };
      return invitation ? { ...told, ...(await leadsTo(directory, invitation)) } : told;
    },
    use: linkUser({ provision, links, log }),
    async audit({ organizationId, workspaceUserId }, action, from) {
      const by = { ...theService, means: 'api', actorId: workspaceUserId, ...from } as const;
      const event = { action, subject: { user: workspaceUserId } };
      const isTold = await whereItLies(directory, organizationId, async (database, organization) => {
        await database.transaction(organizationId, (tx) => leaveAudit(provision, tx, organization, by, event));
        return true;
      });
      if (!isTold) throw badLink();
    },
    workplacesOf: (personId) => workplacesOf(directory, personId, log),
    servesAt: (address) => void (base = address),
    address: () => base,
    deliver: (send) => deliver({ outbox, compose, send, clock, log, tidy }, bell.rung),
  };
}

/** The names that an invitation shows. Throws UNAUTHORIZED if its organization or role is gone. */
async function leadsTo(
  directory: Directory,
  { organizationId, roleId, invitedBy }: InvitedTo,
): Promise<Required<Pick<GoodLink, 'organization' | 'role' | 'inviter'>>> {
  const [row] = await rowsIn(
    directory,
    organizationId,
    ({ schema }) => sql`select o.name, r.name, u.name from ${identifier(schema, '_organization')} o
      join ${identifier(schema, '_roles')} r on r.id = ${roleId}::uuid
      join ${identifier(schema, '_users')} u on u.id = ${invitedBy}::uuid
      where ${mayInvite(schema, invitedBy)}`,
  );
  const [organization, role, inviter] = row ?? [];
  if (!organization || !role || !inviter) throw badLink();
  return { organization, role, inviter };
}
