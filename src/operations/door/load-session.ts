/** Loads a caller from the organization's database. */
import type { Caller } from '../../access/caller.ts';
import type { LoadedCaller } from '../../access/load-caller.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organizations.ts';
import { whereItLies } from '../../directory/where-it-lies.ts';
import type { ModelCache } from '../../model/cache.ts';
import type { Model } from '../../model/model.ts';
import type { Database } from '../../postgres/database.ts';

/** A caller, its model and database. */
export interface LoadedSession {
  readonly caller: Caller;
  readonly model: Model;
  readonly database: Database;
}

interface Places {
  readonly directory: Directory;
  readonly models: ModelCache;
}

type Load = (database: Database, organization: Organization) => Promise<LoadedCaller | null>;

/** Loads a caller from the organization's cached location; undefined if there is no such caller. */
export function loadSession(places: Places, organizationId: string, load: Load): Promise<LoadedSession | undefined> {
  return whereItLies(places.directory, organizationId, async (database, organization) => {
    const loaded = await load(database, organization);
    return loaded ? sessionOf(places, organization, database, loaded) : undefined;
  });
}

/** As `loadSession`, but looks up the organization's location again before it returns undefined. */
export async function loadMovedSession(
  places: Places,
  organizationId: string,
  load: Load,
): Promise<LoadedSession | undefined> {
  const session = await loadSession(places, organizationId, load);
  if (session) return session;
  places.directory.forget(organizationId); // it may have the location before a move
  return loadSession(places, organizationId, load);
}

async function sessionOf(
  { models }: Places,
  organization: Organization,
  database: Database,
  loaded: LoadedCaller,
): Promise<LoadedSession> {
  const model = await models.model(database, organization, loaded.modelVersion, loaded.epoch);
  const { userId, workspaceUserId, tokenId, scopes } = loaded;
  const role = model.roles.get(loaded.role.id) ?? loaded.role;
  const { id: organizationId, datasourceId } = organization;
  return { caller: { organizationId, datasourceId, userId, workspaceUserId, role, tokenId, scopes }, model, database };
}
