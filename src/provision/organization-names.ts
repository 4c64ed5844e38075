/** The current names of organizations, from their own settings: the directory has the names at creation. */
import type { Directory, Organization } from '../directory/directory.ts';
import { KithError } from '../errors.ts';
import type { Database } from '../postgres/database.ts';
import { sqlState } from '../postgres/failure.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';

export interface NamedOrganizations {
  /** Oldest first. */
  readonly organizations: readonly Organization[];
  /** Datasources that did not answer: their organizations are listed with the names at creation. */
  readonly away: readonly string[];
}

const noSuchTable = '42P01';

/** Concurrent reads per cluster. */
const atOnce = 50;

/** All ready organizations with their current names. */
export async function organizationsByName(directory: Directory): Promise<NamedOrganizations> {
  const organizations = await directory.organizations();
  const away: string[] = [];
  const names = new Map<string, string>();
  for (const { id, name } of await directory.datasources()) {
    const placed = organizations.filter(({ datasourceId }) => datasourceId === id);
    if (placed.length > 0 && !(await readNames(directory, placed, names))) away.push(name);
  }
  return {
    organizations: organizations.map((organization) => ({
      ...organization,
      name: names.get(organization.id) ?? organization.name,
    })),
    away,
  };
}

/** Adds the names of one datasource's organizations; false where it does not answer. */
async function readNames(
  directory: Directory,
  [...waiting]: readonly Organization[],
  names: Map<string, string>,
): Promise<boolean> {
  try {
    const [first] = waiting;
    if (!first) return true;
    const database = await directory.databaseOf(first);
    const worker = async () => {
      for (let organization = waiting.shift(); organization; organization = waiting.shift()) {
        const name = await nameOf(database, organization);
        if (name !== undefined) names.set(organization.id, name);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return true;
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== 'UNAVAILABLE') throw error;
    return false;
  }
}

/** Undefined where the schema is gone: the organization is moving. */
async function nameOf(database: Database, { id, schema }: Organization): Promise<string | undefined> {
  const query = sql`select name from ${identifier(schema, '_organization')}`;
  try {
    const [found] = await database.read(id, [statement(query)]);
    return found?.rows[0]?.[0] ?? undefined;
  } catch (error) {
    if (sqlState(error) === noSuchTable) return undefined;
    throw error;
  }
}
