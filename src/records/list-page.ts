/** A page of records, in one statement. [spec: Records] */
import type { Call } from '../access/call.ts';
import type { ObjectDef } from '../model/model.ts';
import { planList, type ListPage, type ListRequest } from '../query/plan.ts';
import { Totals } from './totals.ts';

const totals = new Totals();

export async function listPage(call: Call, object: ObjectDef, request: ListRequest): Promise<ListPage> {
  const organization = call.model.organizationId;
  const plan = planList(call, object, request, call.seal, (key) => totals.recall(organization, key));
  const [found] = await call.workspace.read(plan.statement);
  const page = plan.read(found?.rows ?? []);
  if (plan.memoKey !== undefined) totals.remember(organization, plan.memoKey, page);
  return page;
}
