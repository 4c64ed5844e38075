/**
 * A page, with its total, of a list that is not of one object's records (users, the trash), as one statement. The
 * list defines the rows, their order and the shown fields.
 */
import type { Model } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, sql, statement, type Sql, type Statement } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';
import type { CursorSigner, Position } from './cursor.ts';
import { measuredRows, rowsThatFit } from './fitting.ts';
import type { Ordering } from './order.ts';
import { openPage, readPage, selectPage, type Page, type PageStart, type Shown } from './paging.ts';
import { indexScan, materializedScan, type TableRows } from './source.ts';

export interface Listing {
  /**
   * The table needs a unique column `id`, the last sort key. Or a function that finds at least `most` rows after a
   * position in list order.
   */
  readonly rows: TableRows | ((position: Position | undefined, most: number) => TableRows);
  /** The number of all rows, as `total`; counted if absent. */
  readonly total?: Sql;
  /** Whether `total` also returns the `version` of its state. */
  readonly hasVersion?: true;
  /** Clauses of `with` for `rows` and `total`. */
  readonly clauses?: readonly Sql[];
  /** The rows that exist for the caller. */
  readonly visible: Sql;
  /** The conditions of the request. */
  readonly filters: readonly Sql[];
  readonly order: Ordering;
  /** As JSON, identifies the list: cursors of another list do not match. */
  readonly identity: unknown;
  readonly selection: Shown;
  /** Appended to a row in `from`, for the shown fields: joins that return one row each. */
  readonly beside?: Sql;
}

export interface PageRequest {
  /** Rows on a page: a positive integer. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** As in `readPage`. */
  readonly shares?: number;
}

export interface CountedPage extends Page {
  /** The version of the total's state; null where the list has none. */
  readonly version: string | null;
  /** Whether the total was counted; otherwise it is meaningless. */
  readonly isCounted: boolean;
}

export interface PagePlan {
  readonly statement: Statement;
  /** The cursor of the page after any row of the list. */
  readonly cursorAt: PageStart['cursorAt'];
  /** Writes JSON in slices. */
  read(rows: readonly Row[]): Promise<CountedPage>;
}

interface Context extends Pick<QueryContext, 'mostBytes'> {
  readonly model: Pick<Model, 'version'>;
  readonly signer: CursorSigner;
}

/** Plans the page. Throws VALIDATION_ERROR for a cursor of another list. */
export function planPage(
  { model, signer, mostBytes }: Context,
  listing: Listing,
  { limit, cursor, shares }: PageRequest,
): PagePlan {
  const { order, selection, hasVersion = false } = listing;
  const keyCount = order.keys.length;
  const { position, cursorAt } = openPage(signer, listing.identity, keyCount, cursor, order.isCounter);
  const rows = typeof listing.rows === 'function' ? listing.rows(position, limit + 1) : listing.rows;
  const source = (order.isCostly ? materializedScan : indexScan)(rows, [listing.visible, ...listing.filters], order);
  const counted = listing.total ?? sql`select count(*) as total from ${source.from} where ${and(source.where)}`;
  const query = selectPage(
    {
      source,
      row: rows.row,
      clauses: listing.clauses,
      position,
      limit,
      selection,
      head: {
        from: sql`(${counted}) counted`,
        cells: [sql`counted.total`, ...(hasVersion ? [sql`counted.version`] : [])],
      },
      ...(listing.beside && { beside: listing.beside }),
    },
    selection.long?.length === 0 ? rowsThatFit : measuredRows,
  );
  return {
    statement: statement(query, model.version),
    cursorAt,
    async read(found) {
      const page = await readPage(found, {
        ...{ limit, idAt: hasVersion ? 2 : 1, keyCount, selection, cursorAt, mostBytes },
        ...(shares !== undefined && { shares }),
      });
      const [total = null, version = null] = found[0] ?? [];
      return { ...page, total: Number(total ?? 0), isCounted: total !== null, version: hasVersion ? version : null };
    },
  };
}
