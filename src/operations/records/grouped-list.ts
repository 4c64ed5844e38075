/** [spec: Records] Lists with `group_by`. */
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { GroupsRequest } from '../../query/plan-groups.ts';
import { groupsPage } from '../../records/reading/groups-page.ts';
import { JsonText } from '../door/operation.ts';
import { together } from '../../lib/long-text.ts';

/** The JSON answer of a grouped list. */
export async function groupedList(call: Call, object: ObjectDef, request: GroupsRequest): Promise<JsonText> {
  const { groups, countsText, labels, truncated, truncatedGroups } = await groupsPage(call, object, request);
  const head = `"object_name":"${object.name}","group_by":${JSON.stringify(request.groupBy)},"limit_per_group":${request.limit}`;
  const named = labels === undefined ? '' : `,"labels":${labels}`;
  const more = truncated ? ',"truncated":true' : '';
  const cut = truncatedGroups.length > 0 ? `,"truncated_groups":${JSON.stringify(truncatedGroups)}` : '';
  return new JsonText(together(`{${head},"groups":`, groups, ',"counts":', countsText, `${named}${more}${cut}}`));
}
