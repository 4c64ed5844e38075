/** [spec: Records] The grouped mode of a list. */
import type { Call } from '../access/call.ts';
import type { ObjectDef } from '../model/model.ts';
import type { GroupsRequest } from '../query/plan-groups.ts';
import { groupsPage } from '../records/groups-page.ts';
import { JsonText } from './operation.ts';

export async function groupedList(call: Call, object: ObjectDef, request: GroupsRequest): Promise<JsonText> {
  const { groups, countsText, truncated } = await groupsPage(call, object, request);
  const head = `"object_name":"${object.name}","group_by":${JSON.stringify(request.groupBy)},"limit_per_group":${request.limit}`;
  return new JsonText(`{${head},"groups":${groups},"counts":${countsText}${truncated ? ',"truncated":true' : ''}}`);
}
