/** From a bearer token, or a browser's session, to the caller behind it. What is remembered here is verified by every statement that it is used for. */
import type { Caller } from '../../access/caller.ts';
import { loadAdmin, loadCaller, loadUser, type LoadedCaller } from '../../access/load-caller.ts';
import type { TokenUse } from '../../access/token-use.ts';
import { verifyPresented } from '../../auth/presented.ts';
import type { Tokens } from '../../auth/tokens.ts';
import type { Directory } from '../../directory/directory.ts';
import { whereItLies } from '../../directory/where-it-lies.ts';
import type { Organization } from '../../directory/organizations.ts';
import { notGenuine } from '../../channels/provider-hooks.ts';
import { errors, KithError } from '../../errors.ts';
import type { InNameOf } from '../../jobs/job.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { bytesOfText, Lru } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { ModelCache } from '../../model/cache.ts';
import type { Model } from '../../model/model.ts';
import type { Database } from '../../postgres/database.ts';
import type { BrowserSession, BrowserSessions } from '../../signin/browser-sessions.ts';

/** A caller, the model it works on, and where. */
export interface Session {
  readonly caller: Caller;
  readonly model: Model;
  readonly database: Database;
  /** Of a job in a user's name: whose it stays, whoever else may do more. */
  readonly inNameOf?: InNameOf;
}

/** What a caller is found again by. */
export interface KnownBy extends Pick<Session, 'inNameOf'> {
  readonly caller: Pick<Caller, 'organizationId' | 'tokenId' | 'sessionId'>;
}

export interface Sessions {
  /** The caller behind an `Authorization` header, as remembered; `connection` is on which it came. Throws UNAUTHORIZED. */
  open(authorization: string | undefined, connection?: object): Promise<Session>;
  /** The signed-in person of a browser's session, where it works now. Throws UNAUTHORIZED where it is no user there, or works nowhere yet. */
  ofBrowser(browser: BrowserSession): Promise<Session>;
  /** The same caller as its organization sees it now. Throws UNAUTHORIZED when the token, or the browser's session, is no longer good. */
  renew(session: KnownBy): Promise<Session>;
  /** Looks the caller up anew when it comes again: its database did not answer, and the organization may be elsewhere. */
  invalidate(session: Session): void;
  /** The organization's oldest active admin, for the command line of the machine itself: no token is involved. Throws NOT_FOUND. */
  ofAdmin(organizationId: string): Promise<Session>;
  /** The user in whose name a job runs, as the organization sees that user now, never another. Throws UNAUTHORIZED, which says why. */
  ofUser(organizationId: string, inNameOf: InNameOf): Promise<Session>;
  /** Whose the account is that a provider calls in for: nothing says yet that it is the provider. Throws UNAUTHORIZED, always the same. */
  ofHook(integrationId: string): Promise<Session>;
}

interface Parts {
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly models: ModelCache;
  readonly tokenUse: TokenUse;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent where nobody signs in. */
  readonly browserSessions?: Pick<BrowserSessions, 'byId'>;
}

const invalidateEveryMs = 1_000;

