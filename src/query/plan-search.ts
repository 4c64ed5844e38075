/**
 * The records of an object that match a search, best first, and their number, as one statement. The newest matches
 * are ranked; the older ones of a large result follow, newest first. So the cost is bounded, and the order does not
 * depend on caches. [spec: Search]
 */
import { KithError } from '../errors.ts';
import { withoutSuggestions } from '../lib/nearest.ts';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, empty, join, sql, statement, trusted, type Sql, type Statement } from '../postgres/sql.ts';
import { Budget } from './budget.ts';
import { callersScope, type CallersScope } from './callers-scope.ts';
import type { QueryContext, Visibility } from './context.ts';
import { measuredRows, rowsThatFit } from './fitting.ts';
import { orderBy } from './keyset.ts';
import type { RememberedTotal } from './known-list.ts';
import { objectScope } from './object-scope.ts';
import { orderOf, type Ordering, type SortKey } from './order.ts';
import { readPage, selectPage, type PageEnd, type Shown } from './paging.ts';
import { alias, scanFillsPage, keyOf, mostWhereOthersWait, rowsOf, sequential, tableRows, type Reach } from './plan.ts';
import { tableOf } from './row-scope.ts';
import { isWhole, searchedFields, termsOccur } from './search.ts';
import { lastRank, searchRank } from './search-rank.ts';
import { looksAtEveryRow, type SearchTerm } from './search-terms.ts';
import { selectRecord } from './selection.ts';
import { keyName, matchesOf, materializedScan, type RowSource } from './source.ts';
import { stateOf } from './versions.ts';
import { admitsAll, compileFilter, visibleRow } from './where.ts';

/** The number of newest matches that are ranked. */
const mostRanked = 1_000;

/** Rows that may be scanned where others wait. */
const mostScanned = 20_000;

export interface SearchRequest {
  readonly query: string;
  /** The terms of `query`: at least one. */
  readonly terms: readonly SearchTerm[];
  /** Further conditions. */
  readonly where?: readonly FilterGroup[];
  /** The order, if not by rank. */
  readonly sort?: readonly SortKey[] | undefined;
  /** Records to show: a positive integer. */
  readonly limit: number;
  /** Matches to skip. */
  readonly offset: number;
  /** Shown for each record instead of its fields; for the row `alias`. */
  readonly shown?: Shown | undefined;
  /** The number of objects that share the answer. */
  readonly shares: number;
}

export interface FoundRecords extends RememberedTotal, PageEnd {}

export interface SearchPlan {
  readonly statement: Statement;
  /** Cache key of the total and its version; shared with a list by the same search. */
  readonly cacheKey: string;
  /** Whether the statement is fast in any case, where its reach is bounded. */
  readonly isQuick: boolean;
  /** Writes JSON in slices; undefined where a bounded statement did not finish. */
  read(rows: readonly Row[]): Promise<FoundRecords | undefined>;
}

/** Whether the object has the fields of the filters and the sort, as far as the caller may know. */
export function hasFieldsOf(
  context: QueryContext,
  object: ObjectDef,
  { where = [], sort = [] }: Pick<SearchRequest, 'where' | 'sort'>,
): boolean {
  if (where.length === 0 && sort.length === 0) return true;
  const compile = () => {
    const budget = new Budget();
    const scope = callersScope(objectScope(context, object, alias), budget);
    where.forEach((group) => compileFilter(group, scope));
    orderOf(sort, scope, budget);
  };
  try {
    withoutSuggestions(compile);
  } catch (error) {
    if (error instanceof KithError && error.code === 'INVALID_FIELD') return false;
    // Compile again without suppressing suggestions, for the error of another mistake.
    compile();
  }
  return true;
}

