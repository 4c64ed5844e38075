/**
 * Requests as statements. Each plan is one statement under the caller's policy, and can read its own rows; it does
 * not know the connection.
 */
import { hash } from 'node:crypto';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { Cell, Row } from '../postgres/database.ts';
import { and, join, sql, statement, type Sql, type Statement } from '../postgres/sql.ts';
import { Budget, mostParts } from './budget.ts';
import { callersScope, type CallersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import type { CursorSigner } from './cursor.ts';
import { measuredRows, rowsThatFit } from './fitting.ts';
import type { Order, SortKey } from './order.ts';
import { pageStart } from './page-start.ts';
import { readPage, selectPage, type PageShape, type Shown } from './paging.ts';
import { matchesText } from './prefilter.ts';
import { objectScope } from './object-scope.ts';
import { tableOf } from './row-scope.ts';
import { searchCondition } from './search.ts';
import { selectRecord } from './selection.ts';
import {
  recallPage,
  unlessRemembered,
  type PageMemory,
  type RecalledPage,
  type RememberedText,
} from './remembered-page.ts';
import { indexScan, materializedScan, type RowSource, type TableRows } from './source.ts';
import { stateWithShown } from './versions.ts';
import { compileFilter, visibleRow } from './where.ts';

/** The alias of the record's row in every plan. */
export const alias = 'r';

/**
 * Result sets up to this size are materialized and sorted; for a larger one, a scan of the sort's index soon fills a
 * page.
 */
export const fewMatches = 2_000;

/** Text matches that a statement may examine while others wait for it. */
export const mostWhereOthersWait = 5_000;

/** Whether a statement may examine all text matches, or gives up because others wait behind it. */
export type Reach = 'all' | 'bounded';

/** A condition that is no filter; its name identifies it in a cursor. */
export interface NamedCondition {
  readonly name: string;
  /** Whether an index finds its rows; otherwise all rows are examined. */
  readonly isIndexed: boolean;
  readonly on: (row: Sql) => Sql;
}

/** Which records a request selects. */
export interface Criteria {
  /** All of these hold. */
  readonly where: readonly FilterGroup[];
  readonly search?: string | undefined;
  /**
   * A further condition that uses the time. Its name identifies it in a cursor, since its values differ from page to
   * page.
   */
  readonly timed?: { readonly name: string; readonly where: FilterGroup } | undefined;
  readonly beside?: NamedCondition | undefined;
}

export interface ListRequest extends Criteria {
  readonly sort: readonly SortKey[];
  /** Records per page: a positive integer. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  /** Shown for each record instead of its fields; for the row `alias`. */
  readonly shown?: Shown | undefined;
}

/** A total, and the version of what it counted. */
export interface RememberedTotal {
  readonly version: string;
  readonly total: number;
  /** Rows of the object at that time. */
  readonly rows: number;
}

/** What earlier reads found, perhaps at an older version. */
export interface ListMemory extends PageMemory {
  total(cacheKey: string): RememberedTotal | undefined;
}

/** For a plan that is never executed. */
export const noMemory: ListMemory = { total: () => undefined, page: () => undefined, text: () => undefined };

export interface ListPage extends RememberedTotal, RememberedText {
  /** The ids of the page and of the row after it, if any. */
  readonly ids: readonly string[];
  /** Whether the statement gave up: page and total must not be shown. */
  readonly isUnfinished: boolean;
}

export interface ListPlan {
  readonly statement: Statement;
  /** Cache key of the total and its version; undefined where counting costs nothing. */
  readonly cacheKey: string | undefined;
  /** The page's cache keys, and what was known of it. */
  readonly recalled: RecalledPage;
  /** Writes JSON in slices. */
  read(rows: readonly Row[]): Promise<ListPage>;
}

/**
 * Plans a page of a list and its exact total. While the versions of all objects read by the query are those of
 * `memory`, total, ids and text are, too: nothing is counted, searched or written. An unmeasured page may turn out to
 * be too large, and one of bounded reach may be unfinished.
 */
export function planList(
  context: QueryContext,
  object: ObjectDef,
  request: ListRequest,
  signer: CursorSigner,
  memory: ListMemory,
  isMeasured = false,
  reach: Reach = 'all',
): ListPlan {
  const budget = new Budget();
  const scope = callersScope(objectScope(context, object, alias), budget);
  const conditions = conditionsOf(request, scope);
  const { order, position, fingerprint, cursorAt } = pageStart(scope, request, signer, budget);
  const ofRecord = request.shown ? undefined : selectRecord(object, context, alias, 'read', request.fields, budget);
  const selection = request.shown ?? ofRecord!;

  // The number of all rows is known, unless the object has a condition of its own.
  const isAll = conditions.length === 1 && context.visibility.rows(object.name) === 'all' && !object.condition;
  const key = keyOf(scope, conditions);
  const cacheKey = isAll ? undefined : key;
  const remembered = cacheKey === undefined ? undefined : memory.total(cacheKey);
  const findsText = matchesText(object, request) || request.beside?.isIndexed === false;
  const { limit, timed } = request;
  const isBounded = findsText && reach === 'bounded';
  const isLong = mustBeWrittenOnce(budget, 2 * order.keys.length + 2);
  const records = tableRows(scope);
  const scans = { isAll, findsText, isBounded, isLong, limit, remembered };
  const { source, total, isMaterialized } = scansOf(records, conditions, order, scans);
  const asked = { order, position, limit, fingerprint, selection: ofRecord, isTimed: timed !== undefined };
  const recalled = recallPage(memory, key, scope, asked);
  const text = selectPage(
    {
      source: unlessRemembered(source, records, conditions, order, recalled),
      row: scope.row,
      position,
      limit,
      selection,
      beside: join(selection.joins ?? [], ''),
      clauses: [sql`s as materialized (${stateWithShown(scope, ofRecord?.reads ?? new Set())})`],
      head: { from: sql`s`, cells: [sql`s.version`, sql`s.text_version`, total, sql`s.rows`] },
    },
    isMeasured ? measuredRows : rowsThatFit,
  );
  return {
    // The search index finds the rows, and all matches are read, whatever the words.
    statement: { ...statement(text, nameOf(context, request)), hasOnePlan: findsText && isMaterialized },
    cacheKey,
    recalled,
    read(rows) {
      const { mostBytes } = context;
      const shape = { limit, idAt: 4, keyCount: order.keys.length, selection, cursorAt, mostBytes };
      return readList(rows, shape, recalled, isBounded ? { remembered, isMaterialized } : undefined);
    },
  };
}

interface ScanOptions {
  readonly isAll: boolean;
  readonly findsText: boolean;
  readonly isBounded: boolean;
  /** Whether the conditions are too long to be written for the page and for the count. */
  readonly isLong: boolean;
  readonly limit: number;
  readonly remembered: RememberedTotal | undefined;
}

/** How the rows of the page are found, and their total. */
function scansOf(
  records: TableRows,
  conditions: readonly Sql[],
  order: Order,
  { isAll, findsText, isBounded, isLong, limit, remembered }: ScanOptions,
): { readonly source: RowSource; readonly total: Sql; readonly isMaterialized: boolean } {
  const isSequential = findsText && scanFillsPage(remembered, limit);
  const isMaterialized = (findsText && !isSequential) || order.isCostly || isLong;
  const most = isBounded ? mostWhereOthersWait + 1 : undefined;
  const all = (isMaterialized ? materializedScan : indexScan)(records, conditions, order, most);
  const counted = isBounded && !isMaterialized ? undefined : all;
  return {
    source: isSequential && !isMaterialized ? indexScan(records, sequential(conditions), order) : all,
    total: isAll ? sql`s.rows` : countedUnless(remembered, counted),
    isMaterialized,
  };
}

/** A statement that may give up. */
interface Bounded {
  readonly remembered: RememberedTotal | undefined;
  readonly isMaterialized: boolean;
}

async function readList(
  rows: readonly Row[],
  shape: PageShape,
  { page, text }: RecalledPage,
  bounded: Bounded | undefined,
): Promise<ListPage> {
  const [version = null, textVersion = null, matches = null, count = null] = rows[0] ?? [];
  const isKnown = version === bounded?.remembered?.version && version === page?.version;
  return {
    ...(text?.textVersion === textVersion ? text : await readPage(rows, shape)),
    ids: page?.version === version ? page.ids : rows.flatMap(({ [shape.idAt]: id }) => id ?? []),
    version: version ?? '0',
    textVersion: textVersion ?? '0',
    total: Number(matches ?? 0),
    rows: Number(count ?? 0),
    isUnfinished: bounded !== undefined && !isKnown && gaveUp(matches, bounded),
  };
}

/** Whether a bounded statement did not count, or found more than it may. */
function gaveUp(matches: Cell, { isMaterialized }: Bounded): boolean {
  return matches === null || (isMaterialized && Number(matches) > mostWhereOthersWait);
}

/** The name of the prepared statement; undefined where the best plan depends on the values. */
function nameOf({ model }: QueryContext, { beside }: ListRequest): string | undefined {
  return beside?.isIndexed ? undefined : model.version;
}

/** The first condition selects the rows that exist for the caller, the others are the request's. */
export function conditionsOf(request: Criteria, scope: CallersScope): Sql[] {
  const where = request.timed ? [...request.where, request.timed.where] : request.where;
  const filters = where.map((group) => compileFilter(group, scope));
  const search = request.search === undefined ? undefined : searchCondition(request.search, scope);
  const beside = request.beside ? [request.beside.on(scope.row)] : [];
  return [visibleRow(scope), ...filters, ...(search ? [search] : []), ...beside];
}

/**
 * Hides the conditions from indexes and estimates, so that the rows of the scan are examined one by one. PostgreSQL
 * would otherwise use the search index even where many rows match, since it expects few.
 */
export function sequential([visible = sql`true`, ...filters]: readonly Sql[]): readonly Sql[] {
  return [visible, sql`case when ${and(filters)} then true end`];
}

/** The rows of the object, with the lateral values of the conditions. */
export function rowsOf(scope: CallersScope): Sql {
  return sql`${tableOf(scope.context.model, scope.object.table)} ${scope.row}${scope.beside}`;
}

/** The rows as the source of a page. */
export function tableRows(scope: CallersScope): TableRows {
  return { row: scope.row, table: tableOf(scope.context.model, scope.object.table), from: rowsOf(scope) };
}

/** Whether the conditions are too long to be repeated `times` in one statement: then the rows are found first, once. */
export function mustBeWrittenOnce(budget: Budget, times: number): boolean {
  return budget.spent * times > mostParts;
}

/** Minimum cost of finding a row by the search index, in scanned rows. */
const materializedCost = 4;

/** Whether matches are so frequent that a scan fills the page before all matches would be materialized. */
export function scanFillsPage(remembered: RememberedTotal | undefined, limit: number): boolean {
  return remembered !== undefined && materializedCost * remembered.total ** 2 > limit * remembered.rows;
}

/** The count, or null without a source. */
export function countedUnless(
  remembered: RememberedTotal | undefined,
  source: Pick<RowSource, 'from' | 'where'> | undefined,
): Sql {
  const counted = source ? sql`(select count(*) from ${source.from} where ${and(source.where)})` : sql`null`;
  return sql`case when s.version = ${remembered?.version ?? null}::numeric then ${remembered?.total ?? null}::bigint
    else ${counted} end`;
}

/** Everything that decides a total except the rows: shape, values, policy, organization with its epoch, and model. */
export function keyOf({ context: { model }, object, beside }: CallersScope, conditions: readonly Sql[]): string {
  const { text, values } = statement(and([...conditions, beside]));
  const identity = [model.organizationId, model.epoch, model.version, object.id, text, values];
  return hash('sha256', JSON.stringify(identity), 'base64url');
}
