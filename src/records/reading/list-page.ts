/** A page of records, in one statement, and how many there are. [spec: Records] */
import type { Call } from '../../access/call.ts';
import { bytesOfText } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { planList, type ListPage, type ListPlan, type ListRequest, type RememberedTotal } from '../../query/plan.ts';
import { readAll } from './read-all.ts';
import { countUses } from './uses.ts';

const totals = new OwnedLru<string, RememberedTotal>({
  name: 'totals',
  maxBytes: 16 * 1024 * 1024,
  maxOwnerBytes: 1024 * 1024,
  bytesOf: (key, { version }) => bytesOfText(key) + bytesOfText(version) + 40,
});

/** A page and its exact total. Read again with a measure where it turns out too large. */
export async function listPage(call: Call, object: ObjectDef, request: ListRequest): Promise<ListPage> {
  const page = await read(call, object, request, false);
  countUses(call, object, request);
  return page.isTooLarge ? read(call, object, request, true) : page;
}

async function read(call: Call, object: ObjectDef, request: ListRequest, isMeasured: boolean): Promise<ListPage> {
  const plan = planOf(call, object, request, isMeasured);
  const [found] = await call.workspace.read(plan.statement);
  const page = await plan.read(found?.rows ?? []);
  rememberTotal(call, plan, page);
  return page;
}

/** As exact as the total of a list, and remembered with it; it may take as long as the request may. */
export async function totalOf(call: Call, object: ObjectDef, where: readonly FilterGroup[]): Promise<number> {
  const plan = planOf(call, object, { where, sort: [], limit: 1, fields: ['id'] });
  const remembered = recalled(call, plan.cacheKey)?.version;
  const page = await readAll(call, object, { statement: plan.statement, remembered, read: plan.read });
  rememberTotal(call, plan, page);
  return page.total;
}

function planOf(call: Call, object: ObjectDef, request: ListRequest, isMeasured = false): ListPlan {
  return planList(call, object, request, call.signer, (key) => recalled(call, key), isMeasured);
}

function recalled({ model }: Call, cacheKey: string | undefined): RememberedTotal | undefined {
  return cacheKey === undefined ? undefined : totals.get(model.organizationId, cacheKey);
}

function rememberTotal({ model }: Call, { cacheKey }: ListPlan, { version, total, rows }: ListPage): void {
  if (cacheKey !== undefined) totals.set(model.organizationId, cacheKey, { version, total, rows });
}
