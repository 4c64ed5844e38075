/** The end of an organization. */
import type { Directory } from '../directory/directory.ts';
import type { OrganizationPlace } from '../directory/moves.ts';
import { errors } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import { sqlState } from '../postgres/failure.ts';
import type { ProvisionDeps } from './deps.ts';

export interface DeletedOrganization {
  readonly organizationId: string;
  readonly name: string;
  readonly deleted: true;
}

/**
 * Removes the organization whose present name is `name`: first nobody finds it, then its data goes. Throws NOT_FOUND, and
 * CONFLICT while it is moved or restored, or where a move was broken off. Broken off itself, `kith doctor --repair` ends it.
 */
export async function deleteOrganization(
  { directory }: ProvisionDeps,
  id: string,
  name: string,
): Promise<DeletedOrganization> {
  return directory.aloneWith(id, async () => {
    const place = (await directory.places()).find((one) => one.id === id && one.isActive);
    if (!place) throw errors.notFound(`There is no organization ${id}`);
    if (place.movingTo !== undefined)
      throw errors.conflict('A move of the organization was broken off: kith doctor --repair ends it');
    // Whoever cannot reach its data now could not remove it either.
    await directory.databaseOf(place);
    await directory.withdraw(id);
    await remove(directory, place).catch((error: unknown) => {
      throw errors.conflict(
        `The organization is gone, its data not yet (${messageOf(error)}): kith doctor --repair removes it`,
      );
    });
    return { organizationId: id, name, deleted: true };
  });
}

const attempts = 5;

/** Requests that began before may hold what it needs, and need what it holds. */
async function remove(directory: Directory, place: OrganizationPlace): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await directory.removeWithdrawn(place);
    } catch (error) {
      if (attempt === attempts || !deadlocks.has(sqlState(error) ?? '')) throw error;
    }
  }
}

const deadlocks: ReadonlySet<string> = new Set(['40P01', '55P03']);
