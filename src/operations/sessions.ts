/** From a bearer token to the caller behind it. What is remembered here is verified by every statement that it is used for. */
import type { Caller } from '../access/caller.ts';
import { loadAdmin, loadCaller, type LoadedCaller } from '../access/load-caller.ts';
import type { TokenUse } from '../access/token-use.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Directory } from '../directory/directory.ts';
import type { Organization } from '../directory/organizations.ts';
import { errors } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Lru } from '../lib/lru.ts';
import type { ModelCache } from '../model/cache.ts';
import type { Model } from '../model/model.ts';
import type { Database } from '../postgres/database.ts';

/** A caller, the model it works on, and where. */
export interface Session {
  readonly caller: Caller;
  readonly model: Model;
  readonly database: Database;
}

export interface Sessions {
  /** The caller behind an `Authorization` header, as remembered. Throws UNAUTHORIZED. */
  open(authorization: string | undefined): Promise<Session>;
  /** The same caller as its organization sees it now. Throws UNAUTHORIZED when the token is no longer good. */
  renew(session: Session): Promise<Session>;
  /** The organization's oldest active admin, for the command line of the machine itself: no token is involved. Throws NOT_FOUND. */
  ofAdmin(organizationId: string): Promise<Session>;
}

interface Parts {
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly models: ModelCache;
  readonly tokenUse: TokenUse;
  readonly clock: Clock;
  readonly log: Log;
}

export function createSessions(parts: Parts): Sessions {
  const { directory, tokens, tokenUse, clock, log } = parts;
  const remembered = new Lru<string, Session>(10_000);

  async function ofToken(tokenId: string, organizationId: string): Promise<Session> {
    let session = await loadSession(parts, tokenId, organizationId);
    if (!session) {
      directory.forget(organizationId); // it may remember where the organization was before it moved
      session = await loadSession(parts, tokenId, organizationId);
    }
    if (!session) {
      remembered.delete(tokenId);
      throw errors.unauthorized();
    }
    remembered.set(tokenId, session);
    return session;
  }

  async function ofAdmin(organizationId: string): Promise<Session> {
    const organization = await directory.requireOrganization(organizationId);
    const database = await directory.databaseOf(organization);
    const admin = await loadAdmin(database, organization);
    if (!admin) throw errors.notFound('The organization has no active admin');
    return sessionOf(parts, organization, database, admin);
  }

  return {
    ofAdmin,
    async open(authorization) {
      const { tokenId, organizationId } = await tokens.verify(bearerToken(authorization));
      const session = remembered.get(tokenId) ?? (await ofToken(tokenId, organizationId));
      const ref = { id: organizationId, schema: session.model.schema };
      tokenUse.note(session.database, ref, tokenId, clock.now()).catch((error: unknown) => {
        log.warn({ error }, 'The last use of a token could not be noted');
      });
      return session;
    },
    renew({ caller: { tokenId, organizationId } }) {
      directory.forget(organizationId);
      return tokenId === null ? ofAdmin(organizationId) : ofToken(tokenId, organizationId);
    },
  };
}

async function loadSession(parts: Parts, tokenId: string, organizationId: string): Promise<Session | undefined> {
  const organization = await parts.directory.organization(organizationId);
  if (!organization) return undefined;
  const database = await parts.directory.databaseOf(organization);
  const loaded = await loadCaller(database, organization, tokenId, parts.clock.now());
  return loaded ? sessionOf(parts, organization, database, loaded) : undefined;
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

function bearerToken(authorization: string | undefined): string {
  const token = authorization?.startsWith('Bearer svc_') ? authorization.slice('Bearer '.length) : undefined;
  if (token === undefined) throw errors.unauthorized();
  return token;
}
