/** Finds the caller of a bearer token or a browser session. Cached callers are verified by each statement that uses them. */
import type { Caller } from '../../access/caller.ts';
import { loadAdmin, loadCaller, loadUser } from '../../access/load-caller.ts';
import type { TokenUse } from '../../access/token-use.ts';
import { verifyPresented } from '../../auth/presented.ts';
import type { Tokens, VerifiedToken } from '../../auth/tokens.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organizations.ts';
import { notGenuine } from '../../channels/provider-hooks.ts';
import { errors, KithError } from '../../errors.ts';
import type { InNameOf } from '../../jobs/job.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ModelCache } from '../../model/cache.ts';
import type { Database } from '../../postgres/database.ts';
import type { BrowserSession, BrowserSessions } from '../../signin/browser-sessions.ts';
import { loadMovedSession, loadSession, type LoadedSession } from './load-session.ts';
import { rememberSessions, type RememberedSessions } from './remembered-sessions.ts';

/** A caller, as the door takes it. */
export interface Session extends LoadedSession {
  /** The user and token that a job runs for; `renew` uses them again. */
  readonly inNameOf?: InNameOf;
}

/** What `renew` needs to find a caller again. */
export interface KnownBy extends Pick<Session, 'inNameOf'> {
  readonly caller: Pick<Caller, 'organizationId' | 'tokenId' | 'sessionId'>;
}

export interface Sessions {
  /** The caller of an `Authorization` header, possibly cached; `connection` is the socket on which it came. Throws UNAUTHORIZED. */
  open(authorization: string | undefined, connection?: object): Promise<Session>;
  /**
   * The signed-in person of a browser session, in its current organization. Throws UNAUTHORIZED if the person is not a user
   * there or has no current organization.
   */
  ofBrowser(browser: BrowserSession): Promise<Session>;
  /** Loads the caller again. Throws UNAUTHORIZED if the token or browser session is no longer valid. */
  renew(session: KnownBy): Promise<Session>;
  /** Drops the cached caller and the organization's location, because the database did not answer. */
  invalidate(session: Session): void;
  /** The organization's oldest active admin, for the command line; no token is involved. Throws NOT_FOUND. */
  ofAdmin(organizationId: string): Promise<Session>;
  /** The user that a job runs for, as it is now. Throws UNAUTHORIZED with the reason. */
  ofUser(organizationId: string, inNameOf: InNameOf): Promise<Session>;
  /**
   * The owner of the account that a hook request names; the request is not verified yet. Throws UNAUTHORIZED, always with
   * the same message.
   */
  ofHook(integrationId: string): Promise<Session>;
}

interface Parts {
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly models: ModelCache;
  readonly tokenUse: TokenUse;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent in processes without sign-in. */
  readonly browserSessions?: Pick<BrowserSessions, 'byId'>;
}

interface Working extends Parts {
  readonly remembered: RememberedSessions;
}

/** Makes the sessions of a process, with a bounded cache. */
export function createSessions(given: Parts): Sessions {
  const parts: Working = { ...given, remembered: rememberSessions(given) };
  const { directory, remembered } = parts;
  const presented = verifyPresented(parts.tokens, parts.clock);
  return {
    ofAdmin: (organizationId) => ofAdmin(parts, organizationId),
    ofUser: (organizationId, inNameOf) => ofUser(parts, organizationId, inNameOf),
    ofHook: (integrationId) => ofHook(parts, integrationId),
    ofBrowser: (browser) => ofBrowser(parts, browser),
    async open(authorization, connection) {
      const token = await presented(authorization, connection);
      const session = remembered.get(token) ?? (await ofToken(parts, token));
      noteUse(parts, session, token.tokenId);
      return session;
    },
    invalidate: ({ caller }) => remembered.invalidate(caller),
    renew({ caller: { tokenId, sessionId, organizationId }, inNameOf }) {
      directory.forget(organizationId);
      if (inNameOf) return ofUser(parts, organizationId, inNameOf);
      if (sessionId !== undefined) return ofBrowserAgain(parts, sessionId, organizationId);
      return tokenId === null ? ofAdmin(parts, organizationId) : ofToken(parts, { tokenId, organizationId });
    },
  };
}

