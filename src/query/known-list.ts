/**
 * What is known of a list from earlier reads, and whether it still holds: while the versions are the same, or while no
 * record written since matches its conditions or did. Then nothing is counted or searched; the rows of the page are read
 * by their ids.
 */
import { hash } from 'node:crypto';
import { and, empty, join, slot, sql, statement, type Sql, type Value } from '../postgres/sql.ts';
import type { CallersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import type { Position } from './cursor.ts';
import type { Order, Ordering } from './order.ts';
import type { PageEnd } from './paging.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';
import type { Selection } from './selection.ts';
import { matchesOf, namedKeys, type RowSource, type TableRows } from './source.ts';

/** A total, and the version of what it counted. */
export interface RememberedTotal {
  /** The latest version at which it was known to hold. */
  readonly version: string;
  readonly total: number;
  /** Rows of the object at that time. */
  readonly rows: number;
  /** Set where later statements can tell whether the records written since concern it. */
  readonly matches?: RememberedMatches;
}

/** Which records matched, and up to which writes. */
export interface RememberedMatches {
  /** The version at which they were found: what was found of the list since then is the same. */
  readonly foundAt: string;
  /** JSON text, written by one statement and read by the next. */
  readonly mark: string;
}

/** A page and the row after it, if any, as they were at a version of everything that decides them. */
export interface RememberedPage {
  readonly version: string;
  readonly ids: readonly string[];
}

/** The text of a page as it was at `version`, while what it shows of other records had the version `textVersion`. */
export interface RememberedText {
  readonly version: string;
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

/** Under which keys a list is remembered; undefined where more than the versions decides it. */
export interface ListKeys {
  /** Of its total; undefined where counting costs nothing. */
  readonly cacheKey: string | undefined;
  readonly pageKey: string | undefined;
  readonly textKey: string | undefined;
}

/** What is known of a list. */
export interface KnownList {
  readonly total: RememberedTotal | undefined;
  /** Found at the same version as the total's matches, and so holds as long as these. */
  readonly page: RememberedPage | undefined;
  readonly text: RememberedText | undefined;
}

/** What is known under the keys. */
export function knownList(memory: ListMemory, { cacheKey, pageKey, textKey }: ListKeys): KnownList {
  const total = cacheKey === undefined ? undefined : memory.total(cacheKey);
  const kept = pageKey === undefined ? undefined : memory.page(pageKey);
  const page = cacheKey === undefined || kept?.version === foundAt(total) ? kept : undefined;
  const written = page === undefined || textKey === undefined ? undefined : memory.text(textKey);
  return { total, page, text: written?.version === page?.version ? written : undefined };
}

/** The version at which the matches were found that the total counts. */
export function foundAt(total: RememberedTotal | undefined): string | undefined {
  return total?.matches?.foundAt ?? total?.version;
}

/** A parameter that is taken from what is known when the statement is sent. */
function known(take: (list: KnownList) => Value | undefined): Sql {
  return slot((list: KnownList) => take(list) ?? null);
}

const version = known(({ total, page }) => total?.version ?? page?.version);
const mark = known(({ total }) => total?.matches?.mark);
const total = known((list) => list.total?.total);
const pageIds = known(({ page }) => page?.ids);

/** A list's conditions, and what decides whether its matches can be remembered. */
export interface Conditions {
  readonly scope: CallersScope;
  readonly records: TableRows;
  readonly conditions: readonly Sql[];
  /** Objects whose rows the conditions read beyond the record. */
  readonly beside: ReadonlySet<string>;
}

/** More matches are not remembered: a record that is written concerns them often. */
const mostMatches = 128;

/** Where many more were known, the first ones are not collected: there still are too many. */
const mayBeFew = sql`coalesce(${total}::bigint, 0) <= ${4 * mostMatches}::int`;

/** More writes are not looked at: searching anew costs no more. */
const mostWrites = 256;

/** The latest entries of history that a mark names: a write that began before them may end after them. */
const seenEntries = 16;

const sameVersion = sql`s.version is not distinct from ${version}::numeric`;

/** Clauses that end in `known`, one row: whether what is known `holds`. They follow the clause `s` of `stateOfList`. */
export function holdsAtVersion(): readonly Sql[] {
  return [sql`known as materialized (select ${sameVersion} as holds from s)`];
}

/**
 * As `holdsAtVersion`, but what is known holds after writes, too, if none of the written records was a match or is one.
 * History has to name each of them: as many transactions as the version has risen, of one entry each and without links,
 * which may change other records. No other object that the conditions read may have changed.
 */
export function holdsDespiteWrites({ scope, records, conditions }: Conditions): readonly Sql[] {
  const { model } = scope.context;
  return [
    sql`marked as materialized (select (v.mark ->> 'floor')::xid8 as floor, (v.mark ->> 'seen')::bigint[] as seen,
        (v.mark ->> 'matches')::int[] as matches
      from (select ${mark}::jsonb as mark) v, s
      where not ${sameVersion} and (v.mark ->> 'beside')::numeric = s.beside_version)`,
    sql`entries as materialized (select e.* from marked cross join lateral (select h.id, h.tx, h.object_id, h.record_id, h.links is null as is_alone
      from ${tableOf(model, '_history')} h where h.epoch = ${model.epoch}::bigint and h.tx > marked.floor
      order by h.epoch, h.tx, h.id limit ${mostWrites + seenEntries}::int) e
      where e.object_id = ${scope.object.id}::uuid and e.id <> all(marked.seen))`,
    sql`known as materialized (select case when ${sameVersion} then true
        when (select count(*) = s.version - ${version}::numeric and count(distinct tx) = count(*) and bool_and(is_alone) from entries)
        then not exists (select from entries e where uuid_hash(e.record_id) = any((select matches from marked)::int[]))
          and not exists (select from entries e cross join lateral
            (select from ${records.from} where ${and([sql`${records.row}.id = e.record_id`, ...conditions])} offset 0) t)
        else false end as holds from s)`,
  ];
}

/** The mark of the matches that still hold after writes; null where nothing was written. */
export function markOfHeld({ scope }: Conditions): Sql {
  return sql`case when known.holds and not ${sameVersion} then ${markWith(scope, sql`(select matches from marked)`)} end`;
}

/**
 * The mark of the matches, once among the rows of the answer, where the version is another than the known one; null
 * where there are too many. The clause `matches` has them, or with `hasFirst` is that of `firstMatches`.
 */
export function markOfFound({ scope }: Conditions, hasFirst: boolean): Sql {
  const isWhole = sql`${hasFirst ? mayBeFew : sql`true`} and (select count(*) from matches) <= ${mostMatches}::int`;
  const matches = sql`case when known.holds then (select matches from marked) when ${isWhole} then (select coalesce(array_agg(uuid_hash(id)), '{}') from matches) end`;
  return sql`case when row_number() over () = 1 and not ${sameVersion} then ${markWith(scope, matches)} end`;
}

/** The mark with these hashes of ids, and the latest entries of history; null without them. */
function markWith({ context: { model } }: ObjectScope, matches: Sql): Sql {
  return sql`(select jsonb_build_object('beside', s.beside_version::text, 'matches', v.matches::text,
      'floor', coalesce(h.floor, '0'), 'seen', coalesce(h.seen, '{}'))
    from (select ${matches} as matches) v,
      (select min(e.tx::text::numeric)::text as floor, array_agg(e.id)::text as seen
        from (select h.tx, h.id from ${tableOf(model, '_history')} h where h.epoch = ${model.epoch}::bigint
          order by h.epoch desc, h.tx desc, h.id desc limit ${seenEntries}::int) e) h
    where v.matches is not null)`;
}

/** The clause `matches` where the source has none: the first ones, found as if all were read. */
export function firstMatches({ records, conditions }: Conditions): Sql {
  const isWanted = sql`not (select holds from known) and ${mayBeFew}`;
  const found = sql`select ${records.row}.id from ${records.from} where ${and([isWanted, ...conditions])}`;
  return matchesOf(found, mostMatches + 1);
}

/**
 * The known total while it holds, else the count of the source, or null without one. With `hasFirst`, the clause
 * `matches` is that of `firstMatches`, which may have all.
 */
export function countedUnlessKnown(source: Pick<RowSource, 'from' | 'where'> | undefined, hasFirst: boolean): Sql {
  const counted = source ? sql`(select count(*) from ${source.from} where ${and(source.where)})` : sql`null`;
  const first = sql`when ${mayBeFew} and (select count(*) from matches) <= ${mostMatches}::int
    then (select count(*) from matches)`;
  return sql`case when known.holds then ${total}::bigint ${hasFirst ? first : empty} else ${counted} end`;
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
  const ids = sql`${pageIds}::uuid[]`;
  const isKnown = sql`((select holds from known) and ${ids} is not null)`;
  const byId = sql`select ${join([sql`${row}.*`, ...namedKeys(order)], ', ')} from ${from}${order.beside}
    where ${and([sql`${row}.id = any(${ids})`, visible, isKnown])}`;
  return {
    ...source,
    where: [sql`not ${isKnown}`, ...source.where],
    page: (rows) => sql`(${source.page(rows)}) union all (${byId})`,
  };
}

/** What of a request decides its page, beside the conditions. */
interface Asked {
  readonly order: Order;
  readonly position: Position | undefined;
  readonly limit: number;
  /** Identifies the request as its cursors do: the text ends with one. */
  readonly fingerprint: Uint8Array;
  /** Undefined where the list has a form of its own, which no versions decide. */
  readonly ofRecord: Selection | undefined;
  /** Whether the conditions use the time: their values differ on each request, so the page would never be found again. */
  readonly isTimed: boolean;
}

/** The keys of a list; `key` identifies its conditions, and `isAll` says that its total is that of all rows. */
export function keysOf(
  key: string,
  isAll: boolean,
  scope: ObjectScope,
  { timeZone, mostBytes }: Pick<QueryContext, 'timeZone' | 'mostBytes'>,
  asked: Asked,
): ListKeys {
  const cacheKey = isAll ? undefined : key;
  const { order, position, limit, ofRecord, fingerprint } = asked;
  if (!isDecidedByVersions(scope, asked)) return { cacheKey, pageKey: undefined, textKey: undefined };
  const { id = null, keys = [] } = position ?? {};
  const pageKey = digestOf([key, timeZone, order.identity, id, keys, limit]);
  if (!ofRecord?.reads || readsInternal(scope, ofRecord.reads)) return { cacheKey, pageKey, textKey: undefined };
  const list = Buffer.from(fingerprint).toString('base64url');
  return { cacheKey, pageKey, textKey: digestOf([pageKey, list, selectionDigest(ofRecord), mostBytes]) };
}

function digestOf(identity: unknown): string {
  return hash('sha256', JSON.stringify(identity), 'base64url');
}

/** Pages up to this size are remembered. */
const mostRememberedRows = 100;

/** Whether nothing but rows and versions decides the page: no other records or the time in its order, no internal object. */
function isDecidedByVersions(scope: ObjectScope, { order, limit, isTimed }: Asked): boolean {
  if (order.isCostly || order.moment !== undefined || isTimed || limit > mostRememberedRows) return false;
  return !readsInternal(scope, scope.reads);
}

/** Internal objects raise their version only for what changes totals: a thread gets messages without one. */
function readsInternal({ context: { model } }: ObjectScope, reads: ReadonlySet<string>): boolean {
  for (const { id, kind } of model.objects.values()) if (kind === 'internal' && reads.has(id)) return true;
  return false;
}

const digests = new WeakMap<Selection, string>();

/** Equal for selections that show the same of every row of an object, under one model. */
function selectionDigest(selection: Selection): string {
  let digest = digests.get(selection);
  if (digest === undefined) {
    const { text, values } = statement(join([...selection.columns], ', '));
    digest = digestOf([selection.keys, text, values]);
    digests.set(selection, digest);
  }
  return digest;
}
