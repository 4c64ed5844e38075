/** A page of a list and its exact total: one statement, and one to ask first whether a known text holds. [spec: Records] */
import type { ObjectDef } from '../model/model.ts';
import type { Cell, Row } from '../postgres/database.ts';
import { filled, type Statement } from '../postgres/sql.ts';
import { compileList, isFilledByScan, listColumns, type AskedList } from './compile-list.ts';
import { recallList, rememberList, type CompiledList } from './compiled-lists.ts';
import type { QueryContext } from './context.ts';
import type { CursorSigner } from './cursor.ts';
import {
  foundAt,
  knownList,
  type KnownList,
  type ListMemory,
  type RememberedPage,
  type RememberedTotal,
} from './known-list.ts';
import type { ListKeys } from './list-keys.ts';
import { readPage, type Page } from './paging.ts';
import { alias, mostWhereOthersWait, type ListRequest, type Reach } from './plan.ts';

export interface ListPage extends Page {
  /** Rows of the object. */
  readonly rows: number;
  /** Whether the statement gave up: page and total must not be shown. */
  readonly isUnfinished: boolean;
  /** What is known now. */
  readonly found: {
    readonly total: RememberedTotal;
    readonly page: RememberedPage;
    /** The version of the related records that the page shows. */
    readonly textVersion: string;
  };
}

export interface ListPlan {
  readonly statement: Statement;
  readonly keys: ListKeys;
  readonly known: KnownList;
  /** Writes JSON in slices. */
  read(rows: readonly Row[]): Promise<ListPage>;
  /** Set where the text of the page is known: tells whether it holds, for less than the statement costs. */
  readonly check?: { readonly statement: Statement; read(rows: readonly Row[]): ListPage | undefined };
}

/**
 * Plans a page of a list and its exact total. While what `memory` knows of the list holds, nothing is counted, searched
 * or written. An unmeasured page may turn out to be too large, and one of bounded reach may be unfinished.
 */
export function planList(
  context: QueryContext,
  object: ObjectDef,
  request: ListRequest,
  signer: CursorSigner,
  memory: ListMemory,
  isMeasured = false,
  reach: Reach = 'all',
): ListPlan {
  const asked = { context, object, request, signer, isMeasured, reach };
  const key = keyOfRequest(asked);
  const kept = key === undefined ? undefined : recallList(context, object, key, alias);
  if (kept && isStillBest(kept, memory)) return planOf(kept, memory);
  const compilation = compileList(asked, memory);
  if (key !== undefined) rememberList(context, object, key, compilation);
  return planOf(compilation.list, memory);
}

/** Identifies the request and whose it is; undefined where more than its text decides the statement. */
function keyOfRequest({ context, request, isMeasured, reach }: AskedList): string | undefined {
  const { where, search, timed, beside, sort, limit, cursor, fields, shown } = request;
  if (timed || beside || shown) return undefined;
  const { model, me, recipient, timeZone, mostBytes } = context;
  const reader = [model.epoch, model.version, me, recipient, timeZone, mostBytes, isMeasured, reach];
  return JSON.stringify([where, search, sort, limit, cursor, fields, ...reader]);
}

function isStillBest({ keys: { cacheKey }, isScanned, findsText, shape }: CompiledList, memory: ListMemory): boolean {
  const total = cacheKey === undefined ? undefined : memory.total(cacheKey);
  return isScanned === isFilledByScan(findsText, total, shape.limit);
}

function planOf(list: CompiledList, memory: ListMemory): ListPlan {
  const { keys, page, check, outlasts, findsText, isMaterialized } = list;
  const known = knownList(memory, keys, outlasts);
  // The search index finds the rows, and all matches are read, whatever the words.
  const hasOnePlan = findsText && isMaterialized;
  return {
    statement: { ...filled(page, known), hasOnePlan },
    keys,
    known,
    read: (rows) => readList(rows, list, known),
    ...(check &&
      known.text && {
        check: { statement: { ...filled(check, known), hasOnePlan }, read: (rows) => readCheck(rows, list, known) },
      }),
  };
}

/** What precedes the rows of the page. */
function headOf(rows: readonly Row[]) {
  const cell = (name: keyof typeof listColumns) => rows[0]?.[listColumns[name]] ?? null;
  return {
    version: cell('version') ?? '0',
    textVersion: cell('textVersion') ?? '0',
    rows: Number(cell('rows') ?? 0),
    holds: cell('holds') === 't',
    counted: cell('total'),
    mark: rows.map((row) => row[listColumns.mark]).find((mark) => typeof mark === 'string'),
  };
}

type Head = ReturnType<typeof headOf>;

async function readList(rows: readonly Row[], list: CompiledList, known: KnownList): Promise<ListPage> {
  const head = headOf(rows);
  const held = head.holds ? known : undefined;
  const total = totalOf(head, Number(head.counted ?? 0), list, held?.total);
  const { selection, shape } = list;
  const ids = () => rows.flatMap(({ [shape.idAt]: id }) => id ?? []);
  return {
    ...(await readPage(rows, { ...shape, selection })),
    ...{ total: total.total, rows: head.rows },
    isUnfinished: list.isBounded && !held?.page && gaveUp(head.counted, list),
    found: {
      total,
      page: held?.page ?? { foundAt: foundAt(total) ?? head.version, ids: ids() },
      textVersion: head.textVersion,
    },
  };
}

/** The page, if its text still holds. */
function readCheck(rows: readonly Row[], list: CompiledList, { total, page, text }: KnownList): ListPage | undefined {
  const head = headOf(rows);
  if (!head.holds || !page || text?.textVersion !== head.textVersion) return undefined;
  const found = { total: totalOf(head, total?.total ?? head.rows, list, total), page, textVersion: head.textVersion };
  return { ...text.end, total: found.total.total, rows: head.rows, isUnfinished: false, found };
}

/** The total, with the matches that were found anew or that still are those of `held`. */
function totalOf(
  { version, rows, mark }: Head,
  total: number,
  { outlasts }: CompiledList,
  held: RememberedTotal | undefined,
): RememberedTotal {
  if (mark !== undefined) return { version, total, rows, matches: { mark, foundAt: foundAt(held) ?? version } };
  // Without a mark, nothing was written since those of `held`, or there are too many.
  const matches = held ? held.matches : outlasts ? null : undefined;
  return { version, total, rows, ...(matches !== undefined && { matches }) };
}

/** Whether a bounded statement did not count, or found more than it may. */
function gaveUp(matches: Cell, { isMaterialized }: CompiledList): boolean {
  return matches === null || (isMaterialized && Number(matches) > mostWhereOthersWait);
}