type Token = Pick<VerifiedToken, 'tokenId' | 'organizationId'>;

async function ofToken(parts: Working, token: Token): Promise<Session> {
  const { remembered, clock } = parts;
  const load = (database: Database, organization: Organization) =>
    loadCaller(database, organization, token.tokenId, clock.now());
  const session = await loadMovedSession(parts, token.organizationId, load);
  if (!session) {
    remembered.forget(token);
    throw errors.unauthorized();
  }
  remembered.put(session);
  return session;
}

async function ofAdmin(parts: Working, organizationId: string): Promise<Session> {
  await parts.directory.requireOrganization(organizationId);
  const session = await loadSession(parts, organizationId, loadAdmin);
  if (!session) throw errors.notFound('The organization has no active admin');
  return session;
}

const inactive = 'The user in whose name this runs is not active any more';
const ended = 'The token in whose name this runs is revoked or expired, or its user is not active any more';

async function ofUser(parts: Working, organizationId: string, inNameOf: InNameOf): Promise<Session> {
  const { workspaceUserId, tokenId } = inNameOf;
  const load = (database: Database, organization: Organization) =>
    tokenId === null
      ? loadUser(database, organization, workspaceUserId)
      : loadCaller(database, organization, tokenId, parts.clock.now());
  const session = await loadSession(parts, organizationId, load);
  if (session?.caller.workspaceUserId !== workspaceUserId)
    throw errors.unauthorized(tokenId === null ? inactive : ended);
  return { ...session, inNameOf };
}

async function ofBrowser(parts: Working, browser: BrowserSession, isFresh = false): Promise<Session> {
  const { id, personId, place } = browser;
  if (!place) throw errors.unauthorized('You are signed in and work in no organization yet: choose one');
  const { organizationId, workspaceUserId } = place;
  const person = { organizationId, tokenId: null, sessionId: id };
  const known = isFresh ? undefined : parts.remembered.get(person);
  if (known?.caller.workspaceUserId === workspaceUserId) return known;
  const load = (database: Database, organization: Organization) => loadUser(database, organization, workspaceUserId);
  const loaded = await loadMovedSession(parts, organizationId, load);
  if (loaded?.caller.userId !== personId) {
    parts.remembered.forget(person);
    throw errors.unauthorized('You are signed in, and are no active user of this organization: choose another one');
  }
  const session = { ...loaded, caller: { ...loaded.caller, sessionId: id } };
  parts.remembered.put(session);
  return session;
}

/** Throws UNAUTHORIZED if the person has switched to another organization meanwhile. */
async function ofBrowserAgain(parts: Working, sessionId: string, organizationId: string): Promise<Session> {
  const browser = await parts.browserSessions?.byId(sessionId);
  if (!browser) throw errors.unauthorized('You are not signed in any more');
  if (browser.place?.organizationId !== organizationId)
    throw errors.unauthorized('You work in another organization by now');
  return ofBrowser(parts, browser, true);
}

async function ofHook(parts: Working, integrationId: string): Promise<Session> {
  const place = await parts.directory.hookPlace(integrationId);
  if (!place) throw notGenuine();
  const { organizationId, workspaceUserId } = place;
  return ofUser(parts, organizationId, { workspaceUserId, tokenId: null }).catch((error: unknown) => {
    throw error instanceof KithError && error.code === 'UNAUTHORIZED' ? notGenuine() : error;
  });
}

function noteUse({ tokenUse, clock, log }: Parts, { database, model }: Session, tokenId: string): void {
  const { organizationId: id, schema } = model;
  tokenUse.note(database, { id, schema }, tokenId, clock.now())?.catch((error: unknown) => {
    log.warn({ error }, 'The last use of a token could not be noted');
  });
}
