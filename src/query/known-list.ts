/**
 * What is known of a list from earlier reads. While it holds (`outlasting-writes.ts`), nothing is counted or searched, and
 * the rows of the page are read by their ids.
 */
import { and, join, slot, sql, type Sql, type Value } from '../postgres/sql.ts';
import type { ListKeys } from './list-keys.ts';
import type { Ordering } from './order.ts';
import type { PageEnd } from './paging.ts';
import { namedKeys, type RowSource, type TableRows } from './source.ts';

/** A total, and the version of what it counted. */
export interface RememberedTotal {
  /** The latest version at which it was known to hold. */
  readonly version: string;
  readonly total: number;
  /** Rows of the object at that time. */
  readonly rows: number;
  /** What tells whether later writes concern it; null where too many records match, absent where nobody looked. */
  readonly matches?: RememberedMatches | null;
}

/** Which records matched, and up to which writes. */
export interface RememberedMatches {
  /** The version at which they were found: what was found of the list since then is the same. */
  readonly foundAt: string;
  /** JSON text, written by one statement and read by the next. */
  readonly mark: string;
}

/** The ids of a page and of the row after it, if any. */
export interface RememberedPage {
  /** That of its list's total: with another one, the page does not hold. */
  readonly foundAt: string;
  readonly ids: readonly string[];
}

/** The text of a page while the objects of the related records that it shows had the version `textVersion`. */
export interface RememberedText extends Pick<RememberedPage, 'foundAt'> {
  readonly textVersion: string;
  readonly end: PageEnd;
}

/** What earlier reads found, perhaps at an older version. */
export interface ListMemory {
  total(cacheKey: string): RememberedTotal | undefined;
  page(pageKey: string): RememberedPage | undefined;
  text(textKey: string): RememberedText | undefined;
}

/** For a plan that is never executed. */
export const noMemory: ListMemory = { total: () => undefined, page: () => undefined, text: () => undefined };

/** What is known of a list: all of it holds, or nothing. */
export interface KnownList {
  readonly total: RememberedTotal | undefined;
  readonly page: RememberedPage | undefined;
  readonly text: RememberedText | undefined;
}

const unknown: KnownList = { total: undefined, page: undefined, text: undefined };

/**
 * What is known under the keys. Of a list that may outlast writes, nothing where another one found the total and did not
 * look for what tells: it is found once more.
 */
export function knownList(memory: ListMemory, { cacheKey, pageKey, textKey }: ListKeys, outlasts: boolean): KnownList {
  const total = cacheKey === undefined ? undefined : memory.total(cacheKey);
  if (outlasts && total?.matches === undefined) return unknown;
  const kept = pageKey === undefined ? undefined : memory.page(pageKey);
  const page = cacheKey === undefined || kept?.foundAt === foundAt(total) ? kept : undefined;
  const written = page === undefined || textKey === undefined ? undefined : memory.text(textKey);
  return { total, page, text: written?.foundAt === page?.foundAt ? written : undefined };
}

/** The version at which the matches were found that the total counts. */
export function foundAt(total: RememberedTotal | undefined): string | undefined {
  return total?.matches?.foundAt ?? total?.version;
}

/** A parameter that is taken from what is known when the statement is sent. */
function known(take: (list: KnownList) => Value | undefined): Sql {
  return slot((list: KnownList) => take(list) ?? null);
}

/** The version at which the list is known. */
export const knownVersion = sql`${known(({ total, page }) => total?.version ?? page?.foundAt)}::numeric`;
export const knownMark = sql`${known(({ total }) => total?.matches?.mark)}::jsonb`;
export const knownTotal = sql`${known(({ total }) => total?.total)}::bigint`;
const knownIds = sql`${known(({ page }) => page?.ids)}::uuid[]`;

/** The known total while it holds, else the count of the source, or null without one. */
export function countedUnlessKnown(source: Pick<RowSource, 'from' | 'where'> | undefined, orElse: Sql): Sql {
  const counted = source ? sql`(select count(*) from ${source.from} where ${and(source.where)})` : sql`null`;
  return sql`case when known.holds then ${knownTotal} ${orElse} else ${counted} end`;
}

/**
 * The source with a page that is not searched while it is known and holds: its rows are read by their ids, and checked
 * for visibility again, which is the first of the conditions. The SQL is the same whatever is known, so that all share
 * a prepared statement.
 */
export function unlessKnown(
  source: RowSource,
  { row, from }: TableRows,
  [visible = sql`true`]: readonly Sql[],
  order: Ordering,
): RowSource {
  const isKnown = sql`((select holds from known) and ${knownIds} is not null)`;
  const byId = sql`select ${join([sql`${row}.*`, ...namedKeys(order)], ', ')} from ${from}${order.beside}
    where ${and([sql`${row}.id = any(${knownIds})`, visible, isKnown])}`;
  return {
    ...source,
    where: [sql`not ${isKnown}`, ...source.where],
    page: (rows) => sql`(${source.page(rows)}) union all (${byId})`,
  };
}
