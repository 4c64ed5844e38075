/** Work that finds an organization after a move that this process's directory may not know yet. */
import type { Database } from '../postgres/database.ts';
import { sqlState } from '../postgres/failure.ts';
import type { Directory, Organization } from './directory.ts';

/** Attempts: the cached place, the directory's, the move's target, and one for another move. */
const places = 4;

/**
 * The result of `work` where the organization is; undefined where it does not exist. A failed attempt found no
 * schema, and changed nothing.
 */
export async function whereItLies<T>(
  directory: Pick<Directory, 'organization' | 'databaseOf' | 'forget' | 'followMove'>,
  organizationId: string,
  work: (database: Database, organization: Organization) => Promise<T>,
): Promise<T | undefined> {
  for (let looked = 1; ; looked++) {
    const organization = await directory.organization(organizationId);
    if (!organization) return undefined;
    try {
      return await work(await directory.databaseOf(organization), organization);
    } catch (error) {
      directory.forget(organizationId);
      if (!isGone(error) || looked === places) throw error;
      if (looked > 1) await directory.followMove(organization); // the directory was already read anew
    }
  }
}

/** No such schema or table. */
function isGone(error: unknown): boolean {
  return ['3F000', '42P01'].includes(sqlState(error) ?? '');
}
