/**
 * Requests as statements. Each plan is one statement under the caller's policy, and knows how to read its own rows;
 * what the rows are sent through is none of its business.
 */
import { hash } from 'node:crypto';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, empty, identifier, join, sql, statement, trusted, type Sql, type Statement } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';
import { fingerprint, readCursor, writeCursor, type CursorSeal, type Position } from './cursor.ts';
import { orderBy, rangesOf } from './keyset.ts';
import { orderOf, type Order, type SortKey } from './order.ts';
import { matchesText } from './prefilter.ts';
import { objectScope } from './object-scope.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';
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
  /** The records as the text of a JSON array. */
  readonly data: string;
  readonly nextCursor?: string;
}

export interface ListPlan {
  readonly statement: Statement;
  /** Under what to remember the page's total and version; undefined where counting costs nothing. */
  readonly memoKey: string | undefined;
  read(rows: readonly Row[]): ListPage;
}

/**
 * A page of a list and its exact total. `recall` gives what was remembered under a key: while the versions of all
 * objects that the query reads are the same, the total is, too, and nothing is counted.
 */
export function planList(
  context: QueryContext,
  object: ObjectDef,
  request: ListRequest,
  seal: CursorSeal,
  recall: (memoKey: string) => RememberedTotal | undefined,
): ListPlan {
  const scope = objectScope(context, object, alias);
  const conditions = conditionsOf(request, scope);
  const opening = orderOf(request.sort, scope);
  const query = fingerprint([object.id, opening.identity, request.where, request.search ?? '']);
  const cells = opening.keys.length + (opening.moment === undefined ? 0 : 1);
  const position = request.cursor === undefined ? undefined : readCursor(seal, query, cells, request.cursor);
  const moment = position?.keys[opening.keys.length] ?? null;
  const order = moment === null ? opening : orderOf(request.sort, scope, Number(moment));
  const selection = selectRecord(object, context, alias, 'read', request.fields);

  const memoKey =
    conditions.length > 1 || context.visibility.rows(object.name) !== 'all' ? keyOf(scope, conditions) : undefined;
  const remembered = memoKey === undefined ? undefined : recall(memoKey);
  const findsText = matchesText(object, request);
  const passesText = findsText && isSoonFull(remembered, request.limit);
  const collects = (findsText && !passesText) || order.looksBeyond;
  const all = collects ? collected(scope, conditions, order) : walked(scope, conditions, order);
  const source = passesText && !collects ? walked(scope, bySight(conditions), order) : all;
  const total = memoKey === undefined ? sql`s.rows` : countedUnless(remembered, all);

  const keys = order.keys.map((_, index) => sql`${scope.row}.${keyName(index)}`);
  const id = sql`${scope.row}.id`;
  const columns = join(
    [sql`s.version`, total, sql`s.rows`, id, ...keys.map((key) => sql`${key}::text`), ...selection.columns],
    ', ',
  );
  const text = sql`${source.before} select ${columns}
    from (${stateOf(scope)}) s
    left join (${pageOf(source, position, request.limit + 1)}) ${scope.row} on true
    order by ${orderBy(order, keys, id)}`;
  return {
    statement: statement(text, context.model.version),
    memoKey,
    read: (rows) => readPage(rows, { order, limit: request.limit, selection, seal, query }),
  };
}

export interface ExportRequest {
  readonly where: readonly FilterGroup[];
  /** Without keys the rows come in no order. */
  readonly sort: readonly SortKey[];
  readonly limit: number;
  /** The keys to export, in their order; all visible ones when absent. */
  readonly fields?: readonly string[] | undefined;
}

export interface ExportPlan {
  readonly statement: Statement;
  readonly keys: readonly string[];
  json(row: Row): string;
  cells(row: Row): string[];
}

/** Records for a download, to be streamed: ids of other records appear as their labels. */
export function planExport(context: QueryContext, object: ObjectDef, request: ExportRequest): ExportPlan {
  const scope = objectScope(context, object, alias);
  const selection = selectRecord(object, context, alias, 'export', request.fields);
  const order = orderOf(request.sort, scope);
  const values = order.keys.map((key) => key.value);
  const ordered = request.sort.length === 0 ? empty : sql`order by ${orderBy(order, values, sql`${scope.row}.id`)}`;
  const query = sql`select ${join(selection.columns, ', ')} from ${tableOf(context.model, object.name)} ${scope.row}
    where ${and(conditionsOf(request, scope))} ${ordered} limit ${request.limit}::int`;
  return {
    statement: statement(query, context.model.version),
    keys: selection.keys,
    json: (row) => selection.json(row, 0),
    cells: (row) => selection.cells(row, 0),
  };
}

