/** Compiles the statements of a list: a page with its total, and the check whether what is known of it holds. */
import { bytesOfText } from '../lib/lru.ts';
import type { ObjectDef } from '../model/model.ts';
import { join, sql, unsent, withClauses, type Sql, type Value } from '../postgres/sql.ts';
import { Budget } from './budget.ts';
import { callersScope, type CallersScope } from './callers-scope.ts';
import type { CompiledList } from './compiled-lists.ts';
import type { QueryContext } from './context.ts';
import type { CursorSigner } from './cursor.ts';
import { measuredRows, rowsThatFit } from './fitting.ts';
import {
  countedUnlessKnown,
  firstMatches,
  holdsAtVersion,
  holdsDespiteWrites,
  keysOf,
  knownList,
  markOfFound,
  markOfHeld,
  unlessKnown,
  type KnownList,
  type ListKeys,
  type ListMemory,
} from './known-list.ts';
import { objectScope } from './object-scope.ts';
import type { SortKey } from './order.ts';
import { pageStart } from './page-start.ts';
import { selectPage, type Shown } from './paging.ts';
import {
  alias,
  conditionsOf,
  keyOf,
  mostWhereOthersWait,
  mustBeWrittenOnce,
  scanFillsPage,
  sequential,
  tableRows,
  type Criteria,
  type Reach,
} from './plan.ts';
import { matchesText } from './prefilter.ts';
import { bytesOfSelection, selectRecord, type Selection } from './selection.ts';
import { indexScan, materializedScan, type RowSource } from './source.ts';
import { watch, type Watch } from './timeless.ts';
import { stateOfList } from './versions.ts';

export interface ListRequest extends Criteria {
  readonly sort: readonly SortKey[];
  /** Records per page: a positive integer. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  /** Shown for each record instead of its fields; for the row `alias`. */
  readonly shown?: Shown | undefined;
}

/** Whose list is asked for, and how. */
export interface AskedList {
  readonly context: QueryContext;
  readonly object: ObjectDef;
  readonly request: ListRequest;
  readonly signer: CursorSigner;
  readonly isMeasured: boolean;
  readonly reach: Reach;
}

/** A compiled list, its bytes beside the texts of its statements, and what was observed of its compilation. */
interface Compilation {
  readonly list: CompiledList;
  readonly bytes: number;
  readonly watching: Watch;
}

/** Compiles the list with a plan for the total that `memory` knows. */
export function compileList(asked: AskedList, memory: ListMemory): Compilation {
  const { context, request } = asked;
  const watching = watch(context);
  const parts = partsOf(asked, watching.watched);
  const keys = keysOf(keyOf(parts.scope, parts.conditions), parts.isAll, parts.scope, context, parts);
  const scans = scansOf(asked, parts, knownList(memory, keys));
  const { page, check } = statementsOf(asked, parts, keys, scans);
  // The best plan of a search by an index of its own depends on the values.
  const version = request.beside?.isIndexed ? undefined : context.model.version;
  const { order, limit, selection, cursorAt } = parts;
  const list: CompiledList = {
    keys,
    page: unsent(page, version),
    check: keys.textKey === undefined ? undefined : unsent(check, version),
    shape: { limit, idAt: 6, keyCount: order.keys.length, selection, cursorAt, mostBytes: context.mostBytes },
    findsText: scans.findsText,
    isSequential: scans.isSequential,
    isMaterialized: scans.isMaterialized,
    isBounded: scans.isBounded,
  };
  return { list, bytes: bytesOf(list, request.fields && parts.ofRecord), watching };
}

type Parts = ReturnType<typeof partsOf>;

/** What the list is made of, compiled in the name of `context`. */
function partsOf({ object, request, signer }: AskedList, context: QueryContext) {
  const budget = new Budget();
  const scope = callersScope(objectScope(context, object, alias), budget);
  const { conditions, beside } = conditionsOfList(request, scope);
  const { order, position, fingerprint, cursorAt } = pageStart(scope, request, signer, budget);
  const ofRecord = request.shown ? undefined : selectRecord(object, context, alias, 'read', request.fields, budget);
  return {
    ...{ budget, scope, conditions, beside, order, position, fingerprint, cursorAt, ofRecord },
    records: tableRows(scope),
    limit: request.limit,
    selection: request.shown ?? ofRecord!,
    isTimed: request.timed !== undefined,
    // The number of all rows is known, unless the object has a condition of its own.
    isAll: conditions.length === 1 && context.visibility.rows(object.name) === 'all' && !object.condition,
  };
}

