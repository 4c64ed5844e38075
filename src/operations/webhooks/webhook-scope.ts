/** The objects whose events a webhook sends. */
import type { Call } from '../../access/call.ts';
import { mayDo } from '../../describe/endpoint.ts';
import type { FollowedObject } from '../../records/following/records-now.ts';
import { followedObjects } from '../following/following.ts';

/** The objects with these ids whose records the caller may see; without ids, all such objects. */
export function webhookObjects(call: Call, ids: readonly string[]): readonly FollowedObject[] {
  if (ids.length === 0) return followedObjects(call, undefined);
  const wanted = new Set(ids);
  const { model, visibility } = call;
  const names = [...model.objects.values()]
    .filter(({ id, name }) => wanted.has(id) && mayDo(visibility, 'view', name))
    .map(({ name }) => name);
  return names.length === 0 ? [] : followedObjects(call, names);
}