/** The first says which rows there are for the caller, the others which of them it asks for. */
export function conditionsOf(request: Asked, scope: ObjectScope): Sql[] {
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

/** Where the rows of a page are taken from, and what they are ordered by there. */
interface Source {
  /** A `with` clause, or nothing. */
  readonly before: Sql;
  readonly from: Sql;
  readonly where: readonly Sql[];
  readonly id: Sql;
  readonly order: Order;
  /** A page of rows of `from`, as rows of the object's table with the sort keys beside them. */
  page(rows: (select: Sql) => Sql): Sql;
}

/** The table itself: an index on the sort is walked until the page is full. */
export function walked(scope: ObjectScope, conditions: readonly Sql[], order: Order): Source {
  const keys = order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
  return {
    before: empty,
    from: sql`${tableOf(scope.context.model, scope.object.name)} ${scope.row}`,
    where: conditions,
    id: sql`${scope.row}.id`,
    order,
    page: (rows) => rows(join([sql`${scope.row}.*`, ...keys], ', ')),
  };
}

/** All matches are found first, then sorted and counted: for a text that few records have, and for keys that no index has. */
function collected(scope: ObjectScope, conditions: readonly Sql[], order: Order): Source {
  const table = sql`${tableOf(scope.context.model, scope.object.name)} ${scope.row}`;
  const keys = order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
  const select = join([sql`${scope.row}.id`, ...keys], ', ');
  const names = order.keys.map((_, index) => sql`m.${keyName(index)}`);
  return {
    before: sql`with matches as materialized (select ${select} from ${table} where ${and(conditions)})`,
    from: sql`matches m`,
    where: [],
    id: sql`m.id`,
    order: { ...order, keys: order.keys.map((key, index) => ({ ...key, value: sql`m.${keyName(index)}` })) },
    page: (rows) => sql`select ${join([sql`${scope.row}.*`, ...names], ', ')}
      from (${rows(sql`m.*`)}) m join ${table} on ${scope.row}.id = m.id`,
  };
}

export function pageOf(source: Source, position: Position | undefined, limit: number): Sql {
  const { order } = source;
  const atMost = sql`limit ${trusted(String(limit))}`; // in the text: the plan of a statement depends on it
  return source.page((select) => {
    const parts = rangesOf(order, source.id, position).map(
      (range) => sql`select ${select} from ${source.from} where ${and([...source.where, range.condition])}
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
export function keyOf({ context: { model }, object }: ObjectScope, conditions: readonly Sql[]): string {
  const { text, values } = statement(and(conditions));
  const identity = [model.organizationId, model.epoch, model.version, object.id, text, values];
  return hash('sha256', JSON.stringify(identity), 'base64url');
}

interface PageShape {
  readonly order: Order;
  readonly limit: number;
  readonly selection: Selection;
  readonly seal: CursorSeal;
  readonly query: Uint8Array;
}

/** Each row is version, total, rows, id, the sort keys and the record; an empty page is one row without an id. */
function readPage(rows: readonly Row[], { order, limit, selection, seal, query }: PageShape): ListPage {
  const keyCount = order.keys.length;
  const moment = order.moment === undefined ? [] : [String(order.moment)];
  const head = rows[0];
  const page = rows.filter((row) => row[3] !== null).slice(0, limit);
  const records = page.map((row) => selection.json(row, 4 + keyCount));
  const last = page.at(-1);
  const nextCursor =
    last?.[3] && rows.length > limit
      ? writeCursor(seal, query, { id: last[3], keys: [...last.slice(4, 4 + keyCount), ...moment] })
      : undefined;
  return {
    version: head?.[0] ?? '0',
    total: Number(head?.[1] ?? 0),
    rows: Number(head?.[2] ?? 0),
    data: `[${records.join(',')}]`,
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
