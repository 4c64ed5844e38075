/** A page of a list and its exact total, as one statement. [spec: Records] */
import type { ObjectDef } from '../model/model.ts';
import type { Cell, Row } from '../postgres/database.ts';
import { sent, type Statement } from '../postgres/sql.ts';
import { compileList, isSequential, type AskedList, type ListRequest } from './compile-list.ts';
import { recallList, rememberList, type CompiledList } from './compiled-lists.ts';
import type { QueryContext } from './context.ts';
import type { CursorSigner } from './cursor.ts';
import {
  foundAt,
  knownList,
  type KnownList,
  type ListKeys,
  type ListMemory,
  type RememberedPage,
  type RememberedTotal,
} from './known-list.ts';
import { readPage, type Page } from './paging.ts';
import { mostWhereOthersWait, type Reach } from './plan.ts';

export interface ListPage extends Page {
  /** Rows of the object. */
  readonly rows: number;
  /** Whether the statement gave up: page and total must not be shown. */
  readonly isUnfinished: boolean;
  /** What is known now. */
  readonly found: {
    readonly total: RememberedTotal;
    readonly page: RememberedPage;
    /** The version of what the page shows of other records. */
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
  const name = nameOf(asked);
  const kept = name === undefined ? undefined : recallList(context, object, name);
  if (kept) {
    const known = knownList(memory, kept.keys);
    // Its plan follows the known total.
    if (kept.isSequential === isSequential(kept.findsText, known, request.limit)) return planOf(kept, known);
  }
  const { list, bytes, watching } = compileList(asked, memory);
  if (name !== undefined) rememberList(context, object, name, list, bytes, watching);
  return planOf(list, knownList(memory, list.keys));
}

/** Identifies the request; undefined where more than its text decides the statement. */
function nameOf({ context, request, isMeasured, reach }: AskedList): string | undefined {
  const { where, search, timed, beside, sort, limit, cursor, fields, shown } = request;
  if (timed || beside || shown) return undefined;
  const { model, me, recipient, timeZone, mostBytes } = context;
  const reader = [model.epoch, model.version, me, recipient, timeZone, mostBytes, isMeasured, reach];
  return JSON.stringify([where, search, sort, limit, cursor, fields, ...reader]);
}

function planOf(list: CompiledList, known: KnownList): ListPlan {
  const { keys, page, check } = list;
  // The search index finds the rows, and all matches are read, whatever the words.
  const hasOnePlan = list.findsText && list.isMaterialized;
  return {
    statement: { ...sent(page, known), hasOnePlan },
    keys,
    known,
    read: (rows) => readList(rows, list, known),
    ...(check &&
      known.text && {
        check: { statement: { ...sent(check, known), hasOnePlan }, read: (rows) => readCheck(rows, known) },
      }),
  };
}

/** The columns that precede the total and the page. */
function headOf(rows: readonly Row[]) {
  const [version, textVersion, count, held] = rows[0] ?? [];
  return {
    version: version ?? '0',
    textVersion: textVersion ?? '0',
    rows: Number(count ?? 0),
    holds: held === 't',
    mark: rows.map((row) => row[4]).find((cell) => typeof cell === 'string'),
  };
}

async function readList(rows: readonly Row[], list: CompiledList, known: KnownList): Promise<ListPage> {
  const head = headOf(rows);
  const counted = rows[0]?.[5] ?? null;
  const held = head.holds ? known : undefined;
  const total = totalOf(head, Number(counted ?? 0), held?.total);
  const ids = () => rows.flatMap(({ [list.shape.idAt]: id }) => id ?? []);
  return {
    ...(await readPage(rows, list.shape)),
    ...{ total: total.total, rows: head.rows },
    isUnfinished: list.isBounded && !held?.page && gaveUp(counted, list),
    found: {
      total,
      page: held?.page ?? { version: foundAt(total) ?? head.version, ids: ids() },
      textVersion: head.textVersion,
    },
  };
}

/** The page, if its text still holds. */
function readCheck(rows: readonly Row[], { total, page, text }: KnownList): ListPage | undefined {
  const head = headOf(rows);
  if (!head.holds || !page || text?.textVersion !== head.textVersion) return undefined;
  const found = { total: totalOf(head, total?.total ?? head.rows, total), page, textVersion: head.textVersion };
  return { ...text.end, total: found.total.total, rows: head.rows, isUnfinished: false, found };
}

/** The total, and the matches that were found anew or that still are those of `held`. */
function totalOf(
  { version, rows, mark }: ReturnType<typeof headOf>,
  total: number,
  held: RememberedTotal | undefined,
): RememberedTotal {
  const matches = mark === undefined ? held?.matches : { mark, foundAt: foundAt(held) ?? version };
  return { version, total, rows, ...(matches && { matches }) };
}

/** Whether a bounded statement did not count, or found more than it may. */
function gaveUp(matches: Cell, { isMaterialized }: CompiledList): boolean {
  return matches === null || (isMaterialized && Number(matches) > mostWhereOthersWait);
}