/** The conditions, and the objects whose rows they read beyond the record. */
function conditionsOfList(request: ListRequest, scope: CallersScope) {
  scope.reads.clear();
  const conditions = conditionsOf(request, scope);
  const beside = new Set(scope.reads);
  scope.reads.add(scope.object.id);
  return { conditions, beside };
}

/** Whether a scan of the sort's index soon fills the page, although the search index could find the rows. */
export function isSequential(findsText: boolean, { total }: KnownList, limit: number): boolean {
  return findsText && scanFillsPage(total, limit);
}

interface Scans extends Pick<CompiledList, 'findsText' | 'isSequential' | 'isMaterialized' | 'isBounded'> {
  readonly source: RowSource;
  /** What is counted; undefined where counting could take long. */
  readonly counted: RowSource | undefined;
}

/** How the rows of the page are found. */
function scansOf({ object, request, reach }: AskedList, parts: Parts, known: KnownList): Scans {
  const { budget, records, conditions, order, limit } = parts;
  const findsText = matchesText(object, request) || request.beside?.isIndexed === false;
  const isBounded = findsText && reach === 'bounded';
  const isScanned = isSequential(findsText, known, limit);
  const isLong = mustBeWrittenOnce(budget, 2 * order.keys.length + 2);
  const isMaterialized = (findsText && !isScanned) || order.isCostly || isLong;
  const most = isBounded ? mostWhereOthersWait + 1 : undefined;
  const all = (isMaterialized ? materializedScan : indexScan)(records, conditions, order, most);
  return {
    ...{ findsText, isBounded, isSequential: isScanned, isMaterialized },
    source: isScanned && !isMaterialized ? indexScan(records, sequential(conditions), order) : all,
    counted: isBounded && !isMaterialized ? undefined : all,
  };
}

/**
 * Whether writes of other records leave what is known of the list as it is: nothing but a record itself decides whether
 * it matches, and few matches can be told from many without reading all of them.
 */
function outlastsWrites({ request, object }: AskedList, parts: Parts, { findsText, isSequential }: Scans): boolean {
  const { isAll, beside, budget, order } = parts;
  if (isAll || request.beside || beside.has(object.id) || (findsText && isSequential)) return false;
  return !mustBeWrittenOnce(budget, 2 * order.keys.length + 4);
}

function statementsOf(asked: AskedList, parts: Parts, keys: ListKeys, scans: Scans) {
  const { scope, records, conditions, beside, order, position, limit, selection, ofRecord, isAll } = parts;
  const outlasts = keys.pageKey !== undefined && outlastsWrites(asked, parts, scans);
  const hasFirst = outlasts && !scans.isMaterialized;
  const clauses = [
    sql`s as materialized (${stateOfList(scope, beside, ofRecord?.reads ?? new Set())})`,
    ...(outlasts ? holdsDespiteWrites(parts) : holdsAtVersion()),
  ];
  const head = (mark: () => Sql) => [
    ...[sql`s.version`, sql`s.text_version`, sql`s.rows`, sql`known.holds`],
    outlasts ? mark() : sql`null`,
  ];
  const total = isAll ? sql`s.rows` : countedUnlessKnown(scans.counted, hasFirst);
  const page = selectPage(
    {
      source: keys.pageKey === undefined ? scans.source : unlessKnown(scans.source, records, conditions, order),
      row: scope.row,
      ...{ position, limit, selection },
      beside: join(selection.joins ?? [], ''),
      clauses: hasFirst ? [...clauses, firstMatches(parts)] : clauses,
      head: { from: sql`s cross join known`, cells: [...head(() => markOfFound(parts, hasFirst)), total] },
    },
    asked.isMeasured ? measuredRows : rowsThatFit,
  );
  const held = join(
    head(() => markOfHeld(parts)),
    ', ',
  );
  return { page, check: sql`${withClauses(clauses)} select ${held} from s cross join known` };
}

/** A list's size beside its texts: measured, a kilobyte for the reader of the page. */
function bytesOf({ keys, page }: CompiledList, selection: Selection | undefined): number {
  const { cacheKey = '', pageKey = '', textKey = '' } = keys;
  const own = selection ? bytesOfSelection(selection) : 0;
  const values = page.valuesOf({}); // those of the check are among them
  return 1_000 + own + bytesOfText(cacheKey + pageKey + textKey) + values.reduce<number>(sizeOfValue, 0);
}

function sizeOfValue(sum: number, value: Value): number {
  if (Array.isArray(value)) return value.reduce<number>(sizeOfValue, sum + 40);
  return sum + 60 + (typeof value === 'string' ? bytesOfText(value) : 0);
}
