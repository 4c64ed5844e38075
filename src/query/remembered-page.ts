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
import { changedSince, textChangedSince } from './versions.ts';

/** A page and the row after it, if any, as they were at a version of everything that decides them. */
export interface RememberedPage {
  readonly version: string;
  readonly ids: readonly string[];
}

/** The text of a page at a version of everything that decides its rows and what it shows of them. */
export interface RememberedText extends PageEnd {
  readonly textVersion: string;
}

/** What earlier reads found, perhaps at an older version. */
export interface PageMemory {
  page(pageKey: string): RememberedPage | undefined;
  text(textKey: string): RememberedText | undefined;
}

/** A page's keys and what is known of it; undefined where more than the versions decides it. */
export interface RecalledPage {
  readonly pageKey: string | undefined;
  readonly textKey: string | undefined;
  readonly page: RememberedPage | undefined;
  readonly text: RememberedText | undefined;
}

/** What of a request decides its page, beside the conditions. */
interface Asked {
  readonly order: Order;
  readonly position: Position | undefined;
  readonly limit: number;
  /** Identifies the request as its cursors do: the text ends with one. */
  readonly fingerprint: Uint8Array;
  /** Undefined where the list has a form of its own, which no versions decide. */
  readonly selection: Selection | undefined;
  /** Whether the conditions use the time: their values differ on each request, so the page would never be found again. */
  readonly isTimed: boolean;
}

/** What is known of the page; `key` identifies the conditions. */
export function recallPage(memory: PageMemory, key: string, scope: ObjectScope, asked: Asked): RecalledPage {
  const pageKey = pageKeyOf(key, scope, asked);
  const textKey = pageKey === undefined ? undefined : textKeyOf(pageKey, scope, asked);
  return {
    pageKey,
    textKey,
    page: pageKey === undefined ? undefined : memory.page(pageKey),
    text: textKey === undefined ? undefined : memory.text(textKey),
  };
}

/**
 * The source with a page that is not searched while it is known. While the version in the clause `s` is that of `page`,
 * its rows are read by their ids; while the text is current, too, no row is read. Rows read by their ids are checked
 * for visibility again, which is the first of the conditions; a text is not. The SQL is the same whatever is known, so
 * that all share a prepared statement.
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
  const isReadById = and([sql`not (${isOld})`, textChangedSince(text?.textVersion)]);
  const known = sql`select ${join([sql`${row}.*`, ...namedKeys(order)], ', ')} from ${from}${order.beside}
    where ${and([isOnPage, visible, isReadById])}`;
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

/** Everything that decides the text of a page and its cursor except the rows. */
function textKeyOf(pageKey: string, scope: ObjectScope, { selection, fingerprint }: Asked): string | undefined {
  if (!selection?.reads || readsInternal(scope, selection.reads)) return undefined;
  const list = Buffer.from(fingerprint).toString('base64url');
  return `${pageKey} ${list} ${selectionDigest(selection)} ${scope.context.mostBytes}`;
}

const digests = new WeakMap<Selection, string>();

/** Equal for selections that show the same of every row of an object, under one model. */
function selectionDigest(selection: Selection): string {
  let digest = digests.get(selection);
  if (digest === undefined) {
    const { text, values } = statement(join([...selection.columns], ', '));
    digest = hash('sha256', JSON.stringify([selection.keys, text, values]), 'base64url');
    digests.set(selection, digest);
  }
  return digest;
}
