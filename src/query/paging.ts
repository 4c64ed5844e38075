/**
 * A page of any list: where it begins, the select of its rows, where it ends, and the cursor of the next. What the rows are, and
 * what is shown of them, is the list's. No other file reads or writes a cursor.
 */
import { joined, together, type LongText } from '../lib/long-text.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { Row } from '../postgres/database.ts';
import { empty, sql, type Sql } from '../postgres/sql.ts';
import { fingerprint, readCursor, writeCursor, type CursorSigner, type Position } from './cursor.ts';
import { Filling, wasSent, type Cells, type Rows } from './fitting.ts';
import { orderBy } from './keyset.ts';
import type { Selection } from './selection.ts';
import { keyName, pageOf, type Source } from './source.ts';

/** What a list shows of a row. */
export type Shown = Cells & Pick<Selection, 'jsonInSlices'>;

export interface PageStart {
  /** Undefined on the first page. */
  readonly position: Position | undefined;
  /** The cursor of the page that follows the row with this id and these sort keys. */
  cursorAt(last: Position): string;
}

/**
 * The begin of a page of the list that `identity` stands for: as JSON, all that decides which rows it has, and their order.
 * `isSealed` where the sort keys count what others write. Throws VALIDATION_ERROR for a cursor of another list, and for one that
 * has not `keyCount` sort keys.
 */
export function openPage(
  signer: CursorSigner,
  identity: unknown,
  keyCount: number,
  cursor: string | undefined,
  isSealed = false,
): PageStart {
  const query = fingerprint(identity);
  return {
    position: cursor === undefined ? undefined : readCursor(signer, query, keyCount, cursor, isSealed),
    cursorAt: (last) => writeCursor(signer, query, last, isSealed),
  };
}

interface PageRows {
  readonly source: Source;
  /** The name of a row. */
  readonly row: Sql;
  readonly position: Position | undefined;
  readonly limit: number;
  readonly selection: Cells;
  /** One row that comes with every row of the page, and alone with an empty page: what it is taken from, and its cells. */
  readonly head: { readonly from: Sql; readonly cells: readonly Sql[] };
  /** What stands beside a row of the page in `from`, for what is shown of it. */
  readonly beside?: Sql;
}

/**
 * A select of the page, with one row more, which tells whether another follows: the cells of the head, the id, the sort keys,
 * what is shown, and perhaps whether that was sent. `fit` is one of those of `fitting.ts`.
 */
export function selectPage(page: PageRows, fit: (rows: Rows) => Sql): Sql {
  const { source, row, position, limit, selection, head, beside = empty } = page;
  const { order } = source;
  const keys = order.keys.map((_, index) => sql`${row}.${keyName(index)}`);
  const id = sql`${row}.id`;
  return sql`${source.before} ${fit({
    kept: [...head.cells, id, ...keys.map((key) => sql`${key}::text`)],
    selection,
    from: sql`from ${head.from} left join (${pageOf(source, position, limit + 1)}) ${row} on true${beside}`,
    sortedBy: [...keys, id],
    order: (names) => orderBy(order, names, names.at(-1) ?? id),
    most: limit + 1,
  })}`;
}

interface PageShape {
  /** Undefined where pages are not told apart by cursors. */
  readonly cursorAt?: PageStart['cursorAt'];
  /** How many pages make one answer together; one unless told. */
  readonly shares?: number;
  /** Bytes of that answer; as many as answers have unless told. */
  readonly mostBytes?: number | undefined;
  readonly limit: number;
  /** Where a row has its id, null in the one row of an empty page. The sort keys follow, then what is shown. */
  readonly idAt: number;
  readonly keyCount: number;
  readonly selection: Pick<Shown, 'columns' | 'jsonInSlices'>;
}

export interface PageEnd {
  /** Whether it holds nothing, although there is something: the first row is so large that the page has to be measured. */
  readonly isTooLarge: boolean;
  /** What is shown of the rows, as the text of a JSON array. */
  readonly data: LongText;
  /** How many those are. */
  readonly shown: number;
  /** Set where it holds fewer than so many as were asked for, although there are more: they are too large. */
  readonly isCut?: true;
  readonly nextCursor?: string;
}

export interface Page extends PageEnd {
  /** Rows of the whole list. */
  readonly total: number;
}

/** Writes as many of the rows of a page as fit, in slices. */
export async function readPage(rows: readonly Row[], shape: PageShape): Promise<PageEnd> {
  const { limit, idAt, keyCount, selection, cursorAt, shares, mostBytes } = shape;
  const at = idAt + 1 + keyCount;
  const found = rows.filter((row) => row[idAt] !== null);
  const texts: LongText[] = [];
  const filling = new Filling(shares, mostBytes);
  for (const row of found.slice(0, limit)) {
    if (!wasSent(row, at, selection)) break;
    if (sliceIsOver()) await nextSlice();
    const text = await selection.jsonInSlices(row, at);
    if (!filling.takes(text)) break;
    texts.push(text);
  }
  const last = found[texts.length - 1];
  const id = last?.[idAt];
  return {
    isTooLarge: found.length > 0 && texts.length === 0,
    data: together('[', joined(texts, ','), ']'),
    shown: texts.length,
    ...(texts.length < Math.min(found.length, limit) && { isCut: true }),
    ...(cursorAt &&
      last &&
      id &&
      found.length > texts.length && { nextCursor: cursorAt({ id, keys: last.slice(idAt + 1, at) }) }),
  };
}
