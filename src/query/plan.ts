/**
 * What the plans of lists, searches and groups share. Each plan is one statement under the caller's policy, and can
 * read its own rows; it does not know the connection.
 */
import { hash } from 'node:crypto';
import type { FilterGroup } from '../model/model.ts';
import { and, sql, statement, type Sql } from '../postgres/sql.ts';
import { mostParts, type Budget } from './budget.ts';
import type { CallersScope } from './callers-scope.ts';
import type { RememberedTotal } from './known-list.ts';
import type { SortKey } from './order.ts';
import type { Shown } from './paging.ts';
import { tableOf } from './row-scope.ts';
import { searchCondition } from './search.ts';
import type { TableRows } from './source.ts';
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

/** Everything that decides a total except the rows: shape, values, policy, organization with its epoch, and model. */
export function keyOf({ context: { model }, object, beside }: CallersScope, conditions: readonly Sql[]): string {
  const { text, values } = statement(and([...conditions, beside]));
  const identity = [model.organizationId, model.epoch, model.version, object.id, text, values];
  return hash('sha256', JSON.stringify(identity), 'base64url');
}
