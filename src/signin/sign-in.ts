/**
 * How people come in: they ask for a link, are sent it, and use it. Nothing that is asked tells whether an address is known: what
 * is done about it is found out when the mail is delivered.
 */
import { theService, type AuditAuthor, type AuditEvent } from '../audit/event.ts';
import type { Directory } from '../directory/directory.ts';
import { errors } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import type { Keyring } from '../auth/keys.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql } from '../postgres/sql.ts';
import { emailProblem, nameProblem, refuseProblems } from '../provision/checks.ts';
import { leaveAudit } from '../provision/audit.ts';
import { makeOrganization } from '../provision/create-organization.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { enterUser } from '../provision/users.ts';
import { createBrowserSessions, type BrowserSessions, type Workplace } from './browser-sessions.ts';
import { deliver, type Mail, type SendMail } from './delivery.ts';
import { createLinks, lifetimesMs, type InvitedTo, type Link, type Links } from './links.ts';
import { invitationText, knownText, signInText, signupText } from './mail-texts.ts';
import { createOutbox, type MailOrder, type Outbox } from './outbox.ts';
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

/** Who came in, and where to. */
export interface Entrance {
  readonly personId: string;
  /** Undefined where there are several organizations to choose from, or none. */
  readonly place: Workplace | undefined;
  readonly next: string | undefined;
}

/** The request by which somebody came, as the audit names it. */
export type From = Pick<AuditAuthor, 'request' | 'address'>;

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
  /** Uses the link up. Throws UNAUTHORIZED; and VALIDATION_ERROR for a bad name, with which an invitation may be accepted. */
  use(secret: string, from: From, name?: string): Promise<Entrance>;
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
}

/** To one address, within the time that a link lives. */
const mostLinks = 15;

/** One for a process. */
export function createSignIn({ main, provision, keyring, log, url }: Parts): SignIn {
  const { directory, clock } = provision;
  const links = createLinks(main, clock);
  const sessions = createBrowserSessions(main, clock);
  let base = url;
  const bell = createBell();
  const outbox = createOutbox(main, keyring, clock, bell.ring);
  const compose = composer({ directory, links, log, clock, linkTo: (path) => `${base}${path}` });
  const used = userOf({ provision, links, log });
  const tidy = async () => void (await Promise.all([links.forget(), sessions.forget()]));
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
      const { name, email, organizationName } = trimmed(given);
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
    use: used,
    tell: ({ organizationId, workspaceUserId }, action, from) =>
      tellAudit(
        provision,
        organizationId,
        { ...theService, means: 'api', actorId: workspaceUserId, ...from },
        {
          action,
          subject: { user: workspaceUserId },
        },
      ),
    workplacesOf: (personId) => workplacesOf(directory, personId, log),
    servesAt: (address) => void (base = address),
    deliver: (send) => deliver({ outbox, compose, send, clock, log, tidy }, bell.rung),
  };
}

/** Resolves who waits when it is rung; and whoever waits next, where nobody did. */
function createBell() {
  let isRung = false;
  let wake = () => {};
  return {
    ring() {
      isRung = true;
      wake();
    },
    rung: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        wake = () => {
          isRung = false;
          resolve();
        };
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (isRung) wake();
      }),
  };
}

function trimmed<Given extends Readonly<Record<string, string>>>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).map(([key, text]) => [key, text.trim()])) as Given;
}

interface ComposerParts extends Pick<ProvisionDeps, 'directory' | 'clock'> {
  readonly links: Links;
  readonly log: Log;
  linkTo(path: string): string;
}

/** Makes the mail of an order; nothing for a sign-in of somebody who is not known. */
function composer({ directory, links, log, clock, linkTo }: ComposerParts) {
  const isKnown = async (email: string) => {
    const person = await directory.personOf(email);
    return person !== undefined && (await workplacesOf(directory, person.id, log)).length > 0;
  };
  return async (order: MailOrder): Promise<Omit<Mail, 'id'> | undefined> => {
    const { kind, email } = order;
    if (kind === 'invitation') {
      // It may have been taken back meanwhile.
      if (!(await links.look(order.secret))) return undefined;
      return { to: email, ...invitationText(linkTo(`/invite?token=${order.secret}`), order) };
    }
    if ((await links.countSince(email.toLowerCase(), clock.now() - lifetimesMs['sign-in'])) >= mostLinks)
      return undefined;
    const known = await isKnown(email);
    if (kind === 'signup' && known) return { to: email, ...knownText(linkTo('/signin')) };
    if (kind === 'sign-in' && !known) return undefined;
    const details = kind === 'signup' ? { name: order.name, organizationName: order.organizationName } : nextOf(order);
    const { secret } = await links.make({ purpose: kind, email, details });
    const link = linkTo(`/signin/link?token=${secret}`);
    return { to: email, ...(kind === 'signup' ? signupText(link) : signInText(link)) };
  };
}

