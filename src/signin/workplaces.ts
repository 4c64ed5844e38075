/** The organizations of a person: those with an active user, as each organization's own database says. */
import type { Directory, Organization } from '../directory/directory.ts';
import { whereItLies } from '../directory/where-it-lies.ts';
import type { Log } from '../lib/log.ts';
import { messageForLog } from '../lib/thrown.ts';
import type { Row } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import type { Workplace } from './browser-sessions.ts';

export interface NamedWorkplace extends Workplace {
  readonly organizationName: string;
  readonly userName: string;
  readonly roleName: string;
}

/** The most organizations; the oldest are listed. */
const most = 100;

/** The person's organizations, oldest first. One whose database does not answer is left out, and logged. */
export async function workplacesOf(
  directory: Directory,
  personId: string,
  log: Pick<Log, 'warn'>,
): Promise<readonly NamedWorkplace[]> {
  const found: NamedWorkplace[] = [];
  for (const organizationId of await directory.organizationsOf(personId, most)) {
    const query = ({ schema }: Organization) => sql`select u.id, o.name, u.name, r.name
      from ${identifier(schema, '_users')} u join ${identifier(schema, '_roles')} r on r.id = u.role_id
        cross join ${identifier(schema, '_organization')} o
      where u.user_id = ${personId}::uuid and u.is_active and not o.moved`;
    try {
      const [row] = await rowsIn(directory, organizationId, query);
      if (row) found.push(readWorkplace(organizationId, row));
    } catch (error) {
      log.warn(
        { organization: organizationId, reason: messageForLog(error) },
        'An organization does not say who works there',
      );
    }
  }
  return found;
}

/** Queries an organization wherever it lies now; nothing if it does not exist. */
export async function rowsIn(
  directory: Directory,
  organizationId: string,
  query: (organization: Organization) => Sql,
): Promise<readonly Row[]> {
  const rows = await whereItLies(directory, organizationId, async (database, organization) => {
    const [found] = await database.read(organizationId, [statement(query(organization))]);
    return found?.rows;
  });
  return rows ?? [];
}

function readWorkplace(organizationId: string, [userId, organization, user, role]: Row): NamedWorkplace {
  return {
    organizationId,
    workspaceUserId: userId ?? '',
    organizationName: organization ?? '',
    userName: user ?? '',
    roleName: role ?? '',
  };
}