/** Plans the search. `recall` reads the cached total of a key. An unmeasured page may turn out to be too large. */
export function planSearch(
  context: QueryContext,
  object: ObjectDef,
  request: SearchRequest,
  recall: (cacheKey: string) => RememberedTotal | undefined,
  reach: Reach,
  isMeasured = false,
): SearchPlan {
  const budget = new Budget();
  const scope = callersScope(objectScope(context, object, alias), budget);
  const filters = (request.where ?? []).map((group) => compileFilter(group, scope));
  const conditions = [visibleRow(scope), ...filters, termsOccur(request.terms, scope)];
  const order = request.sort && orderOf(request.sort, scope, budget);
  const cacheKey = keyOf(scope, conditions);
  const remembered = recall(cacheKey);
  const isScan = order === undefined && filters.length === 0 && scanFillsPage(remembered, mostRanked);
  const { limit, offset, shares } = request;
  const selection = request.shown ?? selectRecord(object, context, alias, 'read');
  const total = isScan
    ? countedUnless(remembered, reach === 'all' ? { from: rowsOf(scope), where: conditions } : undefined)
    : sql`(select count(*) from matches)`;
  const fit = isMeasured ? measuredRows : rowsThatFit;
  const text = selectPage(
    {
      source: order
        ? sortedSource(scope, conditions, order, request, reach)
        : rankedSource(scope, request, isScan ? newestByScan(scope, conditions) : allMatches(scope, conditions, reach)),
      row: scope.row,
      position: undefined,
      limit,
      selection,
      head: { from: sql`(${stateOf(scope)}) s`, cells: [sql`s.version`, total, sql`s.rows`] },
    },
    (rows) => fit({ ...rows, shares }),
  );
  return {
    statement: { ...statement(text, context.model.version), hasOnePlan: !isScan },
    cacheKey,
    isQuick: isScan
      ? rowsScanned(remembered, offset + limit) <= mostScanned
      : isFoundByIndex(request.terms, object, context.visibility) && (remembered?.total ?? 0) <= mostWhereOthersWait,
    async read(rows) {
      const [version, counted, count] = rows[0] ?? [];
      const total = counted === null || counted === undefined ? Infinity : Number(counted);
      if (reach === 'bounded' && !isScan && total > mostWhereOthersWait) return undefined;
      if (total === Infinity) return undefined;
      const keyCount = (order ?? byRank).keys.length;
      const page = await readPage(rows, { limit, idAt: 3, keyCount, selection, shares, mostBytes: context.mostBytes });
      return { ...page, version: version ?? '0', total, rows: Number(count ?? 0) };
    },
  };
}

/** Matches, newest first: `from` returns up to a number of them after skipping others. */
interface Matches {
  readonly clauses: readonly Sql[];
  newest(limit: number, offset: number): Sql;
}

/** Finds all matches first, by the search index where it covers a part of the search. */
function allMatches(scope: CallersScope, conditions: readonly Sql[], reach: Reach): Matches {
  const { row } = scope;
  const found = sql`select ${row}.id, ${createdAt(scope)} as created_at from ${rowsOf(scope)} where ${and(conditions)}`;
  return {
    clauses: [matchesOf(found, reach === 'all' ? undefined : mostWhereOthersWait + 1)],
    newest: (limit, offset) =>
      sql`select id, created_at from matches order by created_at desc, id desc ${part(limit, offset)}`,
  };
}

/** So many rows match that scanning them, newest first, finds enough soon. */
function newestByScan(scope: CallersScope, conditions: readonly Sql[]): Matches {
  const { row } = scope;
  return {
    clauses: [],
    newest: (limit, offset) =>
      sql`select ${row}.id, ${createdAt(scope)} as created_at from ${rowsOf(scope)} where ${and(sequential(conditions))}
        order by ${showsTime(scope) ? sql`${row}.created_at desc, ` : empty}${row}.id desc ${part(limit, offset)}`,
  };
}

/** Expected number of rows scanned until the ranked matches and those of the page are found. */
function rowsScanned(remembered: RememberedTotal | undefined, shown: number): number {
  return remembered ? (Math.max(mostRanked, shown) * remembered.rows) / remembered.total : Infinity;
}

