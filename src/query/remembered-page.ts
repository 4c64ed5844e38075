/** Pages whose ids are known from an earlier read: nothing is searched while the versions are unchanged. */
import { and, join, sql, type Sql } from '../postgres/sql.ts';
import type { Position } from './cursor.ts';
import type { Order, Ordering } from './order.ts';
import type { ObjectScope } from './row-scope.ts';
import { namedKeys, type RowSource, type TableRows } from './source.ts';
import { changedSince } from './versions.ts';

/** A page and the row after it, if any, as they were at a version of everything that decides them. */
export interface RememberedPage {
  readonly version: string;
  readonly ids: readonly string[];
}

/**
 * The source with a page that is read by its ids instead while the version in the clause `s` is that of `remembered`.
 * The first of the conditions, who sees the row, is asked again: a write that raised no version may make the page miss a row, but show none. Without
 * `remembered` the text is the same, so that both share a prepared statement.
 */
export function unlessRemembered(
  source: RowSource,
  { row, from }: TableRows,
  [visible = sql`true`]: readonly Sql[],
  order: Ordering,
  remembered: RememberedPage | undefined,
): RowSource {
  const isOld = changedSince(remembered?.version);
  const isOnPage = sql`${row}.id = any(${remembered?.ids ?? []}::uuid[])`;
  const known = sql`select ${join([sql`${row}.*`, ...namedKeys(order)], ', ')} from ${from}${order.beside}
    where ${and([isOnPage, visible, sql`not (${isOld})`])}`;
  return {
    ...source,
    where: [isOld, ...source.where],
    page: (rows) => sql`(${source.page(rows)}) union all (${known})`,
  };
}

/** Pages up to this size are remembered. */
const mostRememberedRows = 100;

/**
 * Everything that decides the ids of a page except the rows. Undefined for pages of more rows, and where the version
 * does not decide them: the order looks at other records or at the time, or an internal object is read, which raises
 * its version only for what changes totals (a thread gets messages without one). Also where the request is `timed`:
 * its values are other ones each time, so nothing would be found again.
 */
export function pageKeyOf(
  cacheKey: string,
  { context: { model, timeZone }, reads }: ObjectScope,
  order: Order,
  position: Position | undefined,
  { limit, timed }: { readonly limit: number; readonly timed?: object | undefined },
): string | undefined {
  if (order.isCostly || order.moment !== undefined || timed || limit > mostRememberedRows) return undefined;
  for (const { id, kind } of model.objects.values()) if (kind === 'internal' && reads.has(id)) return undefined;
  const { id = null, keys = [] } = position ?? {};
  return JSON.stringify([cacheKey, timeZone, order.identity, id, keys, limit]);
}
