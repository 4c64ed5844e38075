/** A grouped list, its counts remembered like totals. [spec: Records] */
import type { Call } from '../access/call.ts';
import type { ObjectDef } from '../model/model.ts';
import { planGroups, type GroupsPage, type GroupsRequest, type RememberedGroups } from '../query/plan-groups.ts';
import { readAll } from './read-all.ts';
import { Remembered } from './remembered.ts';
import { countUses } from './uses.ts';

/** Characters of keys that are worth their place. */
const longest = 16_384;

const counts = new Remembered<RememberedGroups>({ all: 16_000_000, organization: 1_000_000, lengthOf });

export async function groupsPage(call: Call, object: ObjectDef, request: GroupsRequest): Promise<GroupsPage> {
  const organization = call.model.organizationId;
  const plan = planGroups(call, object, request, (key) => counts.recall(organization, key));
  const page = await readAll(call, object, plan);
  countUses(call, object, { where: request.where, groupBy: request.groupBy });
  if (!page.truncated && lengthOf(page) <= longest) {
    const { version, rows, keys, counts: each } = page;
    counts.remember(organization, plan.memoKey, { version, rows, keys, counts: each });
  }
  return page;
}

function lengthOf({ keys }: Pick<RememberedGroups, 'keys'>): number {
  return keys.reduce((sum, key) => sum + (key?.length ?? 0) + 10, 0);
}
