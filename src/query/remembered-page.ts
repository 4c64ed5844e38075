/**
 * Pages known from an earlier read. While the versions are unchanged, nothing is searched: the rows are read by their
 * ids, or not at all where the text of the page is known, too.
 */
import { hash } from 'node:crypto';
import { and, join, sql, statement, type Sql } from '../postgres/sql.ts';
import type { Position } from './cursor.ts';
import type { Order, Ordering } from './order.ts';
import type { PageEnd } from './paging.ts';
import type { ObjectScope } from './row-scope.ts';
import type { Selection } from './selection.ts';
import { namedKeys, type RowSource, type TableRows } from './source.ts';
import { changedSince, rewordedSince } from './versions.ts';

/** A page and the row after it, if any, as they were at a version of everything that decides them. */
export interface RememberedPage {
  readonly version: string;
  readonly ids: readonly string[];
}

/** A page as it was written at a version of everything that decides its rows and what it shows of them. */
export interface WrittenPage extends PageEnd {
  readonly textVersion: string;
}

/** What earlier reads found, perhaps at an older version. */
export interface PageMemory {
  page(pageKey: string): RememberedPage | undefined;
  text(textKey: string): WrittenPage | undefined;
}

/** A page's keys and what is known of it; undefined where more than the versions decides it. */
export interface RecalledPage {
  readonly pageKey: string | undefined;
  readonly textKey: string | undefined;
  readonly page: RememberedPage | undefined;
  readonly text: WrittenPage | undefined;
}

/** What of a request decides its page, beside the conditions. */
interface Asked {
  readonly order: Order;
  readonly position: Position | undefined;
  readonly limit: number;
  /** What the page shows; undefined where more than the versions decides that. */
  readonly shown: Selection | undefined;
  /** Whether the conditions use the time: they are other ones each time, so nothing would be found again. */
  readonly isTimed: boolean;
}

/** What is known of the page; `key` identifies the conditions. */
export function recallPage(memory: PageMemory, key: string, scope: ObjectScope, asked: Asked): RecalledPage {
  const pageKey = pageKeyOf(key, scope, asked);
  const textKey = pageKey === undefined ? undefined : textKeyOf(pageKey, scope, asked.shown);
  return {
    pageKey,
    textKey,
    page: pageKey === undefined ? undefined : memory.page(pageKey),
    text: textKey === undefined ? undefined : memory.text(textKey),
  };
}

/**
 * The source with a page that is read by its ids instead while the version in the clause `s` is that of `page`, and
 * with no row while that of the text is current, too. The first of the conditions, who sees the row, is asked again: a write that raised no
 * version may make the page miss a row, but show none. What is not known changes no text, so that all share a
 * prepared statement.
 */
export function unlessRemembered(
  source: RowSource,
  { row, from }: TableRows,
  [visible = sql`true`]: readonly Sql[],
  order: Ordering,
  { pageKey, page, text }: RecalledPage,
): RowSource {
  if (pageKey === undefined) return source;
  const isOld = changedSince(page?.version);
  const isOnPage = sql`${row}.id = any(${page?.ids ?? []}::uuid[])`;
  const isWanted = and([sql`not (${isOld})`, rewordedSince(text?.textVersion)]);
  const known = sql`select ${join([sql`${row}.*`, ...namedKeys(order)], ', ')} from ${from}${order.beside}
    where ${and([isOnPage, visible, isWanted])}`;
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
 * does not decide them: the order looks at other records or at the time, or an internal object is read.
 */
function pageKeyOf(key: string, scope: ObjectScope, { order, position, limit, isTimed }: Asked): string | undefined {
  if (order.isCostly || order.moment !== undefined || isTimed || limit > mostRememberedRows) return undefined;
  if (readsInternal(scope, scope.reads)) return undefined;
  const { id = null, keys = [] } = position ?? {};
  return JSON.stringify([key, scope.context.timeZone, order.identity, id, keys, limit]);
}

/** Internal objects raise their version only for what changes totals: a thread gets messages without one. */
function readsInternal({ context: { model } }: ObjectScope, reads: ReadonlySet<string>): boolean {
  for (const { id, kind } of model.objects.values()) if (kind === 'internal' && reads.has(id)) return true;
  return false;
}

/** Everything that decides the text of a page except the rows. */
function textKeyOf(pageKey: string, scope: ObjectScope, shown: Selection | undefined): string | undefined {
  if (!shown?.reads || readsInternal(scope, shown.reads)) return undefined;
  return `${pageKey} ${identityOf(shown)} ${scope.context.mostBytes}`;
}

const identities = new WeakMap<Selection, string>();

/** Equal for selections that show the same of every row of an object, under one model. */
function identityOf(selection: Selection): string {
  let identity = identities.get(selection);
  if (identity === undefined) {
    const { text, values } = statement(join([...selection.columns], ', '));
    identity = hash('sha256', JSON.stringify([selection.keys, text, values]), 'base64url');
    identities.set(selection, identity);
  }
  return identity;
}
