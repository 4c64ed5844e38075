/**
 * Requests as statements. Each plan is one statement under the caller's policy, and knows how to read its own rows;
 * what the rows are sent through is none of its business.
 */
import { hash } from 'node:crypto';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, sql, statement, type Sql, type Statement } from '../postgres/sql.ts';
import { Budget, mostParts } from './budget.ts';
import { callersScope, type CallersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import type { CursorSigner } from './cursor.ts';
import { measuredRows, rowsThatFit } from './fitting.ts';
import type { SortKey } from './order.ts';
import { pageStart } from './page-start.ts';
import { readPage, selectPage, type PageEnd, type Shown } from './paging.ts';
import { matchesText } from './prefilter.ts';
import { objectScope } from './object-scope.ts';
import { tableOf } from './row-scope.ts';
import { searchCondition } from './search.ts';
import { selectRecord } from './selection.ts';
import { indexScan, materializedScan, type Source, type TableRows } from './source.ts';
import { stateOf } from './versions.ts';
import { compileFilter, visibleRow } from './where.ts';

/** What every statement of a plan calls the record's row. */
export const alias = 'r';

/** Groups up to this size are materialized and then sorted; in a larger one, the sort's index soon fills a page. */
export const fewMatches = 2_000;

/** So many matches of a text are looked at where others wait for the statement. */
export const mostWhereOthersWait = 5_000;

/** Whether a statement may look at all matches of a text, or gives up since others wait behind it. */
export type Reach = 'all' | 'bounded';

/** A condition that is no filter; a cursor knows it by its name. */
export interface NamedCondition {
  readonly name: string;
  /** Whether an index finds its rows; else all are looked at. */
  readonly isLookedUp: boolean;
  readonly on: (row: Sql) => Sql;
}

/** Which records are asked for. */
export interface Asked {
  /** All of them hold. */
  readonly where: readonly FilterGroup[];
  readonly search?: string | undefined;
  /** A further condition that looks at the time: a cursor knows it by its name, since its values are others with each page. */
  readonly timed?: { readonly name: string; readonly where: FilterGroup } | undefined;
  readonly beside?: NamedCondition | undefined;
}

export interface ListRequest extends Asked {
  readonly sort: readonly SortKey[];
  /** Records on a page: a positive integer. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  /** What is shown of each record in place of its fields; of the row called `alias`. */
  readonly shown?: Shown | undefined;
}

/** A total, and the version of what it counted. */
export interface RememberedTotal {
  readonly version: string;
  readonly total: number;
  /** Rows of the object at that time. */
  readonly rows: number;
}

export interface ListPage extends RememberedTotal, PageEnd {
  /** Whether the statement gave up: the page and its total are not to be shown. */
  readonly isUnfinished: boolean;
}

export interface ListPlan {
  readonly statement: Statement;
  /** Under what to remember the page's total and version; undefined where counting costs nothing. */
  readonly cacheKey: string | undefined;
  /** In slices. */
  read(rows: readonly Row[]): Promise<ListPage>;
}

/**
 * A page of a list and its exact total. `recall` gives what was remembered under a key: while the versions of all
 * objects that the query reads are the same, the total is, too, and nothing is counted. A page that is not measured may
 * turn out to be too large; one of bounded reach, unfinished.
 */
export function planList(
  context: QueryContext,
  object: ObjectDef,
  request: ListRequest,
  signer: CursorSigner,
  recall: (cacheKey: string) => RememberedTotal | undefined,
  isMeasured = false,
  reach: Reach = 'all',
): ListPlan {
  const budget = new Budget();
  const scope = callersScope(objectScope(context, object, alias), budget);
  const conditions = conditionsOf(request, scope);
  const { order, position, cursorAt } = pageStart(scope, request, signer, budget);
  const selection = request.shown ?? selectRecord(object, context, alias, 'read', request.fields, budget);

  // Of all rows the number is known; of an object with a condition of its own nobody sees all.
  const isAll = conditions.length === 1 && context.visibility.rows(object.name) === 'all' && !object.condition;
  const cacheKey = isAll ? undefined : keyOf(scope, conditions);
  const remembered = cacheKey === undefined ? undefined : recall(cacheKey);
  const findsText = matchesText(object, request) || request.beside?.isLookedUp === false;
  const isSequential = findsText && isSoonFull(remembered, request.limit);
  const isMaterialized =
    (findsText && !isSequential) || order.isCostly || mustBeWrittenOnce(budget, 2 * order.keys.length + 2);
  const records = tableRows(scope);
  const isBounded = findsText && reach === 'bounded';
  const all = isMaterialized
    ? materializedScan(records, conditions, order, isBounded ? mostWhereOthersWait + 1 : undefined)
    : indexScan(records, conditions, order);
  const source = isSequential && !isMaterialized ? indexScan(records, sequential(conditions), order) : all;
  const total =
    cacheKey === undefined ? sql`s.rows` : countedUnless(remembered, isBounded && !isMaterialized ? undefined : all);

  const text = selectPage(
    {
      source,
      row: scope.row,
      position,
      limit: request.limit,
      selection,
      head: { from: sql`(${stateOf(scope)}) s`, cells: [sql`s.version`, total, sql`s.rows`] },
    },
    isMeasured ? measuredRows : rowsThatFit,
  );
  return {
    // The search index gives the rows, and all that match are taken, whatever they match.
    statement: { ...statement(text, nameOf(context, request)), hasOnePlan: findsText && isMaterialized },
    cacheKey,
    async read(rows) {
      const keyCount = order.keys.length;
      const { mostBytes } = context;
      const page = await readPage(rows, { limit: request.limit, idAt: 3, keyCount, selection, cursorAt, mostBytes });
      const [version, matches, count] = rows[0] ?? [];
      const total = Number(matches ?? 0);
      const isUnfinished = isBounded && (matches === null || (isMaterialized && total > mostWhereOthersWait));
      return { ...page, version: version ?? '0', total, rows: Number(count ?? 0), isUnfinished };
    },
  };
}

/** After what a statement is named; one whose quickest way depends on the words has no name, and so is planned for its values. */
function nameOf({ model }: QueryContext, { beside }: ListRequest): string | undefined {
  return beside?.isLookedUp ? undefined : model.version;
}

/** The first says which rows there are for the caller, the others which of them it asks for. */
export function conditionsOf(request: Asked, scope: CallersScope): Sql[] {
  const where = request.timed ? [...request.where, request.timed.where] : request.where;
  const filters = where.map((group) => compileFilter(group, scope));
  const search = request.search === undefined ? undefined : searchCondition(request.search, scope);
  const beside = request.beside ? [request.beside.on(scope.row)] : [];
  return [visibleRow(scope), ...filters, ...(search ? [search] : []), ...beside];
}

/**
 * The same conditions, of which no index and no estimate is known: the rows of the scan are looked at one after the other.
 * Where many rows match, PostgreSQL would take the search index all the same, of which it expects few.
 */
export function sequential([visible = sql`true`, ...asked]: readonly Sql[]): readonly Sql[] {
  return [visible, sql`case when ${and(asked)} then true end`];
}

/** The rows of the object, with what the conditions on them name. */
export function rowsOf(scope: CallersScope): Sql {
  return sql`${tableOf(scope.context.model, scope.object.table)} ${scope.row}${scope.beside}`;
}

/** The same as what a page is taken from. */
export function tableRows(scope: CallersScope): TableRows {
  return { row: scope.row, table: tableOf(scope.context.model, scope.object.table), from: rowsOf(scope) };
}

/** Whether what a caller asks is too long to be written `times` in one statement: then its rows are found first, once. */
export function mustBeWrittenOnce(budget: Budget, times: number): boolean {
  return budget.spent * times > mostParts;
}

/** What finding a row by the search index costs at least, in rows that are scanned. */
const materializedCost = 4;

/** Whether one in so many rows matches that a scan fills the page before all matches would have been materialized. */
export function isSoonFull(remembered: RememberedTotal | undefined, limit: number): boolean {
  return remembered !== undefined && materializedCost * remembered.total ** 2 > limit * remembered.rows;
}

/** Without a source nothing is counted: then it is null. */
export function countedUnless(
  remembered: RememberedTotal | undefined,
  source: Pick<Source, 'from' | 'where'> | undefined,
): Sql {
  const counted = source ? sql`(select count(*) from ${source.from} where ${and(source.where)})` : sql`null`;
  return sql`case when s.version = ${remembered?.version ?? null}::numeric then ${remembered?.total ?? null}::bigint
    else ${counted} end`;
}

/** Everything that decides a total but the rows themselves: shape, values, policy, organization, its epoch and model. */
export function keyOf({ context: { model }, object, beside }: CallersScope, conditions: readonly Sql[]): string {
  const { text, values } = statement(and([...conditions, beside]));
  const identity = [model.organizationId, model.epoch, model.version, object.id, text, values];
  return hash('sha256', JSON.stringify(identity), 'base64url');
}
