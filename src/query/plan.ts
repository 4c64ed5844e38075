/**
 * Requests as statements. Each plan is one statement under the caller's policy, and knows how to read its own rows;
 * what the rows are sent through is none of its business.
 */
import { hash } from 'node:crypto';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import { joined, together, type LongText } from '../lib/long-text.ts';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, empty, identifier, join, sql, statement, trusted, type Sql, type Statement } from '../postgres/sql.ts';
import { Budget, mostParts } from './budget.ts';
import { callersScope, type CallersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import type { CursorSeal, Position } from './cursor.ts';
import { Filling, measuredRows, rowsThatFit, wasSent } from './fitting.ts';
import { orderBy, rangesOf } from './keyset.ts';
import type { Order, SortKey } from './order.ts';
import { pageStart, type PageStart } from './page-start.ts';
import { matchesText } from './prefilter.ts';
import { objectScope } from './object-scope.ts';
import { tableOf } from './row-scope.ts';
import { searchCondition } from './search.ts';
import { selectRecord, type Selection } from './selection.ts';
import { stateOf } from './versions.ts';
import { compileFilter, visibleRow } from './where.ts';

/** What every statement of a plan calls the record's row. */
export const alias = 'r';

/** Groups up to this size are collected and then sorted; in a larger one, the sort's index soon fills a page. */
export const fewMatches = 2_000;

/** Which records are asked for. */
export interface Asked {
  /** All of them hold. */
  readonly where: readonly FilterGroup[];
  readonly search?: string | undefined;
}

export interface ListRequest extends Asked {
  readonly sort: readonly SortKey[];
  /** Records on a page: a positive integer. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** A total, and the version of what it counted. */
export interface RememberedTotal {
  readonly version: string;
  readonly total: number;
  /** Rows of the object at that time. */
  readonly rows: number;
}

export interface ListPage extends RememberedTotal {
  /** Whether it holds nothing, although there is something: the first record is so large that the page has to be measured. */
  readonly isTooLarge: boolean;
  /** The records as the text of a JSON array. */
  readonly data: LongText;
  readonly nextCursor?: string;
}

export interface ListPlan {
  readonly statement: Statement;
  /** Under what to remember the page's total and version; undefined where counting costs nothing. */
  readonly memoKey: string | undefined;
  /** In slices. */
  read(rows: readonly Row[]): Promise<ListPage>;
}

/**
 * A page of a list and its exact total. `recall` gives what was remembered under a key: while the versions of all
 * objects that the query reads are the same, the total is, too, and nothing is counted. A page that is not measured may
 * turn out to be too large.
 */
export function planList(
  context: QueryContext,
  object: ObjectDef,
  request: ListRequest,
  seal: CursorSeal,
  recall: (memoKey: string) => RememberedTotal | undefined,
  isMeasured = false,
): ListPlan {
  const budget = new Budget();
  const scope = callersScope(objectScope(context, object, alias), budget);
  const conditions = conditionsOf(request, scope);
  const { order, position, cursorAt } = pageStart(scope, request, seal, budget);
  const selection = selectRecord(object, context, alias, 'read', request.fields, budget);

  const memoKey =
    conditions.length > 1 || context.visibility.rows(object.name) !== 'all' ? keyOf(scope, conditions) : undefined;
  const remembered = memoKey === undefined ? undefined : recall(memoKey);
  const findsText = matchesText(object, request);
  const passesText = findsText && isSoonFull(remembered, request.limit);
  const collects =
    (findsText && !passesText) || order.looksBeyond || mustBeWrittenOnce(budget, 2 * order.keys.length + 2);
  const all = collects ? collected(scope, conditions, order) : walked(scope, conditions, order);
  const source = passesText && !collects ? walked(scope, bySight(conditions), order) : all;
  const total = memoKey === undefined ? sql`s.rows` : countedUnless(remembered, all);

  const keys = order.keys.map((_, index) => sql`${scope.row}.${keyName(index)}`);
  const id = sql`${scope.row}.id`;
  const text = sql`${source.before} ${(isMeasured ? measuredRows : rowsThatFit)({
    kept: [sql`s.version`, total, sql`s.rows`, id, ...keys.map((key) => sql`${key}::text`)],
    selection,
    from: sql`from (${stateOf(scope)}) s left join (${pageOf(source, position, request.limit + 1)}) ${scope.row} on true`,
    sortedBy: [...keys, id],
    order: (names) => orderBy(order, names, names.at(-1) ?? id),
    most: request.limit + 1,
  })}`;
  return {
    statement: statement(text, context.model.version),
    memoKey,
    read: (rows) => readPage(rows, { keyCount: keys.length, limit: request.limit, selection, cursorAt }),
  };
}

/** The first says which rows there are for the caller, the others which of them it asks for. */
export function conditionsOf(request: Asked, scope: CallersScope): Sql[] {
  const filters = request.where.map((group) => compileFilter(group, scope));
  const search = request.search === undefined ? undefined : searchCondition(request.search, scope);
  return [visibleRow(scope), ...filters, ...(search ? [search] : [])];
}

/**
 * The same conditions, of which no index and no estimate is known: each row of the walk is looked at. Where many rows match,
 * PostgreSQL would collect them by the search index all the same, of which it expects few.
 */
function bySight([visible = sql`true`, ...asked]: readonly Sql[]): readonly Sql[] {
  return [visible, sql`case when ${and(asked)} then true end`];
}

/** The rows of the object, with what the conditions on them name. */
export function rowsOf(scope: CallersScope): Sql {
  return sql`${tableOf(scope.context.model, scope.object.name)} ${scope.row}${scope.beside}`;
}

/** Whether what a caller asks is too long to be written `times` in one statement: then its rows are found first, once. */
export function mustBeWrittenOnce(budget: Budget, times: number): boolean {
  return budget.spent * times > mostParts;
}

/** Where the rows of a page are taken from, and what they are ordered by there. */
interface Source {
  /** A `with` clause, or nothing. */
  readonly before: Sql;
  readonly from: Sql;
  /** `from` with what the sort keys name. */
  readonly sorted: Sql;
  readonly where: readonly Sql[];
  readonly id: Sql;
  readonly order: Order;
  /** A page of rows of `from`, as rows of the object's table with the sort keys beside them. */
  page(rows: (select: Sql) => Sql): Sql;
}

/** The table itself: an index on the sort is walked until the page is full. */
export function walked(scope: CallersScope, conditions: readonly Sql[], order: Order): Source {
  const keys = order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
  const from = rowsOf(scope);
  return {
    before: empty,
    from,
    sorted: sql`${from}${order.beside}`,
    where: conditions,
    id: sql`${scope.row}.id`,
    order,
    page: (rows) => rows(join([sql`${scope.row}.*`, ...keys], ', ')),
  };
}

/** All matches are found first, then sorted and counted: for a text that few records have, and for keys that no index has. */
function collected(scope: CallersScope, conditions: readonly Sql[], order: Order): Source {
  const keys = order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
  const select = join([sql`${scope.row}.id`, ...keys], ', ');
  const names = order.keys.map((_, index) => sql`m.${keyName(index)}`);
  const from = sql`matches m`;
  return {
    before: sql`with matches as materialized (select ${select} from ${rowsOf(scope)}${order.beside} where ${and(conditions)})`,
    from,
    sorted: from,
    where: [],
    id: sql`m.id`,
    order: { ...order, keys: order.keys.map((key, index) => ({ ...key, value: sql`m.${keyName(index)}` })) },
    page: (rows) => sql`select ${join([sql`${scope.row}.*`, ...names], ', ')}
      from (${rows(sql`m.*`)}) m join ${tableOf(scope.context.model, scope.object.name)} ${scope.row} on ${scope.row}.id = m.id`,
  };
}

/** The rows of `source` after `position`, in their order: so many, or all of them. */
export function pageOf(source: Source, position: Position | undefined, limit?: number): Sql {
  const { order } = source;
  // In the text: the plan of a statement depends on it.
  const atMost = limit === undefined ? empty : sql`limit ${trusted(String(limit))}`;
  return source.page((select) => {
    const parts = rangesOf(order, source.id, position).map(
      (range) => sql`select ${select} from ${source.sorted} where ${and([...source.where, range.condition])}
        order by ${range.order} ${atMost}`,
    );
    if (parts.length === 1) return join(parts, '');
    const keys = order.keys.map((_, index) => sql`p.${keyName(index)}`);
    return sql`select * from (${join(
      parts.map((part) => sql`(${part})`),
      ' union all ',
    )}) p
      order by ${orderBy(order, keys, sql`p.id`)} ${atMost}`;
  });
}

export function keyName(index: number): Sql {
  return identifier(`_key${index}`);
}

/** What finding a row by the search index costs at least, in rows that are walked past. */
const collectedCost = 4;

/** Whether one in so many rows matches that a walk fills the page before all matches would have been collected. */
function isSoonFull(remembered: RememberedTotal | undefined, limit: number): boolean {
  return remembered !== undefined && collectedCost * remembered.total ** 2 > limit * remembered.rows;
}

function countedUnless(remembered: RememberedTotal | undefined, source: Source): Sql {
  return sql`case when s.version = ${remembered?.version ?? null}::numeric then ${remembered?.total ?? null}::bigint
    else (select count(*) from ${source.from} where ${and(source.where)}) end`;
}

/** Everything that decides a total but the rows themselves: shape, values, policy, organization, its epoch and model. */
export function keyOf({ context: { model }, object, beside }: CallersScope, conditions: readonly Sql[]): string {
  const { text, values } = statement(and([...conditions, beside]));
  const identity = [model.organizationId, model.epoch, model.version, object.id, text, values];
  return hash('sha256', JSON.stringify(identity), 'base64url');
}

interface PageShape {
  readonly keyCount: number;
  readonly limit: number;
  readonly selection: Selection;
  readonly cursorAt: PageStart['cursorAt'];
}

/**
 * Each row is version, total, rows, id, the sort keys, the record, and perhaps whether it fits; an empty page is one row
 * without an id.
 */
async function readPage(rows: readonly Row[], { keyCount, limit, selection, cursorAt }: PageShape): Promise<ListPage> {
  const head = rows[0];
  const at = 4 + keyCount;
  const found = rows.filter((row) => row[3] !== null);
  const records: LongText[] = [];
  const filling = new Filling();
  for (const row of found.slice(0, limit)) {
    if (!wasSent(row, at, selection)) break;
    if (sliceIsOver()) await nextSlice();
    const record = await selection.jsonInSlices(row, at);
    if (!filling.takes(record)) break;
    records.push(record);
  }
  const last = found[records.length - 1];
  const nextCursor =
    last?.[3] && found.length > records.length
      ? cursorAt({ id: last[3], keys: last.slice(4, 4 + keyCount) })
      : undefined;
  return {
    version: head?.[0] ?? '0',
    total: Number(head?.[1] ?? 0),
    rows: Number(head?.[2] ?? 0),
    isTooLarge: found.length > 0 && records.length === 0,
    data: together('[', joined(records, ','), ']'),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
