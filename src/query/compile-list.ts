/** Compiles the statements of a list: a page with its total, and the check whether what is known of it holds. */
import { bytesOfText } from '../lib/lru.ts';
import type { ObjectDef } from '../model/model.ts';
import { empty, join, sql, templateOf, withClauses, type Value } from '../postgres/sql.ts';
import { Budget } from './budget.ts';
import { callersScope, type CallersScope } from './callers-scope.ts';
import type { Compilation, CompiledList } from './compiled-lists.ts';
import type { QueryContext } from './context.ts';
import type { CursorSigner } from './cursor.ts';
import { measuredRows, rowsThatFit } from './fitting.ts';
import { countedUnlessKnown, unlessKnown, type ListMemory, type RememberedTotal } from './known-list.ts';
import { keysOf, type ListKeys } from './list-keys.ts';
import { objectScope } from './object-scope.ts';
import {
  countOfMatches,
  firstMatches,
  holdsAtVersion,
  holdsDespiteWrites,
  markOfFound,
  markOfHeld,
} from './outlasting-writes.ts';
import { pageStart } from './page-start.ts';
import { selectPage } from './paging.ts';
import {
  alias,
  conditionsOf,
  keyOf,
  mostWhereOthersWait,
  mustBeWrittenOnce,
  scanFillsPage,
  sequential,
  tableRows,
  type ListRequest,
  type Reach,
} from './plan.ts';
import { matchesText } from './prefilter.ts';
import { bytesOfSelection, selectRecord, type Selection } from './selection.ts';
import { indexScan, materializedScan, type RowSource } from './source.ts';
import { watch } from './timeless.ts';
import { stateOfList } from './versions.ts';

/** Whose list is asked for, and how. */
export interface AskedList {
  readonly context: QueryContext;
  readonly object: ObjectDef;
  readonly request: ListRequest;
  readonly signer: CursorSigner;
  readonly isMeasured: boolean;
  readonly reach: Reach;
}

/** The columns of an answer before the id of a row. */
export const listColumns = { version: 0, textVersion: 1, rows: 2, holds: 3, mark: 4, total: 5 } as const;

/** Compiles the list with a plan for the total that `memory` knows. */
export function compileList(asked: AskedList, memory: ListMemory): Compilation {
  const { context, request } = asked;
  const watching = watch(context);
  const parts = partsOf(asked, watching.watched);
  const keys = keysOf(keyOf(parts.scope, parts.conditions), parts.isAll, parts.scope, context, parts);
  const scans = scansOf(asked, parts, keys.cacheKey === undefined ? undefined : memory.total(keys.cacheKey));
  const outlasts = keys.pageKey !== undefined && outlastsWrites(asked, parts, scans);
  const { page, check } = statementsOf(asked, parts, scans, keys, outlasts);
  // The best plan of a search by an index of its own depends on the values.
  const version = request.beside?.isIndexed ? undefined : context.model.version;
  const { order, limit, selection, cursorAt } = parts;
  const { findsText, isScanned, isMaterialized, isBounded } = scans;
  const list: CompiledList = {
    ...{ keys, outlasts, selection, findsText, isScanned, isMaterialized, isBounded },
    page: templateOf(page, version),
    check: keys.textKey === undefined ? undefined : templateOf(check, version),
    shape: {
      ...{ limit, cursorAt, mostBytes: context.mostBytes },
      idAt: Object.keys(listColumns).length,
      keyCount: order.keys.length,
    },
  };
  const own = request.fields && parts.ofRecord;
  return { list, hasOwnSelection: own !== undefined, bytes: bytesOf(list, own), watching };
}

type Parts = ReturnType<typeof partsOf>;

