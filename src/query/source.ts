/** The source of a page's rows and its order: an index scan, or a materialized and sorted scan. */
import { and, empty, identifier, join, sql, trusted, type Sql } from '../postgres/sql.ts';
import type { Position } from './cursor.ts';
import { orderBy, rangesOf } from './keyset.ts';
import type { Ordering } from './order.ts';

/** The rows of a table, with their alias. */
export interface TableRows {
  readonly row: Sql;
  /** The table by its own name. */
  readonly table: Sql;
  /** The rows with the alias, and what the conditions need beside them. */
  readonly from: Sql;
}

export interface RowSource {
  /** Clauses of `with`. */
  readonly clauses: readonly Sql[];
  readonly from: Sql;
  /** `from` with the values of the sort keys. */
  readonly sorted: Sql;
  readonly where: readonly Sql[];
  readonly id: Sql;
  readonly order: Ordering;
  /** A page of rows of `from`, as table rows with the sort keys appended. */
  page(rows: (select: Sql) => Sql): Sql;
}

/** Scans an index on the sort until the page is full. */
export function indexScan({ row, from }: TableRows, conditions: readonly Sql[], order: Ordering): RowSource {
  return {
    clauses: [],
    from,
    sorted: sql`${from}${order.beside}`,
    where: conditions,
    id: sql`${row}.id`,
    order,
    page: (rows) => rows(join([sql`${row}.*`, ...namedKeys(order)], ', ')),
  };
}

/**
 * Materializes all matches (at most `most`), then sorts and counts them: for rare texts, and for keys without an
 * index.
 */
export function materializedScan(
  { row, table, from: rows }: TableRows,
  conditions: readonly Sql[],
  order: Ordering,
  most?: number,
): RowSource {
  const select = join([sql`${row}.id`, ...namedKeys(order)], ', ');
  const names = order.keys.map((_, index) => sql`m.${keyName(index)}`);
  const from = sql`matches m`;
  return {
    clauses: [matchesOf(sql`select ${select} from ${rows}${order.beside} where ${and(conditions)}`, most)],
    from,
    sorted: from,
    where: [],
    id: sql`m.id`,
    order: { ...order, keys: order.keys.map((key, index) => ({ ...key, value: sql`m.${keyName(index)}` })) },
    page: (page) => sql`select ${join([sql`${row}.*`, ...names], ', ')}
      from (${page(sql`m.*`)}) m join ${table} ${row} on ${row}.id = m.id`,
  };
}

/** The clauses that materialize the rows of `found` as `matches`, at most `most` of them. */
export function matchesOf(found: Sql, most?: number): Sql {
  if (most === undefined) return sql`matches as materialized (${found})`;
  // A limit on the same select would make PostgreSQL prefer a row-by-row scan.
  return sql`found as materialized (${found}), matches as materialized (select * from found limit ${most}::int)`;
}

/** The rows of `source` after `position` in order, limited if given. */
export function pageOf(source: RowSource, position: Position | undefined, limit?: number): Sql {
  const { order } = source;
  // As text, not a parameter: the plan depends on it.
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

/** The sort keys beside their row, as select items. */
export function namedKeys(order: Ordering): readonly Sql[] {
  return order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
}

/** The name of a sort key beside its row. */
export function keyName(index: number): Sql {
  return identifier(`_key${index}`);
}
