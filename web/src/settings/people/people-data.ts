/** The users of the organization, and changes by admins. */
import { useQuery } from '@tanstack/react-query';
import type { UserUpdateBody } from '../../../../client/index.js';
import { kith } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import { usePages } from '../../api/use-pages.ts';

/** All users, the oldest first, page by page. */
export function usePeople() {
  return usePages(keys.users, (at) => kith.users.list({ limit: 100, ...at }));
}

/** The names of all roles. */
export function useRoles() {
  return useQuery({ queryKey: keys.roles, queryFn: () => kith.roles.list() });
}

/** Changes a user and makes everything stale that names people. */
export async function changeUser(id: string, change: UserUpdateBody): Promise<void> {
  await kith.user.update(id, change);
  await Promise.all([
    queries.invalidateQueries({ queryKey: keys.users }),
    queries.invalidateQueries({ queryKey: keys.workspace }),
  ]);
}
