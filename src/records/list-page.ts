/** A page of records, in one statement. [spec: Records] */
import type { Call } from '../access/call.ts';
import type { ObjectDef } from '../model/model.ts';
import { planList, type ListPage, type ListRequest, type RememberedTotal } from '../query/plan.ts';
import { Remembered } from './remembered.ts';
import { countUses } from './uses.ts';

const totals = new Remembered<RememberedTotal>({ all: 16_000_000, organization: 1_000_000, lengthOf: () => 50 });

export async function listPage(call: Call, object: ObjectDef, request: ListRequest): Promise<ListPage> {
  const organization = call.model.organizationId;
  const plan = planList(call, object, request, call.seal, (key) => totals.recall(organization, key));
  const [found] = await call.workspace.read(plan.statement);
  const page = plan.read(found?.rows ?? []);
  countUses(call, object, request);
  const { version, total, rows } = page;
  if (plan.memoKey !== undefined) totals.remember(organization, plan.memoKey, { version, total, rows });
  return page;
}
