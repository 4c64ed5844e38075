/** Work that finds an organization again after it was moved, which the directory of this process may not know yet. */
import type { Database } from '../postgres/database.ts';
import { sqlState } from '../postgres/failure.ts';
import type { Directory, Organization } from './directory.ts';

/** Where it was remembered, where the directory says, where it was moved to, and one more where it moves again. */
const places = 4;

/** What `work` gives where the organization lies; undefined where there is no such organization. What is done in vain has found no schema, and changed nothing. */
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
      if (looked > 1) await directory.followMove(organization); // this time the directory has been asked
    }
  }
}

/** No such schema or table. */
function isGone(error: unknown): boolean {
  return ['3F000', '42P01'].includes(sqlState(error) ?? '');
}
