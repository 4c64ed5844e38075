/**
 * Searches several objects. Fast searches share one trip on a shared connection; slow ones get their own connections,
 * so that nobody waits behind them. [spec: Search]
 */
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import type { Shown } from '../../query/paging.ts';
import type { Reach } from '../../query/plan.ts';
import { planSearch, type FoundRecords, type SearchPlan, type SearchRequest } from '../../query/plan-search.ts';
import { looksAtEveryRow } from '../../query/search-terms.ts';
import { isLarge, noteRows } from './read-all.ts';
import { recallTotal, rememberTotal } from './list-memory.ts';

/** Concurrent connections of a search's own: few, since writes need them, too. */
const mostAlone = 2;

export interface SearchedObject {
  readonly object: ObjectDef;
  /** Shown of its records instead of their fields. */
  readonly shown?: Shown | undefined;
}

interface Search {
  readonly call: Call;
  readonly object: ObjectDef;
  readonly request: SearchRequest;
}

/** The results of each object, in order. */
export async function searchObjects(
  call: Call,
  searched: readonly SearchedObject[],
  request: Omit<SearchRequest, 'shown' | 'shares'>,
): Promise<readonly FoundRecords[]> {
  const shares = searched.length;
  const isSlow = looksAtEveryRow(request.terms);
  const searches = searched.map(({ object, shown }): Search => ({
    call,
    object,
    request: { ...request, shown, shares },
  }));
  const answers = new Map<Search, FoundRecords>();
  const together: { search: Search; plan: SearchPlan }[] = [];
  const alone: Search[] = [];
  for (const search of searches) {
    const isOfMany = isLarge(search.object, isSlow ? shares : 1);
    const plan = planOf(search, isOfMany ? 'bounded' : 'all');
    if (isOfMany && !plan.isQuick) alone.push(search);
    else together.push({ search, plan });
  }
  const readTogether = async () => {
    if (together.length === 0 && alone.length > 0) return;
    const found = await call.workspace.read(...together.map(({ plan }) => plan.statement));
    for (const [index, { search, plan }] of together.entries()) {
      const answer = await answerOf(search, plan, found[index]?.rows ?? []);
      if (answer) answers.set(search, answer);
    }
  };
  const readSingly = async (search: Search) => void answers.set(search, await searchSingly(search));
  await Promise.all([readTogether(), inTurn(alone, readSingly)]);
  await inTurn(
    searches.filter((search) => !answers.has(search)),
    readSingly,
  );
  return searches.flatMap((search) => answers.get(search) ?? []);
}

function planOf({ call, object, request }: Search, reach: Reach, isMeasured = false): SearchPlan {
  return planSearch(call, object, request, (key) => recallTotal(call, key), reach, isMeasured);
}

async function answerOf(search: Search, plan: SearchPlan, rows: readonly Row[]): Promise<FoundRecords | undefined> {
  const { call, object } = search;
  const answer = await plan.read(rows);
  if (!answer) return undefined;
  noteRows(object, answer.rows);
  rememberTotal(call, plan.cacheKey, answer);
  return answer.isTooLarge ? undefined : answer;
}

/** Runs a search on its own connection, with measuring where the page is too large. */
async function searchSingly(search: Search): Promise<FoundRecords> {
  const { workspace } = search.call;
  for (const isMeasured of [false, true]) {
    const plan = planOf(search, 'all', isMeasured);
    const { rows } = await workspace.readOnPlainClient(plan.statement);
    const answer = await answerOf(search, plan, rows);
    if (answer) return answer;
  }
  throw new Error('A search that was measured and counted has no answer');
}

/** Runs `work` for each item, a few at a time. */
async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const workers = Array.from({ length: mostAlone }, async () => {
    for (const item of waiting) await work(item);
  });
  await Promise.all(workers);
}