/** As text, not a parameter: the plan depends on it. */
function part(limit: number, offset: number): Sql {
  return trusted(`limit ${limit} offset ${offset}`);
}

/** A role that hides the time of creation must not learn it from the order; ids have about the same order. */
function showsTime({ context, object }: CallersScope): boolean {
  return context.visibility.shows(object.name, 'created_at');
}

function createdAt(scope: CallersScope): Sql {
  return showsTime(scope) ? sql`${scope.row}.created_at` : sql`null::timestamptz`;
}

/** By rank and time of creation; ids break ties. */
const byRank: Ordering = {
  keys: [
    { value: sql`m.${keyName(0)}`, type: 'int', nullable: false, direction: 'asc' },
    { value: sql`m.${keyName(1)}`, type: 'timestamptz', nullable: false, direction: 'desc' },
  ],
  direction: 'desc',
  beside: empty,
  isCostly: false,
};

/** The rows of the page, with their sort keys. */
function rankedSource(scope: CallersScope, { query, limit, offset }: SearchRequest, matches: Matches): RowSource {
  const { row } = scope;
  const table = tableOf(scope.context.model, scope.object.table);
  const [rank, time] = [keyName(0), keyName(1)];
  const { value, beside } = searchRank(query, scope);
  const ranked = sql`select n.id, ${value} as ${rank}, n.created_at as ${time}
    from newest n join ${table} ${row} on ${row}.id = n.id${beside}`;
  const beyond = offset + limit + 1 - mostRanked;
  const older = sql`select o.id, ${lastRank}::int as ${rank}, o.created_at as ${time}
    from (${matches.newest(beyond, mostRanked)}) o`;
  const clauses = [
    ...matches.clauses,
    sql`newest as materialized (${matches.newest(mostRanked, 0)})`,
    sql`ranked as materialized (${beyond > 0 ? sql`(${ranked}) union all (${older})` : ranked})`,
  ];
  const from = sql`(select * from ranked order by ${rank}, ${time} desc, id desc
    limit ${limit + 1}::int offset ${offset}::bigint) m`;
  return {
    clauses,
    from,
    sorted: from,
    where: [],
    id: sql`m.id`,
    order: byRank,
    page: (rows) => sql`select ${join([sql`${row}.*`, sql`m.${rank}`, sql`m.${time}`], ', ')}
      from (${rows(sql`m.*`)}) m join ${table} ${row} on ${row}.id = m.id`,
  };
}

/** All matches in the requested order. */
function sortedSource(
  scope: CallersScope,
  conditions: readonly Sql[],
  order: Ordering,
  { limit, offset }: SearchRequest,
  reach: Reach,
): RowSource {
  const most = reach === 'all' ? undefined : mostWhereOthersWait + 1;
  const all = materializedScan(tableRows(scope), conditions, order, most);
  const keys = all.order.keys.map(({ value }) => value);
  const from = sql`(select * from matches m order by ${orderBy(all.order, keys, all.id)}
    limit ${limit + 1}::int offset ${offset}::bigint) m`;
  return { ...all, from, sorted: from };
}

/**
 * Whether the search index leads to the matches and to hardly anything else: it covers some part of the query, and the caller may
 * see all that it covers.
 */
export function isFoundByIndex(terms: readonly SearchTerm[], object: ObjectDef, visibility: Visibility): boolean {
  const seesAll =
    isWhole(searchedFields(object, visibility), object) && admitsAll(visibility.rows(object.name), object);
  return seesAll && !looksAtEveryRow(terms);
}

/** The count, or null without a source. */
function countedUnless(
  remembered: RememberedTotal | undefined,
  source: Pick<RowSource, 'from' | 'where'> | undefined,
): Sql {
  const counted = source ? sql`(select count(*) from ${source.from} where ${and(source.where)})` : sql`null`;
  return sql`case when s.version = ${remembered?.version ?? null}::numeric then ${remembered?.total ?? null}::bigint
    else ${counted} end`;
}
