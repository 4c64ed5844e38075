/** Deletes an organization. */
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
 * Deletes the organization whose current name is `name`: hides it, then removes its data. Throws NOT_FOUND, and
 * CONFLICT during a move or a restore, or after an interrupted move. `kith doctor --repair` completes an interrupted
 * deletion.
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
    // Fail now if the data is unreachable, since it could not be removed either.
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

/** Requests in flight may hold locks and wait for locks, so the deletion may deadlock and is retried. */
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
