/**
 * How people come in: they ask for a link, are sent it, and use it. Nothing that is asked tells whether an address is known: what
 * is done about it is found out when the mail is delivered.
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

/** A link that is good, as its owner is told of it. */
export interface GoodLink extends Pick<Link, 'purpose' | 'email' | 'expiresAt'> {
  /** Of an invitation. */
  readonly organization?: string;
  readonly role?: string;
  readonly inviter?: string;
  /** What the person is called, where that is known. */
  readonly name?: string;
}

export interface SignIn {
  /** Throws VALIDATION_ERROR for what is no address. */
  askForLink(email: string, next?: string): Promise<void>;
  /** Throws VALIDATION_ERROR for a bad name or address. */
  askForSignup(given: {
    readonly name: string;
    readonly email: string;
    readonly organizationName: string;
  }): Promise<void>;
  /** Throws UNAUTHORIZED for a link that is not good. It stays so. */
  look(secret: string): Promise<GoodLink>;
  readonly use: UseLink;
  workplacesOf(personId: string): Promise<readonly NamedWorkplace[]>;
  /** Leaves in the audit of the person's organization that the person came or went. Throws UNAUTHORIZED where there is none. */
  tell(place: Workplace, action: 'signin' | 'signout', from: From): Promise<void>;
  readonly sessions: BrowserSessions;
  readonly links: Links;
  readonly outbox: Outbox;
  /** What tokens and organizations are made with. */
  readonly provision: ProvisionDeps;
  /** Tells what address links lead to, where only the server that listens knows. */
  servesAt(url: string): void;
  /** Where links lead. */
  address(): string;
  /** Delivers mails until it is stopped. */
  deliver(send: SendMail): () => Promise<void>;
}

interface Parts {
  readonly main: Database;
  readonly provision: ProvisionDeps;
  readonly keyring: Keyring;
  readonly log: Log;
  /** Where links lead, unless told. */
  readonly url: string;
  /** Done beside what this removes itself, once in a while. */
  tidy?(): Promise<void>;
}

/** One for a process. */
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
    async tell({ organizationId, workspaceUserId }, action, from) {
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

/** How an invitation is told. Throws UNAUTHORIZED where what it leads to is not there any more. */
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
