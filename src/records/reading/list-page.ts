/** A page of records, in one statement, and how many there are. [spec: Records] */
import type { Call } from '../../access/call.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { planList, type ListPage, type ListPlan, type ListRequest, type Reach } from '../../query/plan.ts';
import { isLookedUp } from '../../query/looked-up.ts';
import { looksThroughTexts } from '../../query/prefilter.ts';
import { searchTerms } from '../../query/search-terms.ts';
import { isLarge, noteRows, readAll } from './read-all.ts';
import { recallTotal, rememberTotal } from './totals.ts';
import { countUses } from './uses.ts';

/** A page and its exact total. Read again with a measure where it turns out too large. */
export async function listPage(call: Call, object: ObjectDef, request: ListRequest): Promise<ListPage> {
  const page = await read(call, object, request, false);
  countUses(call, object, request);
  return page.isTooLarge ? read(call, object, request, true) : page;
}

/** Nobody waits behind a search or a filter that has to look at the text of every row of many, or that finds very many. */
async function read(call: Call, object: ObjectDef, request: ListRequest, isMeasured: boolean): Promise<ListPage> {
  const isOfMany = isLarge(object);
  if (!isOfMany || !looksAtEveryText(call, object, request)) {
    const plan = planOf(call, object, request, isMeasured, isOfMany ? 'bounded' : 'all');
    const [found] = await call.workspace.read(plan.statement);
    const page = await pageOf(call, object, plan, found?.rows ?? []);
    if (!page.isUnfinished) return page;
  }
  const plan = planOf(call, object, request, isMeasured);
  return pageOf(call, object, plan, (await call.workspace.readAlone(plan.statement)).rows);
}

function looksAtEveryText(call: Call, object: ObjectDef, { search, where, beside }: ListRequest): boolean {
  if (beside) return true;
  const terms = search === undefined ? [] : searchTerms(search);
  return terms.length > 0 ? !isLookedUp(terms, object, call.visibility) : looksThroughTexts(object, where);
}

async function pageOf(call: Call, object: ObjectDef, plan: ListPlan, rows: readonly Row[]): Promise<ListPage> {
  const page = await plan.read(rows);
  noteRows(object, page.rows);
  if (!page.isUnfinished) rememberTotal(call, plan.cacheKey, page);
  return page;
}

/** As exact as the total of a list, and remembered with it; it may take as long as the request may. */
export async function totalOf(call: Call, object: ObjectDef, where: readonly FilterGroup[]): Promise<number> {
  const plan = planOf(call, object, { where, sort: [], limit: 1, fields: ['id'] });
  const remembered = recallTotal(call, plan.cacheKey)?.version;
  const page = await readAll(call, object, { statement: plan.statement, remembered, read: plan.read });
  rememberTotal(call, plan.cacheKey, page);
  return page.total;
}

function planOf(
  call: Call,
  object: ObjectDef,
  request: ListRequest,
  isMeasured = false,
  reach: Reach = 'all',
): ListPlan {
  return planList(call, object, request, call.signer, (key) => recallTotal(call, key), isMeasured, reach);
}
