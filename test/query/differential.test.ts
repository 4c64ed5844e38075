/** Random queries, run in PostgreSQL and by a plain model in memory: the answers must be the same, row by row, page by page. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { whole } from '../../src/lib/long-text.ts';
import type { FilterGroup } from '../../src/model/model.ts';
import type { Statement } from '../../src/postgres/sql.ts';
import type { QueryContext } from '../../src/query/context.ts';
import { cursorSigners } from '../../src/query/cursor.ts';
import type { SortKey } from '../../src/query/order.ts';
import type { PageEnd } from '../../src/query/paging.ts';
import { planExport } from '../../src/query/plan-export.ts';
import type { ListMemory, RememberedPage, RememberedText, RememberedTotal } from '../../src/query/known-list.ts';
import { planList, type ListPage } from '../../src/query/plan-list.ts';
import type { TestDatabase } from '../support/database.ts';
import { searchMatches, sorted } from './oracle.ts';
import { randomGroup, randomSearch, randomSort, sortablePaths } from './queries.ts';
import type { Random } from './random.ts';
import { contextOf, randomRole, seenBy } from './roles.ts';
import { objectNamed, type World } from './world.ts';
import { deep, describeWorlds, patience } from './worlds.ts';

const queriesPerWorld = deep ? 500 : 60;
const seal = cursorSigners(Buffer.alloc(32, 1))('organization');

describeWorlds(({ expectAlike }) => {
  it(
    `answers ${queriesPerWorld} random queries as the model in memory does`,
    () => expectAlike('queries', queriesPerWorld, askBoth),
    patience,
  );
});

/** One random query, and what PostgreSQL and the model in memory answer to it. */
async function askBoth(test: TestDatabase, world: World, random: Random) {
  const role = randomRole(random, world);
  const context = contextOf(role, world);
  const where = Array.from({ length: random.below(3) }, () => randomGroup(random, world, role.hidden));
  const sort = randomSort(random, role.hidden, sortablePaths);
  const search = randomSearch(random);
  const limit = random.pick([1, 2, 3, 7, 20, 100, 1000]);
  const asked = JSON.stringify({ where, sort, search, limit, role: { ...role, hidden: [...role.hidden] } });

  const { things, callers, visible } = seenBy(role, world);
  const found = (search?: string) =>
    sorted(things, sort, visible).filter(
      (thing) =>
        where.every((group) => callers(group, thing)) &&
        (search === undefined || searchMatches(search, thing, role.hidden)),
    );
  const wanted = found(search);
  const pages = await walk(
    test,
    random,
    { world, context },
    { where, sort, search, limit },
    limit === 1 ? 12 : Infinity,
  );
  const records = pages.flatMap((page): Record<string, unknown>[] => JSON.parse(whole(page.data)));
  const reached = limit === 1 ? wanted.slice(0, 12) : wanted;
  const labels = reached.map((thing) => visible(thing.values['company_id'] ?? null)?.values['name'] ?? null);
  return {
    actual: {
      asked,
      ids: records.map((record) => record['id']),
      labels: records.map((record) => record['company_id_display']),
      totals: [...new Set(pages.map((page) => page.total))],
      hidden: records.flatMap((record) => Object.keys(record).filter((key) => role.hidden.has(key))),
      exported: await exportedIds(test, random, context, { where, sort }),
    },
    expected: {
      asked,
      ids: reached.map((thing) => thing.id),
      labels,
      totals: [wanted.length],
      hidden: [],
      exported: found().map((thing) => thing.id),
    },
  };
}

/** What was counted before the last write: not true any more, but a large total means another plan. */
const stale: RememberedTotal = { version: '0', total: 1_000_000, rows: 1_000_000, matches: null };
const staleText: RememberedText = {
  ...{ foundAt: '0', textVersion: '0' },
  end: { data: '["stale"]', shown: 1, isTooLarge: false },
};

interface Known {
  readonly totals: Map<string, RememberedTotal>;
  readonly pages: Map<string, RememberedPage>;
  readonly texts: Map<string, RememberedText>;
}

const nothingKnown = (): Known => ({ totals: new Map(), pages: new Map(), texts: new Map() });

function endOf({ data, shown, isTooLarge, isCut, nextCursor }: ListPage): PageEnd {
  return { data, shown, isTooLarge, ...(isCut && { isCut }), ...(nextCursor !== undefined && { nextCursor }) };
}

/** What callers of all roles have found in a world, which is not written meanwhile. */
const found = new WeakMap<World, Known>();

function foundIn(world: World): Known {
  const known = found.get(world) ?? nothingKnown();
  found.set(world, known);
  return known;
}

/** Pages up to the last one; the first total is remembered for the others. */
async function walk(
  test: TestDatabase,
  random: Random,
  { world, context }: { readonly world: World; readonly context: QueryContext },
  request: { where: FilterGroup[]; sort: SortKey[]; search: string | undefined; limit: number },
  mostPages: number,
): Promise<ListPage[]> {
  const things = objectNamed(context.model, 'things');
  const isStale = random.chance(0.5);
  const known = isStale ? nothingKnown() : foundIn(world);
  const memory: ListMemory = {
    total: (key) => known.totals.get(key) ?? (isStale ? stale : undefined),
    page: (key) => known.pages.get(key) ?? (isStale ? { foundAt: stale.version, ids: [randomUUID()] } : undefined),
    text: (key) => known.texts.get(key) ?? (isStale ? staleText : undefined),
  };
  const read = async (cursor: string | undefined): Promise<ListPage> => {
    const plan = planList(context, things, { ...request, cursor }, seal, memory);
    const rowsOf = async (wanted: Statement) => (await test.database.read('test', [wanted]))[0]?.rows ?? [];
    const held = plan.check?.read(await rowsOf(plan.check.statement));
    const page = held ?? (await plan.read(await rowsOf(plan.statement)));
    const { cacheKey, pageKey, textKey } = plan.keys;
    const { total, page: ids, textVersion } = page.found;
    if (cacheKey !== undefined) known.totals.set(cacheKey, total);
    if (pageKey !== undefined) known.pages.set(pageKey, ids);
    if (textKey !== undefined && random.chance(0.5))
      known.texts.set(textKey, { foundAt: ids.foundAt, textVersion, end: endOf(page) });
    return page;
  };
  const pages: ListPage[] = [];
  let cursor: string | undefined;
  do {
    const first = await read(cursor);
    // Again, from memory.
    const page = random.chance(0.5) ? await read(cursor) : first;
    expect({ ...endOf(page), total: page.total }).toEqual({ ...endOf(first), total: first.total });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined && pages.length < mostPages);
  return pages;
}

/** Pages up to the last one: all of them have the records of one export. */
async function exportedIds(
  test: TestDatabase,
  random: Random,
  context: QueryContext,
  request: { where: FilterGroup[]; sort: SortKey[] },
): Promise<unknown[]> {
  const things = objectNamed(context.model, 'things');
  const limit = random.pick([40, 10_000]);
  const ids: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const plan = planExport(context, things, { ...request, cursor, limit, fields: ['id'] }, seal);
    const { rows } = await test.database.run('test', plan.statement);
    ids.push(...rows.map((row) => plan.cells(row)[0]));
    const last = rows.at(-1);
    if (!last || rows.length < limit) return ids;
    cursor = plan.cursorAfter(last);
  }
}
