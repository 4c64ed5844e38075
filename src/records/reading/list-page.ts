/** A page of records and their total. [spec: Records] */
import type { Call } from '../../access/call.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { planList, type ListPage, type ListPlan } from '../../query/plan-list.ts';
import type { ListRequest, Reach } from '../../query/plan.ts';
import { isFoundByIndex } from '../../query/plan-search.ts';
import { looksThroughTexts } from '../../query/prefilter.ts';
import { searchTerms } from '../../query/search-terms.ts';
import { isLarge, noteRows, readAll } from './read-all.ts';
import { listMemory, rememberPage, rememberTotal } from './list-memory.ts';
import { countUses } from './uses.ts';

/** A page and its exact total. Read again with measuring where it is too large. */
export async function listPage(call: Call, object: ObjectDef, request: ListRequest): Promise<ListPage> {
  const page = await read(call, object, request, false);
  countUses(call, object, request);
  return page.isTooLarge ? read(call, object, request, true) : page;
}

/**
 * A search or filter that must read the texts of many rows, or matches very many, runs where nobody waits behind it.
 */
async function read(call: Call, object: ObjectDef, request: ListRequest, isMeasured: boolean): Promise<ListPage> {
  const isOfMany = isLarge(object);
  const isSlow = isOfMany && looksAtEveryText(call, object, request);
  const plan = planOf(call, object, request, isMeasured, isOfMany && !isSlow ? 'bounded' : 'all');
  const known = await knownPage(call, object, plan);
  if (known) return known;
  if (!isSlow) {
    const [found] = await call.workspace.read(plan.statement);
    const page = await pageOf(call, object, plan, found?.rows ?? []);
    if (!page.isUnfinished) return page;
  }
  const unbounded = isSlow ? plan : planOf(call, object, request, isMeasured);
  return pageOf(call, object, unbounded, (await call.workspace.readOnPlainClient(unbounded.statement)).rows);
}

function looksAtEveryText(call: Call, object: ObjectDef, { search, where, beside }: ListRequest): boolean {
  if (beside) return true;
  const terms = search === undefined ? [] : searchTerms(search);
  return terms.length > 0 ? !isFoundByIndex(terms, object, call.visibility) : looksThroughTexts(object, where);
}

/** The page whose text is known, if it still holds. */
async function knownPage(call: Call, object: ObjectDef, plan: ListPlan): Promise<ListPage | undefined> {
  if (!plan.check) return undefined;
  const [found] = await call.workspace.read(plan.check.statement);
  const page = plan.check.read(found?.rows ?? []);
  if (!page) return undefined;
  noteRows(object, page.rows);
  rememberPage(call, plan, page);
  return page;
}

async function pageOf(call: Call, object: ObjectDef, plan: ListPlan, rows: readonly Row[]): Promise<ListPage> {
  const page = await plan.read(rows);
  noteRows(object, page.rows);
  if (!page.isUnfinished) rememberPage(call, plan, page);
  return page;
}

/** Exact, and cached, like a list's total; may take as long as the request. */
export async function totalOf(call: Call, object: ObjectDef, where: readonly FilterGroup[]): Promise<number> {
  const plan = planOf(call, object, { where, sort: [], limit: 1, fields: ['id'] });
  const remembered = plan.known.total?.version;
  const page = await readAll(call, object, { statement: plan.statement, remembered, read: plan.read });
  rememberTotal(call, plan.keys.cacheKey, page.found.total);
  return page.total;
}

function planOf(
  call: Call,
  object: ObjectDef,
  request: ListRequest,
  isMeasured = false,
  reach: Reach = 'all',
): ListPlan {
  return planList(call, object, request, call.signer, listMemory(call), isMeasured, reach);
}