function nextOf({ next }: { readonly next?: string }): { readonly next?: string } {
  return next === undefined ? {} : { next };
}

interface UserParts {
  readonly provision: ProvisionDeps;
  readonly links: Links;
  readonly log: Log;
}

/** What a link does when it is used. Where that fails, the link is good again. */
function userOf({ provision, links, log }: UserParts): SignIn['use'] {
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
      await links.endOthers(link.email);
      const places = place ? [place] : await workplacesOf(directory, person.id, log);
      return {
        personId: person.id,
        place: places.length === 1 ? places[0] : undefined,
        next: link.details.next,
      };
    } catch (error) {
      await links.giveBack(link.id);
      throw error;
    }
  };
}

interface EnterParts {
  readonly provision: ProvisionDeps;
  readonly log: Log;
  readonly by: AuditAuthor;
}

/** Makes what the link promises; the place where that was, if it is a new one. */
async function enter(parts: EnterParts, link: Link, name: string | undefined): Promise<Workplace | undefined> {
  const { provision, log, by } = parts;
  const { email, purpose, details, invitation } = link;
  if (purpose === 'signup') {
    const person = await provision.directory.personOf(email);
    // Whoever asked twice gets one organization.
    if (person && (await workplacesOf(provision.directory, person.id, log)).length > 0) return undefined;
    const adminName = details.name ?? '';
    return makeOrganization(provision, { name: details.organizationName ?? '', adminName, adminEmail: email }, by);
  }
  return invitation ? accept(parts, email, invitation, name) : undefined;
}

/** Throws UNAUTHORIZED where the organization or the role is not there any more, DUPLICATE_RECORD for who is a user already. */
async function accept(
  { provision, by }: EnterParts,
  email: string,
  { organizationId, roleId, invitedBy }: InvitedTo,
  name: string | undefined,
): Promise<Workplace> {
  const { directory } = provision;
  const organization = await directory.organization(organizationId);
  const [role] = await rowsIn(
    directory,
    organizationId,
    ({ schema }) => sql`select id from ${identifier(schema, '_roles')} where id = ${roleId}::uuid`,
  );
  if (!organization || !role) throw badLink();
  const known = await directory.personOf(email);
  const called = name ?? known?.name ?? email.slice(0, 200);
  const user = { name: called, email, roleId, isActive: true };
  const { workspaceUserId } = await enterUser(provision, organization, user, by);
  const subject = { user: workspaceUserId, role_id: roleId, invited_by: invitedBy };
  await tellAudit(
    provision,
    organizationId,
    { ...by, actorId: workspaceUserId },
    { action: 'invitation.accepted', subject },
  );
  return { organizationId, workspaceUserId };
}

/** Leaves an entry in the organization's audit. Throws UNAUTHORIZED where the organization is not there any more. */
async function tellAudit(
  provision: ProvisionDeps,
  organizationId: string,
  by: AuditAuthor,
  event: AuditEvent,
): Promise<void> {
  const organization = await provision.directory.organization(organizationId);
  if (!organization) throw badLink();
  const database = await provision.directory.databaseOf(organization);
  await database.transaction(organizationId, (tx) => leaveAudit(provision, tx, organization, by, event));
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
      join ${identifier(schema, '_users')} u on u.id = ${invitedBy}::uuid`,
  );
  const [organization, role, inviter] = row ?? [];
  if (!organization || !role || !inviter) throw badLink();
  return { organization, role, inviter };
}

/** Which reason it has, nobody is told. */
const badLink = () => errors.unauthorized('The link is not valid: it is unknown, used or expired');
