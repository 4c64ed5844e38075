/** Pages whose ids are known from an earlier read: nothing is searched while the versions are unchanged. */
import { join, sql } from '../postgres/sql.ts';
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
 * Without it the text is the same, so that both share a prepared statement.
 */
export function unlessRemembered(
  source: RowSource,
  { row, table }: TableRows,
  order: Ordering,
  remembered: RememberedPage | undefined,
): RowSource {
  const isOld = changedSince(remembered?.version);
  const known = sql`select ${join([sql`${row}.*`, ...namedKeys(order)], ', ')}
    from unnest(${remembered?.ids ?? []}::uuid[]) k (id) join ${table} ${row} on ${row}.id = k.id${order.beside}
    where not (${isOld})`;
  return {
    ...source,
    where: [isOld, ...source.where],
    page: (rows) => sql`(${source.page(rows)}) union all (${known})`,
  };
}

/** Pages up to this size are remembered. */
const mostRememberedRows = 100;

/**
 * Everything that decides the ids of a page except the rows; undefined where they also depend on the time, on records
 * that do not count towards the total, on internal objects (accounts and users decide who sees those, and raise no
 * version), or where they are too many to keep.
 */
export function pageKeyOf(
  cacheKey: string,
  { context: { model, timeZone }, reads }: ObjectScope,
  order: Order,
  position: Position | undefined,
  limit: number,
): string | undefined {
  if (order.isCostly || order.moment !== undefined || limit > mostRememberedRows) return undefined;
  for (const { id, kind } of model.objects.values()) if (kind === 'internal' && reads.has(id)) return undefined;
  const { id = null, keys = [] } = position ?? {};
  return JSON.stringify([cacheKey, timeZone, order.identity, id, keys, limit]);
}