/** One for a process: what it remembers of callers is bounded, also for each organization. */
export function createSessions(parts: Parts): Sessions {
  const { directory, tokens, models, clock } = parts;
  const remembered = new OwnedLru<string, Session>({
    name: 'sessions',
    maxBytes: 32 * 1024 * 1024,
    maxOwnerBytes: 8 * 1024 * 1024,
    bytesOf: () => 3_000, // beside the ids, the statement that checks whether all of it still holds
  });
  const invalidated = new Lru<string, number>({ name: 'invalidations', maxBytes: 1024 * 1024, bytesOf: bytesOfText });
  const presented = verifyPresented(tokens, clock);
  models.onForgotten((organizationId) => remembered.forget(organizationId));

  async function ofToken(tokenId: string, organizationId: string): Promise<Session> {
    const load = (database: Database, organization: Organization) =>
      loadCaller(database, organization, tokenId, clock.now());
    let session = await loadSession(parts, organizationId, load);
    if (!session) {
      directory.forget(organizationId); // it may remember where the organization was before it moved
      session = await loadSession(parts, organizationId, load);
    }
    if (!session) {
      remembered.delete(organizationId, tokenId);
      throw errors.unauthorized();
    }
    // It would keep a model alive that nobody has accounted for.
    if (models.remembered(organizationId) === session.model) remembered.set(organizationId, tokenId, session);
    return session;
  }

  async function ofAdmin(organizationId: string): Promise<Session> {
    await directory.requireOrganization(organizationId);
    const session = await loadSession(parts, organizationId, loadAdmin);
    if (!session) throw errors.notFound('The organization has no active admin');
    return session;
  }

  async function ofUser(organizationId: string, inNameOf: InNameOf): Promise<Session> {
    const { workspaceUserId, tokenId } = inNameOf;
    const load = (database: Database, organization: Organization) =>
      tokenId === null
        ? loadUser(database, organization, workspaceUserId)
        : loadCaller(database, organization, tokenId, clock.now());
    const session = await loadSession(parts, organizationId, load);
    if (session?.caller.workspaceUserId !== workspaceUserId)
      throw errors.unauthorized(tokenId === null ? inactive : ended);
    return { ...session, inNameOf };
  }

  async function ofBrowser({ id, personId, place }: BrowserSession, isFresh = false): Promise<Session> {
    if (!place) throw errors.unauthorized('You are signed in and work in no organization yet: choose one');
    const { organizationId, workspaceUserId } = place;
    const key = keyOf({ tokenId: null, sessionId: id }) ?? '';
    const known = isFresh ? undefined : remembered.get(organizationId, key);
    if (known?.caller.workspaceUserId === workspaceUserId) return known;
    const load = (database: Database, organization: Organization) => loadUser(database, organization, workspaceUserId);
    let loaded = await loadSession(parts, organizationId, load);
    if (!loaded) {
      directory.forget(organizationId);
      loaded = await loadSession(parts, organizationId, load);
    }
    if (loaded?.caller.userId !== personId) {
      remembered.delete(organizationId, key);
      throw errors.unauthorized('You are signed in, and are no active user of this organization: choose another one');
    }
    const session = { ...loaded, caller: { ...loaded.caller, sessionId: id } };
    if (models.remembered(organizationId) === session.model) remembered.set(organizationId, key, session);
    return session;
  }

  /** What was meant for one organization is not done in another, which the person has chosen meanwhile. */
  async function ofBrowserAgain(sessionId: string, organizationId: string): Promise<Session> {
    const browser = await parts.browserSessions?.byId(sessionId);
    if (!browser) throw errors.unauthorized('You are not signed in any more');
    if (browser.place?.organizationId !== organizationId)
      throw errors.unauthorized('You work in another organization by now');
    return ofBrowser(browser, true);
  }

  async function ofHook(integrationId: string): Promise<Session> {
    const place = await directory.hookPlace(integrationId);
    if (!place) throw notGenuine();
    const { organizationId, workspaceUserId } = place;
    return ofUser(organizationId, { workspaceUserId, tokenId: null }).catch((error: unknown) => {
      throw error instanceof KithError && error.code === 'UNAUTHORIZED' ? notGenuine() : error;
    });
  }

  return {
    ofAdmin,
    ofUser,
    ofHook,
    ofBrowser,
    async open(authorization, connection) {
      const { tokenId, organizationId } = await presented(authorization, connection);
      const session = remembered.get(organizationId, tokenId) ?? (await ofToken(tokenId, organizationId));
      noteUse(parts, session, tokenId);
      return session;
    },
    invalidate({ caller }) {
      const { organizationId } = caller;
      // Where all are refused because all is busy, looking again would only add to it.
      if (clock.now() - (invalidated.get(organizationId) ?? 0) < invalidateEveryMs) return;
      invalidated.set(organizationId, clock.now());
      directory.forget(organizationId);
      const key = keyOf(caller);
      if (key !== undefined) remembered.delete(organizationId, key);
    },
    renew({ caller: { tokenId, sessionId, organizationId }, inNameOf }) {
      directory.forget(organizationId);
      if (inNameOf) return ofUser(organizationId, inNameOf);
      if (sessionId !== undefined) return ofBrowserAgain(sessionId, organizationId);
      return tokenId === null ? ofAdmin(organizationId) : ofToken(tokenId, organizationId);
    },
  };
}

function noteUse({ tokenUse, clock, log }: Parts, { database, model }: Session, tokenId: string): void {
  const { organizationId: id, schema } = model;
  tokenUse.note(database, { id, schema }, tokenId, clock.now())?.catch((error: unknown) => {
    log.warn({ error }, 'The last use of a token could not be noted');
  });
}

/** By which a caller is remembered. An id of a token has no space. */
function keyOf({ tokenId, sessionId }: Pick<Caller, 'tokenId' | 'sessionId'>): string | undefined {
  return tokenId ?? (sessionId === undefined ? undefined : `browser ${sessionId}`);
}

const inactive = 'The user in whose name this runs is not active any more';
const ended = 'The token in whose name this runs is revoked or expired, or its user is not active any more';

type Load = (database: Database, organization: Organization) => Promise<LoadedCaller | null>;

/** Loads where the organization lies. */
function loadSession(parts: Parts, organizationId: string, load: Load): Promise<Session | undefined> {
  return whereItLies(parts.directory, organizationId, async (database, organization) => {
    const loaded = await load(database, organization);
    return loaded ? sessionOf(parts, organization, database, loaded) : undefined;
  });
}

async function sessionOf(
  { models }: Parts,
  organization: Organization,
  database: Database,
  loaded: LoadedCaller,
): Promise<Session> {
  const model = await models.model(database, organization, loaded.modelVersion, loaded.epoch);
  const { userId, workspaceUserId, tokenId, scopes } = loaded;
  const role = model.roles.get(loaded.role.id) ?? loaded.role;
  const { id: organizationId, datasourceId } = organization;
  return { caller: { organizationId, datasourceId, userId, workspaceUserId, role, tokenId, scopes }, model, database };
}
