/**
 * Pages of any list: the start, the select of the rows, the end, and the cursor of the next page. Rows and shown
 * fields are the list's concern. No other file reads or writes a cursor.
 */
import { joined, together, type LongText } from '../lib/long-text.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { Row } from '../postgres/database.ts';
import { empty, sql, withClauses, type Sql } from '../postgres/sql.ts';
import { fingerprint, readCursor, writeCursor, type CursorSigner, type Position } from './cursor.ts';
import { Filling, wasSent, type Cells, type RowsToFit } from './fitting.ts';
import { orderBy } from './keyset.ts';
import type { Selection } from './selection.ts';
import { keyName, pageOf, type RowSource } from './source.ts';

/** The fields that a list shows of a row, with the joins that their columns need. */
export type Shown = Cells & Pick<Selection, 'jsonInSlices'> & Partial<Pick<Selection, 'joins'>>;

export interface PageStart {
  /** Undefined on the first page. */
  readonly position: Position | undefined;
  /** Identifies the list that the cursors belong to. */
  readonly fingerprint: Uint8Array;
  /** The cursor of the page after the row with this id and these sort keys. */
  cursorAt(last: Position): string;
}

/**
 * Opens a page of the list with that `identity`: as JSON, everything that decides its rows and their order. Set
 * `isSealed` where the sort keys count what others write. Throws VALIDATION_ERROR for a cursor of another list, or
 * with another number of sort keys.
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
    fingerprint: query,
    cursorAt: (last) => writeCursor(signer, query, last, isSealed),
  };
}

interface PageRows {
  readonly source: RowSource;
  /** The alias of a row. */
  readonly row: Sql;
  readonly position: Position | undefined;
  readonly limit: number;
  readonly selection: Cells;
  /** A single row joined to every row of the page, and alone on an empty page: its `from` and its cells. */
  readonly head: { readonly from: Sql; readonly cells: readonly Sql[] };
  /** Further clauses of `with`, before those of the source. */
  readonly clauses?: readonly Sql[] | undefined;
  /** Appended to a row of the page in `from`, for the shown fields. */
  readonly beside?: Sql;
}

/**
 * Selects the page and one more row, which tells whether another page follows: the head's cells, the id, the sort
 * keys, the shown fields, and perhaps whether these were sent. `fit` is a function of `fitting.ts`.
 */
export function selectPage(page: PageRows, fit: (rows: RowsToFit) => Sql): Sql {
  const { source, row, position, limit, selection, head, clauses = [], beside = empty } = page;
  const { order } = source;
  const keys = order.keys.map((_, index) => sql`${row}.${keyName(index)}`);
  const id = sql`${row}.id`;
  return sql`${withClauses([...clauses, ...source.clauses])} ${fit({
    kept: [...head.cells, id, ...keys.map((key) => sql`${key}::text`)],
    selection,
    from: sql`from ${head.from} left join (${pageOf(source, position, limit + 1)}) ${row} on true${beside}`,
    sortedBy: [...keys, id],
    order: (names) => orderBy(order, names, names.at(-1) ?? id),
    most: limit + 1,
  })}`;
}

/** What a page has, and where in its rows. */
export interface PageShape {
  /** Undefined for pages without cursors. */
  readonly cursorAt?: PageStart['cursorAt'];
  /** How many pages share one answer; defaults to one. */
  readonly shares?: number;
  /** Bytes of that answer; defaults to the limit of all answers. */
  readonly mostBytes?: number | undefined;
  readonly limit: number;
  /** Index of the id in a row, null in the single row of an empty page. The sort keys follow, then the shown fields. */
  readonly idAt: number;
  readonly keyCount: number;
  readonly selection: Pick<Shown, 'columns' | 'jsonInSlices'>;
}

export interface PageEnd {
  /** Whether the page is empty only because its first row is too large: it has to be measured. */
  readonly isTooLarge: boolean;
  /** The shown rows as the text of a JSON array. */
  readonly data: LongText;
  /** The number of shown rows. */
  readonly shown: number;
  /** Set where the page has fewer rows than requested, although there are more, since they are too large. */
  readonly isCut?: true;
  readonly nextCursor?: string;
}

export interface Page extends PageEnd {
  /** The number of rows of the whole list. */
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