/** What the list is made of, compiled in the name of `context`. */
function partsOf({ object, request, signer }: AskedList, context: QueryContext) {
  const budget = new Budget();
  const scope = callersScope(objectScope(context, object, alias), budget);
  const { conditions, related } = conditionsOfList(request, scope);
  const { order, position, fingerprint, cursorAt } = pageStart(scope, request, signer, budget);
  const ofRecord = request.shown ? undefined : selectRecord(object, context, alias, 'read', request.fields, budget);
  return {
    ...{ budget, scope, conditions, related, order, position, fingerprint, cursorAt, ofRecord },
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
  const related = new Set(scope.reads);
  scope.reads.add(scope.object.id);
  return { conditions, related };
}

/** Whether a scan of the sort's index soon fills the page, although the search index could find the rows. */
export function isFilledByScan(findsText: boolean, total: RememberedTotal | undefined, limit: number): boolean {
  return findsText && scanFillsPage(total, limit);
}

interface Scans extends Pick<CompiledList, 'findsText' | 'isScanned' | 'isMaterialized' | 'isBounded'> {
  readonly source: RowSource;
  /** What is counted; undefined where counting could take long. */
  readonly counted: RowSource | undefined;
}

/** How the rows of the page are found. */
function scansOf({ object, request, reach }: AskedList, parts: Parts, known: RememberedTotal | undefined): Scans {
  const { budget, records, conditions, order, limit } = parts;
  const findsText = matchesText(object, request) || request.beside?.isIndexed === false;
  const isBounded = findsText && reach === 'bounded';
  const isScanned = isFilledByScan(findsText, known, limit);
  const isLong = mustBeWrittenOnce(budget, 2 * order.keys.length + 2);
  const isMaterialized = (findsText && !isScanned) || order.isCostly || isLong;
  const most = isBounded ? mostWhereOthersWait + 1 : undefined;
  const all = (isMaterialized ? materializedScan : indexScan)(records, conditions, order, most);
  return {
    ...{ findsText, isBounded, isScanned, isMaterialized },
    source: isScanned && !isMaterialized ? indexScan(records, sequential(conditions), order) : all,
    counted: isBounded && !isMaterialized ? undefined : all,
  };
}

/**
 * Whether writes of other records leave what is known of the list as it is: no other record of its object decides what
 * matches, and few matches can be told from many without reading all of them.
 */
function outlastsWrites({ request, object }: AskedList, parts: Parts, { isScanned, isMaterialized }: Scans): boolean {
  const { isAll, related, budget, order } = parts;
  if (isAll || request.beside || related.has(object.id) || isScanned) return false;
  // The conditions are written once more for the written records, and for the first matches.
  return !mustBeWrittenOnce(budget, isMaterialized ? 2 : 2 * order.keys.length + 4);
}

function statementsOf(asked: AskedList, parts: Parts, scans: Scans, keys: ListKeys, outlasts: boolean) {
  const { scope, records, conditions, related, order, position, limit, selection, ofRecord, isAll } = parts;
  const kind = scans.isMaterialized ? 'all' : 'first';
  const clauses = [
    sql`s as materialized (${stateOfList(scope, related, ofRecord?.reads ?? new Set())})`,
    ...(outlasts ? holdsDespiteWrites(parts) : holdsAtVersion()),
  ];
  const cells = [sql`s.version`, sql`s.text_version`, sql`s.rows`, sql`known.holds`];
  const total = isAll ? sql`s.rows` : countedUnlessKnown(scans.counted, outlasts ? countOfMatches(kind) : empty);
  const page = selectPage(
    {
      source: keys.pageKey === undefined ? scans.source : unlessKnown(scans.source, records, conditions, order),
      row: scope.row,
      ...{ position, limit, selection },
      beside: join(selection.joins ?? [], ''),
      clauses: outlasts && kind === 'first' ? [...clauses, firstMatches(parts)] : clauses,
      head: {
        from: sql`s cross join known`,
        cells: [...cells, outlasts ? markOfFound(parts, kind) : sql`null`, total],
      },
    },
    asked.isMeasured ? measuredRows : rowsThatFit,
  );
  const held = join([...cells, outlasts ? markOfHeld(parts) : sql`null`], ', ');
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
