/**
 * A page of a list that is not of one object's records, and its total, as one statement: users, the trash. The list says which
 * rows it has, their order and what is shown of them.
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
   * The table has a column `id`, which is unique and the last of the sort keys. Where the rows of a page are found otherwise than
   * all of them: those behind a position, in the list's order, `most` of them at least.
   */
  readonly rows: TableRows | ((position: Position | undefined, most: number) => TableRows);
  /** How many rows there are in all, as `total`; counted where it is absent. */
  readonly total?: Sql;
  /** Whether `total` also gives as `version` of which state it is. */
  readonly hasVersion?: true;
  /** A `with` clause that `rows` and `total` speak of; only of a list whose order is not costly. */
  readonly before?: Sql;
  /** Which rows there are for the caller. */
  readonly visible: Sql;
  /** Which of them it asks for. */
  readonly asked: readonly Sql[];
  readonly order: Ordering;
  /** As JSON, what tells this list from others: a cursor of another one does not fit. */
  readonly identity: unknown;
  readonly selection: Shown;
  /** What stands beside a row in `from`, for what is shown of it: joins that give one row each. */
  readonly beside?: Sql;
}

export interface PageRequest {
  /** Rows on a page: a positive integer. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** As `readPage` takes them. */
  readonly shares?: number;
}

export interface CountedPage extends Page {
  /** Of which state its total is; null where the list does not say. */
  readonly version: string | null;
  /** Whether the list has counted; if not, the total is nothing. */
  readonly isCounted: boolean;
}

export interface PagePlan {
  readonly statement: Statement;
  /** The cursor of the page behind any row of the list. */
  readonly cursorAt: PageStart['cursorAt'];
  /** In slices. */
  read(rows: readonly Row[]): Promise<CountedPage>;
}

interface Context extends Pick<QueryContext, 'mostBytes'> {
  readonly model: Pick<Model, 'version'>;
  readonly signer: CursorSigner;
}

/** Throws VALIDATION_ERROR for a cursor of another list. */
export function planPage(
  { model, signer, mostBytes }: Context,
  listing: Listing,
  { limit, cursor, shares }: PageRequest,
): PagePlan {
  const { order, selection, hasVersion = false } = listing;
  const keyCount = order.keys.length;
  const { position, cursorAt } = openPage(signer, listing.identity, keyCount, cursor, order.isCounter);
  const rows = typeof listing.rows === 'function' ? listing.rows(position, limit + 1) : listing.rows;
  const scan = (order.isCostly ? materializedScan : indexScan)(rows, [listing.visible, ...listing.asked], order);
  const source = listing.before ? { ...scan, before: listing.before } : scan;
  const counted = listing.total ?? sql`select count(*) as total from ${source.from} where ${and(source.where)}`;
  const query = selectPage(
    {
      source,
      row: rows.row,
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
