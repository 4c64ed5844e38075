/** A page of records, in one statement, and how many there are. [spec: Records] */
import type { Call } from '../../access/call.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { planList, type ListPage, type ListPlan, type ListRequest } from '../../query/plan.ts';
import { looksAtEveryRow, searchTerms } from '../../query/search-terms.ts';
import { isLarge, noteRows, readAll } from './read-all.ts';
import { recallTotal, rememberTotal } from './totals.ts';
import { countUses } from './uses.ts';

/** A page and its exact total. Read again with a measure where it turns out too large. */
export async function listPage(call: Call, object: ObjectDef, request: ListRequest): Promise<ListPage> {
  const page = await read(call, object, request, false);
  countUses(call, object, request);
  return page.isTooLarge ? read(call, object, request, true) : page;
}

async function read(call: Call, object: ObjectDef, request: ListRequest, isMeasured: boolean): Promise<ListPage> {
  const plan = planOf(call, object, request, isMeasured);
  const page = await plan.read(await rowsOf(call, object, request, plan));
  noteRows(object, page.rows);
  rememberTotal(call, plan.cacheKey, page);
  return page;
}

/** Nobody waits behind a search that has to look at every row of many. */
async function rowsOf({ workspace }: Call, object: ObjectDef, { search }: ListRequest, { statement }: ListPlan) {
  const terms = search === undefined ? [] : searchTerms(search);
  if (terms.length > 0 && looksAtEveryRow(terms) && isLarge(object)) return (await workspace.readAlone(statement)).rows;
  return (await workspace.read(statement))[0]?.rows ?? [];
}

/** As exact as the total of a list, and remembered with it; it may take as long as the request may. */
export async function totalOf(call: Call, object: ObjectDef, where: readonly FilterGroup[]): Promise<number> {
  const plan = planOf(call, object, { where, sort: [], limit: 1, fields: ['id'] });
  const remembered = recallTotal(call, plan.cacheKey)?.version;
  const page = await readAll(call, object, { statement: plan.statement, remembered, read: plan.read });
  rememberTotal(call, plan.cacheKey, page);
  return page.total;
}

function planOf(call: Call, object: ObjectDef, request: ListRequest, isMeasured = false): ListPlan {
  return planList(call, object, request, call.signer, (key) => recallTotal(call, key), isMeasured);
}
