/** Where the rows of a page are taken from, and in which order: an index scan, or a materialized scan that is sorted. */
import { and, empty, identifier, join, sql, trusted, type Sql } from '../postgres/sql.ts';
import type { Position } from './cursor.ts';
import { orderBy, rangesOf } from './keyset.ts';
import type { Ordering } from './order.ts';

/** The rows of a table, and the name that a statement has for each. */
export interface TableRows {
  readonly row: Sql;
  /** The table by its own name. */
  readonly table: Sql;
  /** The rows by their name, with what the conditions name. */
  readonly from: Sql;
}

export interface Source {
  /** A `with` clause, or nothing. */
  readonly before: Sql;
  readonly from: Sql;
  /** `from` with what the sort keys name. */
  readonly sorted: Sql;
  readonly where: readonly Sql[];
  readonly id: Sql;
  readonly order: Ordering;
  /** A page of rows of `from`, as rows of the table with the sort keys beside them. */
  page(rows: (select: Sql) => Sql): Sql;
}

/** The table itself: an index on the sort is scanned until the page is full. */
export function indexScan({ row, from }: TableRows, conditions: readonly Sql[], order: Ordering): Source {
  const keys = order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
  return {
    before: empty,
    from,
    sorted: sql`${from}${order.beside}`,
    where: conditions,
    id: sql`${row}.id`,
    order,
    page: (rows) => rows(join([sql`${row}.*`, ...keys], ', ')),
  };
}

/**
 * All matches are materialized first, then sorted and counted: for a text that few records have, and for keys that no index has.
 * With `most`, at most so many.
 */
export function materializedScan(
  { row, table, from: rows }: TableRows,
  conditions: readonly Sql[],
  order: Ordering,
  most?: number,
): Source {
  const keys = order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
  const select = join([sql`${row}.id`, ...keys], ', ');
  const names = order.keys.map((_, index) => sql`m.${keyName(index)}`);
  const from = sql`matches m`;
  return {
    before: sql`with ${matchesOf(sql`select ${select} from ${rows}${order.beside} where ${and(conditions)}`, most)}`,
    from,
    sorted: from,
    where: [],
    id: sql`m.id`,
    order: { ...order, keys: order.keys.map((key, index) => ({ ...key, value: sql`m.${keyName(index)}` })) },
    page: (page) => sql`select ${join([sql`${row}.*`, ...names], ', ')}
      from (${page(sql`m.*`)}) m join ${table} ${row} on ${row}.id = m.id`,
  };
}

/** The clauses that materialize as `matches` what `found` selects: all of it, or at most so many rows. */
export function matchesOf(found: Sql, most?: number): Sql {
  if (most === undefined) return sql`matches as materialized (${found})`;
  // Not a limit of the same select: PostgreSQL would take it for a reason to look at one row after the other.
  return sql`found as materialized (${found}), matches as materialized (select * from found limit ${most}::int)`;
}

/** The rows of `source` after `position`, in their order: so many, or all of them. */
export function pageOf(source: Source, position: Position | undefined, limit?: number): Sql {
  const { order } = source;
  // In the text: the plan of a statement depends on it.
  const atMost = limit === undefined ? empty : sql`limit ${trusted(String(limit))}`;
  return source.page((select) => {
    const parts = rangesOf(order, source.id, position).map(
      (range) => sql`select ${select} from ${source.sorted} where ${and([...source.where, range.condition])}
        order by ${range.order} ${atMost}`,
    );
    if (parts.length === 1) return join(parts, '');
    const keys = order.keys.map((_, index) => sql`p.${keyName(index)}`);
    return sql`select * from (${join(
      parts.map((part) => sql`(${part})`),
      ' union all ',
    )}) p
      order by ${orderBy(order, keys, sql`p.id`)} ${atMost}`;
  });
}

/** The name of a sort key beside its row. */
export function keyName(index: number): Sql {
  return identifier(`_key${index}`);
}
