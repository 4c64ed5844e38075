/** A grouped list; its counts are cached like totals. [spec: Records] */
import type { Call } from '../../access/call.ts';
import { bytesOfText } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { ObjectDef } from '../../model/model.ts';
import { planGroups, type GroupsPage, type GroupsRequest, type RememberedGroups } from '../../query/plan-groups.ts';
import { readAll } from './read-all.ts';
import { countUses } from './uses.ts';

/** Characters of keys worth caching. */
const longest = 16_384;

const counts = new OwnedLru<string, RememberedGroups>({
  name: 'group_counts',
  maxBytes: 16 * 1024 * 1024,
  maxOwnerBytes: 1024 * 1024,
  bytesOf: (key, { version, keys }) =>
    keys.reduce((sum, group) => sum + bytesOfText(group ?? '') + 16, bytesOfText(key) + bytesOfText(version)),
});

/** The groups with their counts and first records. Read again with measuring where the answer is too large. */
export async function groupsPage(call: Call, object: ObjectDef, request: GroupsRequest): Promise<GroupsPage> {
  const page = await read(call, object, request, false);
  countUses(call, object, { where: request.where, groupBy: request.groupBy });
  return page.isTooLarge ? read(call, object, request, true) : page;
}

async function read(call: Call, object: ObjectDef, request: GroupsRequest, isMeasured: boolean): Promise<GroupsPage> {
  const organization = call.model.organizationId;
  const plan = planGroups(call, object, request, (key) => counts.get(organization, key), isMeasured);
  const page = await readAll(call, object, plan);
  if (!page.truncated && lengthOf(page) <= longest) {
    const { version, rows, keys, counts: each } = page;
    counts.set(organization, plan.cacheKey, { version, rows, keys, counts: each });
  }
  return page;
}

function lengthOf({ keys }: Pick<RememberedGroups, 'keys'>): number {
  return keys.reduce((sum, key) => sum + (key?.length ?? 0) + 10, 0);
}
